import { left, right, tableOf } from "../../../facts/plan-table.js";
import type { ComparedPair, Difference } from "../../../report/page-section.js";
import { count, some } from "../../../text/units.js";
import type { TowerPartitionPlan } from "../plan-file/plan-file.js";

/** Which features another partition has in other towers; towers have no order, so those that share most are one. */
export function towersDifference({ best, other, names }: ComparedPair<TowerPartitionPlan>): Difference {
  if (best.towers === null || other.towers === null) return { said: null, tables: [], charts: [] };
  const matched = matching(best.towers, other.towers);
  const home = new Map(other.towers.flatMap((features, t) => features.map((name) => [name, t] as const)));
  const moved = best.towers.flatMap((features, t) =>
    features.flatMap((name) => (home.get(name) === matched[t] ? [] : [{ name, from: t, to: home.get(name) ?? -1 }])),
  );
  const features = best.towers.reduce((sum, names) => sum + names.length, 0);
  const said = `${count(moved.length)} of ${some(features, "feature")} are in another tower in ${names[1]} than in ${names[0]}`;
  if (moved.length === 0) return { said, tables: [], charts: [] };
  const table = tableOf(
    said,
    moved,
    [
      left("feature", ({ name }) => name),
      right(`tower, ${names[0]}`, ({ from }) => String(from)),
      right(`tower, ${names[1]}`, ({ to }) => String(to)),
      left("together there with", ({ name, to }) => {
        const beside = (other.towers?.[to] ?? []).filter((each) => each !== name);
        return { names: beside, most: { characters: 70, entries: 12 }, none: "none" };
      }),
    ],
    ({ name }) => ({ about: name }),
  );
  return { said, tables: [{ ...table, leads: true }], charts: [] };
}

/** For each tower the other partition's that shares most features with it, each given out once. */
function matching(
  own: readonly (readonly string[])[],
  others: readonly (readonly string[])[],
): readonly (number | undefined)[] {
  const shared = own.flatMap((features, t) => {
    const set = new Set(features);
    return others.map((names, u) => ({ t, u, size: names.filter((name) => set.has(name)).length }));
  });
  shared.sort((a, b) => b.size - a.size || a.t - b.t || a.u - b.u);
  const of: (number | undefined)[] = own.map(() => undefined);
  const given = new Set<number>();
  for (const { t, u } of shared) {
    if (of[t] !== undefined || given.has(u)) continue;
    of[t] = u;
    given.add(u);
  }
  return of;
}
