import type { Rational } from "../../src/exact/rational.js";
import { type AggregatedNeeds, aggregatedCostUnit, aggregatedNeeds } from "./aggregated-program.js";
import { pooledMemory } from "./aggregated-relaxation.js";
import { allowedDevices } from "./constraints.js";
import { isPlaceable } from "./option-columns.js";
import { deviceCount, type PlacementProblem } from "./problem.js";
import { type Restriction, withFewerOptions } from "./restriction.js";

/** Whether the largest cost is all that a problem minimises, over tables that may go anywhere: what a ceiling is about. */
export function canHaveCeiling({ goal, stay, stages, thenMinimize, setCost }: PlacementProblem): boolean {
  const isOneGoal = goal !== "phases" && stages === undefined && thenMinimize === undefined;
  return isOneGoal && stay === undefined && setCost === undefined;
}

/**
 * The problem without the options that no placement with a largest cost of at most `ceiling` takes: bounds of the columns of the
 * aggregated program with z ≤ ceiling, propagated to a fixed point. Every placement within the ceiling is one of this problem, so
 * that a bound of it is one of the whole, for whoever has a placement within the ceiling. README.md beside this file has the proof.
 *
 * `null` where a table has no option left: no placement is within the ceiling. Throws `RangeError` where the problem is of
 * more than the largest cost.
 */
export function belowCeiling(problem: PlacementProblem, ceiling: Rational): Restriction | null {
  if (!canHaveCeiling(problem)) {
    throw new RangeError("a ceiling is of the largest device cost alone, without phases, other goals or limited moves");
  }
  const { unit, unitsOf } = aggregatedCostUnit(problem);
  const most = ceiling.divide(unit).floor();
  const devices = deviceCount(problem);
  const needs = problem.tables.map((table) => {
    const allowed = allowedDevices(problem, table);
    return table.options.map((option) =>
      isPlaceable(problem, option, allowed) ? aggregatedNeeds(problem, option, unitsOf) : null,
    );
  });
  const open = needs.map((own) => own.map((need) => need !== null && need.least + need.peak <= most));
  const pool = pooledMemory(problem);
  const memories = (["hbm", "host", "ssd"] as const).filter((name) => Number.isFinite(pool[name]));
  const rows: readonly Row[] = [
    { read: ({ cost }) => cost, most: BigInt(devices) * most },
    ...memories.map((name) => ({ read: (need: AggregatedNeeds) => need[name], most: BigInt(Math.floor(pool[name])) })),
  ];
  while (open.every((own) => own.includes(true)) && dropOnce(needs, open, rows, most));
  return open.every((own) => own.includes(true)) ? withFewerOptions(problem, open) : null;
}

type Needs = readonly (readonly (AggregatedNeeds | null)[])[];

/** Σ over the tables of what is read of their options is at most this. */
interface Row {
  readonly read: (need: AggregatedNeeds) => bigint;
  readonly most: bigint;
}

/** One look at all options; whether some fell. */
function dropOnce(needs: Needs, open: boolean[][], rows: readonly Row[], most: bigint): boolean {
  const leastOf = (read: Row["read"]) =>
    needs.map((own, t) =>
      own.reduce<bigint | null>((least, need, o) => {
        if (need === null || !open[t]?.[o]) return least;
        return least === null || read(need) < least ? read(need) : least;
      }, null),
    ) as bigint[];
  const sums = rows.map((row) => ({ ...row, ...withSum(leastOf(row.read)) }));
  const base = withSum(leastOf(({ least }) => least));
  let hasFallen = false;
  needs.forEach((own, t) => {
    own.forEach((need, o) => {
      if (need === null || !open[t]?.[o]) return;
      const isOver = sums.some(({ read, most: limit, sum, least }) => sum - (least[t] as bigint) + read(need) > limit);
      // The device with the largest shard has what all devices have beside it.
      const isDear = base.sum - (base.least[t] as bigint) + need.least + need.peak > most;
      if (!isOver && !isDear) return;
      (open[t] as boolean[])[o] = false;
      hasFallen = true;
    });
  });
  return hasFallen;
}

function withSum(least: readonly bigint[]): { readonly least: readonly bigint[]; readonly sum: bigint } {
  return { least, sum: least.reduce((sum, one) => sum + one, 0n) };
}
