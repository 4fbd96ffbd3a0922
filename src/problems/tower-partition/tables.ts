import { only, quantity } from "../../text/said.js";
import { significant } from "../../text/units.js";
import type { PlanTable } from "../plan-table.js";
import type { TowerPartitionPlan } from "./plan-file/plan-file.js";

/** Of the names of a tower's features: a page has them all. */
const MOST = { characters: 70, entries: Number.POSITIVE_INFINITY };

/** Every tower: how many features, what they add to the objective, what they carry, their names. */
export function towerTable({ towers, sizes, towerCosts, loads }: TowerPartitionPlan): PlanTable {
  return {
    caption: "The towers",
    columns: [
      ...["tower", "features", "cost"].map((head) => ({ head, align: "r" as const })),
      ...(loads === null ? [] : [{ head: "load", align: "r" as const }]),
      { head: only("page", "holds"), align: "l" },
    ],
    rows: (towers ?? []).map((names, t) => ({
      cells: [
        String(t),
        quantity(`sizes.${t}`, sizes?.[t] ?? 0, String(sizes?.[t] ?? 0)),
        quantity(`towerCosts.${t}`, towerCosts?.[t] ?? 0, significant(towerCosts?.[t] ?? 0, 6)),
        ...(loads === null ? [] : [quantity(`loads.${t}`, loads[t] ?? 0, significant(loads[t] ?? 0, 6))]),
        { names, most: MOST, none: "" },
      ],
    })),
  };
}
