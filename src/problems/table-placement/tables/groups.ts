import { gapText } from "../../../text/optimality.js";
import { only, quantity, type Said } from "../../../text/said.js";
import { bytes, significant } from "../../../text/units.js";
import { boundBeside, plainUnit } from "../../../text/value-unit.js";
import { NOTHING, type PlanTable } from "../../plan-table.js";
import type { PlacementGroups } from "../plan-file/groups.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";

/** Every size of groups, and what is known of it; the chosen one stands out. `null` where the devices are not parted. */
export function groupTable({ groups, objective, request }: TablePlacementPlan): PlanTable | null {
  if (groups === undefined) return null;
  const unit = plainUnit(objective.unit);
  const hasGathered = groups.sizes.some(({ largestLookupBytes }) => largestLookupBytes !== undefined);
  return {
    caption: "Every size of groups",
    columns: [
      ...["GPUs a group", "groups", "largest cost", "proved bound"].map((head) => ({ head, align: "r" as const })),
      { head: "gap", align: "r", on: "terminal" },
      { head: "synchronisation", align: "r" },
      { head: [only("terminal", "fullest device"), only("page", "memory of the fullest")], align: "r" },
      ...(hasGathered ? [{ head: "at look-ups", align: "r" as const }] : []),
      { head: "", align: "l" },
    ],
    rows: groups.sizes.map((row, k) => {
      const cell = (field: string, value: number | null, text: (value: number) => string): Said =>
        value === null ? NOTHING : quantity(`groups.sizes.${k}.${field}`, value, text(value));
      const isStrong = row.size === groups.chosen;
      const cells = [
        String(row.size),
        String(row.copies),
        cell("value", row.value, unit.text),
        cell("bound", row.bound, (bound) => boundBeside(unit, bound, row.value)),
        cell("gap", row.gap, () => gapText(row)),
        cell("syncMilliseconds", row.syncMilliseconds, (value) => `${significant(value, 4)} ms`),
        cell("largestBytes", row.largestBytes, bytes),
        ...(hasGathered ? [cell("largestLookupBytes", row.largestLookupBytes ?? null, bytes)] : []),
        isStrong ? "chosen" : reasonOf(row, objective.value, request.gap),
      ];
      return { cells, isStrong };
    }),
  };
}

function reasonOf(
  { status, bound, value }: PlacementGroups["sizes"][number],
  best: number | null,
  gap: number,
): string {
  if (status === "infeasible") return "does not fit, proved";
  if (best !== null && bound !== null && bound >= best) return "no better, proved";
  if (best !== null && bound !== null && best - bound <= gap * best) return "no better by the gap, proved";
  return value === null ? "no plan was found" : "open";
}
