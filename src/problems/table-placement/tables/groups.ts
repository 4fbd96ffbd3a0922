import { left, NOTHING, type PlanTable, right, tableOf } from "../../../facts/plan-table.js";
import { gapText } from "../../../text/optimality.js";
import { only, quantity, type Said } from "../../../text/said.js";
import { bytes, significant } from "../../../text/units.js";
import { boundBeside, plainUnit } from "../../../text/value-unit.js";
import type { PlacementGroups } from "../plan-file/groups.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";

/** Every size of groups, and what is known of it; the chosen one stands out. `null` where the devices are not parted. */
export function groupTable({ groups, objective, request }: TablePlacementPlan): PlanTable | null {
  if (groups === undefined) return null;
  const unit = plainUnit(objective.unit);
  const cell = (field: string, k: number, value: number | null, text: (value: number) => string): Said =>
    value === null ? NOTHING : quantity(`groups.sizes.${k}.${field}`, value, text(value));
  const isChosen = ({ size }: PlacementGroups["sizes"][number]) => size === groups.chosen;
  return tableOf(
    "Every size of groups",
    groups.sizes,
    [
      right("GPUs a group", ({ size }) => String(size)),
      right("groups", ({ copies }) => String(copies)),
      right("largest cost", ({ value }, k) => cell("value", k, value, unit.text)),
      right("proved bound", ({ bound, value }, k) =>
        cell("bound", k, bound, (amount) => boundBeside(unit, amount, value)),
      ),
      right("gap", (row, k) => cell("gap", k, row.gap, () => gapText(row)), "terminal"),
      right("synchronisation", ({ syncMilliseconds }, k) =>
        cell("syncMilliseconds", k, syncMilliseconds, (value) => `${significant(value, 4)} ms`),
      ),
      right([only("terminal", "fullest device"), only("page", "memory of the fullest")], ({ largestBytes }, k) =>
        cell("largestBytes", k, largestBytes, bytes),
      ),
      groups.sizes.some(({ largestLookupBytes }) => largestLookupBytes !== undefined)
        ? right("at look-ups", (row, k) => cell("largestLookupBytes", k, row.largestLookupBytes ?? null, bytes))
        : null,
      left("", (row) => (isChosen(row) ? "chosen" : reasonOf(row, objective.value, request.gap))),
    ],
    (row) => ({ isStrong: isChosen(row) }),
  );
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
