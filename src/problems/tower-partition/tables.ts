import { left, type PlanTable, right, tableOf } from "../../facts/plan-table.js";
import { only, quantity } from "../../text/said.js";
import { significant } from "../../text/units.js";
import type { TowerPartitionPlan } from "./plan-file/plan-file.js";

/** Of the names of a tower's features: a page has them all. */
const MOST = { characters: 70, entries: Number.POSITIVE_INFINITY };

/** Every tower: how many features, what they add to the objective, what they carry, their names. */
export function towerTable({ towers, sizes, towerCosts, loads }: TowerPartitionPlan): PlanTable {
  const at = (path: string, t: number, value: number | undefined, text: (value: number) => string) =>
    quantity(`${path}.${t}`, value ?? 0, text(value ?? 0));
  return tableOf("The towers", towers ?? [], [
    right("tower", (_, t) => String(t)),
    right("features", (_, t) => at("sizes", t, sizes?.[t], String)),
    right("cost", (_, t) => at("towerCosts", t, towerCosts?.[t], (cost) => significant(cost, 6))),
    loads === null ? null : right("load", (_, t) => at("loads", t, loads[t], (load) => significant(load, 6))),
    left(only("page", "holds"), (names) => ({ names, most: MOST, none: "" })),
  ]);
}
