import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { Random } from "../../../../exact/random.js";

/** No number from the stream is taken for zero. */
const LEAST = 2 ** -33;

/**
 * So many tables, the likelier the more of cost and memory they take in a placement, times `interest` in each: exchanging those
 * changes most (drawn without replacement by weight: Efraimidis and Spirakis 2006).
 */
export function drawnTables(
  { tables, hbmBytes }: PlacementProblem,
  { choices }: Placement,
  count: number,
  random: Random,
  interest: (table: number) => number = () => 1,
): ReadonlySet<number> {
  const shards = tables.map(({ options }, t) => options[choices[t]?.option as number]?.shards ?? []);
  const costs = shards.map((own) => own.reduce((sum, { cost }) => sum + cost, 0));
  const bytes = shards.map((own) => own.reduce((sum, need) => sum + need.hbmBytes, 0));
  const allCost = costs.reduce((sum, cost) => sum + cost, 0) || 1;
  const allBytes = hbmBytes.reduce((sum, own) => sum + own, 0) || 1;
  const keys = shards.map((_, t) => {
    const weight = (costs[t] as number) / allCost + (bytes[t] as number) / allBytes;
    return { t, key: Math.log(random.next() + LEAST) / (weight * interest(t)) };
  });
  keys.sort((a, b) => b.key - a.key || a.t - b.t);
  return new Set(keys.slice(0, count).map(({ t }) => t));
}
