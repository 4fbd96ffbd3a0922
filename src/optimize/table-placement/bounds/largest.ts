import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import { Rational } from "../../../exact/rational.js";
import type { Grain } from "../grain.js";
import type { PatternModel } from "../patterns/model.js";
import type { BoundProof } from "./bound-proof.js";
import { claimOfGrains, patternProof } from "./pattern-proof.js";

/**
 * The largest shard that some device must hold: of the table whose options all have a large one, the least of these. No
 * device of a smaller cost holds it, so that at prices of one for it no pattern is worth anything.
 */
export function largestBound(direct: DirectProgram, model: PatternModel, grain: Grain | null): BoundProof | null {
  let largest = 0;
  let orbits: readonly number[] = [];
  for (const options of model.tables) {
    const perOption = options.map((own) =>
      own.reduce(
        (best, r) => ((model.orbits[r]?.cost ?? 0) > (model.orbits[best]?.cost ?? 0) ? r : best),
        own[0] as number,
      ),
    );
    const least = Math.min(...perOption.map((r) => model.orbits[r]?.cost ?? 0));
    if (perOption.length === 0 || least <= largest) continue;
    largest = least;
    orbits = perOption;
  }
  if (largest === 0) return null;
  const argument = {
    prices: model.orbits.map((_, r) => (orbits.includes(r) ? 1 : 0)),
    most: model.classes.map(() => 0),
    weights: model.classes.map(() => []),
  };
  const claim =
    grain === null ? Rational.fromNumber(largest) : claimOfGrains(grain, grain.wholes.get(largest) as bigint);
  return patternProof(direct, model, argument, claim, grain);
}
