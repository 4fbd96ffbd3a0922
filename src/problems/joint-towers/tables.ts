import { left, NOTHING, type PlanTable, right, tableOf } from "../../facts/plan-table.js";
import { gapText } from "../../text/optimality.js";
import { only, quantity, type Said } from "../../text/said.js";
import { bytes, milliseconds, significant } from "../../text/units.js";
import { boundBeside, SECONDS } from "../../text/value-unit.js";
import type { JointPlan } from "./plan-file/plan-file.js";

/** Every number of towers with its hosts, and what became of it; the chosen one stands out. */
export function rowTable({ rows, chosen }: JointPlan): PlanTable {
  const cell = (field: string, k: number, value: number | null, text: (value: number) => string): Said =>
    value === null ? NOTHING : quantity(`joint.rows.${k}.${field}`, value, text(value));
  const isChosen = ({ towers }: JointPlan["rows"][number]) => towers === chosen?.towers;
  return tableOf(
    "Every number of towers that the cluster allows",
    rows,
    [
      right("towers", ({ towers }) => String(towers)),
      right("hosts each", ({ hostsPerTower }) => String(hostsPerTower)),
      right("exchange", ({ seconds }, k) => cell("seconds.value", k, seconds.value, (value) => milliseconds(value))),
      right("proved bound", ({ seconds: { bound, value } }, k) =>
        cell("seconds.bound", k, bound, (amount) => boundBeside(SECONDS, amount, value)),
      ),
      right("gap", ({ seconds }, k) => cell("seconds.gap", k, seconds.gap, () => gapText(seconds)), "terminal"),
      right("ids", (row, k) => cell("idSeconds", k, row.idSeconds, (value) => milliseconds(value, 4)), "terminal"),
      right("partition", ({ partition }, k) =>
        cell("partition.value", k, partition.value, (value) => significant(value, 6)),
      ),
      right([only("terminal", "largest memory"), only("page", "fullest GPU")], ({ largestBytes }, k) =>
        cell("largestBytes", k, largestBytes, bytes),
      ),
      left("", (row) => (isChosen(row) ? "chosen" : (row.reason ?? ""))),
    ],
    (row) => ({ isStrong: isChosen(row) }),
  );
}
