import { deviceCount } from "../../../../models/table-placement/problem.js";
import { greedyItem } from "./greedy.js";
import { greedyHomes } from "./greedy-homes.js";
import { partOfWhole, underSetCost } from "./learned.js";
import { wholePlacement, wholeTables } from "./whole-tables.js";

/**
 * predicted-greedy: tables from the largest predicted single-table cost down, each to the device whose predicted cost for all
 * its tables is smallest so far. It is the inner loop of NeuroShard's search (Zha et al., MLSys 2023, public code), whole
 * tables alone and without its limit on dimensions.
 */
export const predictedGreedy = underSetCost((problem, setCost, context) => {
  const whole = wholeTables(problem, context);
  if (whole.kind !== "tables") return whole;
  const { tables } = whole;
  const here: number[][] = Array.from({ length: deviceCount(problem) }, () => []);
  const items = tables.map((table) => greedyItem(table, table.need.cost));
  const placed = greedyHomes(problem, items, {
    loadWith: (device, t) => {
      const parts = here[device] as number[];
      parts.push(partOfWhole(setCost, tables[t] as (typeof tables)[number], t));
      return setCost.costOfSet(parts);
    },
  });
  return placed.kind === "none" ? placed : { kind: "plan", placement: wholePlacement(tables, placed.homes) };
});
