import { gapText } from "../../text/optimality.js";
import { only, quantity, type Said } from "../../text/said.js";
import { bytes, milliseconds, significant } from "../../text/units.js";
import { boundBeside, SECONDS } from "../../text/value-unit.js";
import { NOTHING, type PlanTable } from "../plan-table.js";
import type { JointPlan } from "./plan-file/plan-file.js";

/** Every number of towers with its hosts, and what became of it; the chosen one stands out. */
export function rowTable({ rows, chosen }: JointPlan): PlanTable {
  return {
    caption: "Every number of towers that the cluster allows",
    columns: [
      ...["towers", "hosts each", "exchange", "proved bound"].map((head) => ({ head, align: "r" as const })),
      { head: "gap", align: "r", on: "terminal" },
      { head: "ids", align: "r", on: "terminal" },
      { head: "partition", align: "r" },
      { head: [only("terminal", "largest memory"), only("page", "fullest GPU")], align: "r" },
      { head: "", align: "l" },
    ],
    rows: rows.map(({ towers, hostsPerTower, seconds, idSeconds, partition, largestBytes, reason }, k) => {
      const cell = (field: string, value: number | null, text: (value: number) => string): Said =>
        value === null ? NOTHING : quantity(`joint.rows.${k}.${field}`, value, text(value));
      const isStrong = towers === chosen?.towers;
      const cells = [
        String(towers),
        String(hostsPerTower),
        cell("seconds.value", seconds.value, (value) => milliseconds(value)),
        cell("seconds.bound", seconds.bound, (bound) => boundBeside(SECONDS, bound, seconds.value)),
        cell("seconds.gap", seconds.gap, () => gapText(seconds)),
        cell("idSeconds", idSeconds, (value) => milliseconds(value, 4)),
        cell("partition.value", partition.value, (value) => significant(value, 6)),
        cell("largestBytes", largestBytes, bytes),
        isStrong ? "chosen" : (reason ?? ""),
      ];
      return { cells, isStrong };
    }),
  };
}
