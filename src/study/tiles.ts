import type { Tile } from "../facts/tiles.js";
import { EXACT_METHOD } from "../plan-file/method-names.js";
import { methodName } from "../text/optimality.js";
import { aboveText, count, percent } from "../text/units.js";
import { leadOf, type MethodPair } from "./pairs.js";
import { isShown, type MethodSummary } from "./summary.js";

/** What a study comes to for one problem, in large type: how much is proved, and which other method is nearest to it. */
export function studyTiles(methods: readonly MethodSummary[], pairs: readonly MethodPair[] = []): readonly Tile[] {
  const exact = methods.find(({ method }) => method === EXACT_METHOD);
  const others = methods.filter((one) => one.method !== EXACT_METHOD && isShown(one) && one.applicable > 0);
  return [...(exact === undefined ? [] : [provedTile(exact)]), ...oftenTile(others), ...nearestTiles(others, pairs)];
}

function provedTile({ optimal, applicable }: MethodSummary): Tile {
  const isAll = optimal === applicable && applicable > 0;
  return {
    name: "proved optima",
    value: `${count(optimal)} of ${count(applicable)}`,
    beside: isAll ? "each proof checked again" : "of the others, plans and bounds",
    ...(isAll ? { mark: "good" as const } : {}),
  };
}

/** The method that is most often at the proved bound. */
function oftenTile(methods: readonly MethodSummary[]): readonly Tile[] {
  const most = best(methods, (one) => [-one.optimal]);
  if (most === null || most.optimal === 0) return [];
  const beside = `of ${methodName(most.method)}'s instances: no other is optimal as often`;
  return [{ name: "a heuristic is optimal on", value: percent(most.optimal / most.applicable), beside }];
}

/**
 * The method that finds plans for most instances; of those that find as many the one that is nearer to the bound than most others,
 * two at a time, and then the nearest in the mean.
 */
function nearestTiles(methods: readonly MethodSummary[], pairs: readonly MethodPair[]): readonly Tile[] {
  const bounded = methods.filter(({ gaps }) => gaps !== null);
  const nearest = best(bounded, ({ method, plans, gaps }) => [-plans, -leadOf(method, pairs), gaps?.mean ?? 0]);
  if (nearest === null || nearest.gaps === null) return [];
  const { mean, worst } = nearest.gaps;
  const found = `plans for ${count(nearest.plans)} of ${count(nearest.applicable)}`;
  return [
    {
      name: "the nearest heuristic, mean",
      value: mean > 9 ? aboveText(mean) : `+${percent(mean)}`,
      beside: `${methodName(nearest.method)}, ${found}`,
    },
    {
      name: "at worst",
      value: worst > 9 ? aboveText(worst) : `+${percent(worst)}`,
      beside: "of the same, above the proved bound",
    },
  ];
}

/** The first by its keys, least first. */
function best(
  methods: readonly MethodSummary[],
  keysOf: (one: MethodSummary) => readonly number[],
): MethodSummary | null {
  const [first = null] = [...methods].sort((a, b) => {
    const other = keysOf(b);
    return keysOf(a).reduce((order, key, k) => order || key - (other[k] as number), 0);
  });
  return first;
}
