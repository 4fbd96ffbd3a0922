import { count } from "../../../text/units.js";
import type { TowerPartitionInstance } from "../instance/instance.js";

/** What a page says of an instance in its own terms: its size, and what it asks for. */
export function towerFacts({ features, towers, load }: TowerPartitionInstance): [string, string][] {
  const ratio = load?.ratio ?? null;
  return [
    ["features", `${count(features.length)} in ${count(towers)} towers`],
    ...(load === null
      ? []
      : [["loads", ratio === null ? "told, not limited" : `at most ${ratio} times the mean`] as [string, string]]),
  ];
}
