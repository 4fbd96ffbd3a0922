import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { OptionDemand } from "../../../../../models/table-placement/pattern-demand.js";
import type { PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import type { Grain } from "../cost-granularity.js";
import type { BoundProof } from "./bound-proof.js";
import { claimOfGrains, patternProof } from "./pattern-proof.js";

/**
 * The largest shard that some device must hold: of the table whose options all have a large one, the least of these. No
 * device of a smaller cost holds it, so that at prices of one for it no pattern is worth anything.
 */
export function largestBound(
  _problem: PlacementProblem,
  direct: DirectProgram,
  model: PatternModel,
  grain: Grain | null,
): BoundProof | null {
  const costOf = (orbit: number) => model.orbits[orbit]?.cost ?? 0;
  let largest = 0;
  let dear: readonly number[] = [];
  for (const options of model.tables) {
    if (options.length === 0) continue;
    const perOption = options.map(orbitsOf);
    const least = Math.min(...perOption.map((own) => Math.max(...own.map(costOf))));
    if (least <= largest) continue;
    largest = least;
    dear = perOption.flat().filter((orbit) => costOf(orbit) >= least);
  }
  if (largest === 0) return null;
  const argument = {
    prices: model.orbits.map((_, r) => (dear.includes(r) ? 1 : 0)),
    most: model.classes.map(() => 0),
    weights: model.classes.map(() => []),
  };
  const claim =
    grain === null ? Rational.fromNumber(largest) : claimOfGrains(grain, grain.wholes.get(largest) as bigint);
  return patternProof(direct, model, argument, claim, grain);
}

function orbitsOf({ direct, groups }: OptionDemand): number[] {
  return [direct, ...groups.flatMap(({ ways }) => ways)].flatMap((demands) => demands.map(([orbit]) => orbit));
}
