import type { GoalProgram } from "../../../../../models/table-placement/goal-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { type Generated, generate } from "./device-generation.js";
import { deviceModel } from "./device-model.js";
import { deviceProof } from "./device-proof.js";
import { relaxedWorths } from "./device-relaxation.js";
import { withoutHeavyOptions } from "./heavy-options.js";

/** What the value of a known placement is in the doubles of the search. */
const KNOWN = 1000;

/** How far above the linear relaxation, and what was reached, the fewest bytes are looked for. */
const ABOVE_RELAXATION = 3;
const FURTHER = Rational.parse("3/2");

/** A bound that comes so near to the limit was held back by it, or will be. */
const NEARLY = 0.95;

/** What generation came to below a limit. */
export interface DeviceRoot {
  readonly generated: Generated;
  /** What patterns were priced in. */
  readonly scale: number;
  /** Placements below this are what it is of. */
  readonly cutoff: Rational;
}

export interface DeviceBoundOptions {
  /** Placements are to be better than this. */
  readonly cutoff: Rational;
  /** It ends where so small a share of the bound is all that may be gained. */
  readonly precision: number;
  readonly shouldStop: ShouldStop;
  /** What was reached below a higher limit. */
  readonly from?: DeviceRoot;
}

/**
 * The bound of what every device may hold at all: patterns of whole shards within its cost and memory, column generation with
 * exact pricing (Dantzig and Wolfe 1960; of generalised assignment Savelsbergh 1997), among the placements better than `cutoff`,
 * or than a lower limit that it does not come near. `null` where there is none.
 */
export async function deviceBound(
  problem: PlacementProblem,
  built: GoalProgram,
  { cutoff, precision, shouldStop, from }: DeviceBoundOptions,
): Promise<DeviceRoot | null> {
  if (built.blocks === null || built.blocks.capRows.length === 0) return null;
  const { blocks, program } = built;
  let limit = from === undefined ? await firstLimit(problem, built, cutoff, shouldStop) : least(cutoff, from.cutoff);
  let known: DeviceRoot | null = from ?? null;
  for (let isOver = false; !isOver; limit = least(cutoff, limit.multiply(FURTHER))) {
    const reduced = withoutHeavyOptions(blocks, SearchSpace.of(program), limit);
    const model = reduced && deviceModel(problem, blocks, reduced.space);
    if (reduced === null || model === null) break;
    // One scale for all limits, so that weights of pricing stay good.
    const scale: number = known?.scale ?? limit.toNumber() / KNOWN;
    const constant = reduced.space.view.constant.toNumber();
    const isLast = limit.compare(cutoff) >= 0;
    const enough = isLast ? Number.POSITIVE_INFINITY : NEARLY * limit.toNumber();
    const how = { scale, constant, shouldStop, enough, precision };
    const generated = await generate(model, known === null ? how : { ...how, from: known.generated });
    if (generated === null) break;
    // What was stopped soon may be worth less than what was known below a lower limit.
    if (known === null || generated.value > known.generated.value) known = { generated, scale, cutoff: limit };
    isOver = isLast || generated.value < enough || shouldStop();
  }
  return known;
}

/** The bound proved; `null` where nothing is. */
export function provedDeviceBound(
  problem: PlacementProblem,
  { blocks, program }: GoalProgram,
  { generated, scale, cutoff }: DeviceRoot,
): BoundProof | null {
  if (blocks === null) return null;
  const reducedTo = (value: Rational) => withoutHeavyOptions(blocks, SearchSpace.of(program), value);
  const proof = deviceProof({ problem, blocks, ...generated, scale, cutoff, reducedTo });
  return proof === null || proof.claim === null ? null : proof;
}

/**
 * A value that the fewest bytes are likely to be below: below a poor placement's much would be left that a good one has not. A
 * bound that comes near it asks for more.
 */
async function firstLimit(
  problem: PlacementProblem,
  { blocks, program }: GoalProgram,
  cutoff: Rational,
  shouldStop: ShouldStop,
): Promise<Rational> {
  const space = SearchSpace.of(program);
  const model = blocks && deviceModel(problem, blocks, space);
  const scale = cutoff.toNumber() / KNOWN;
  const relaxed = model && (await relaxedWorths(model, scale));
  if (relaxed === null) return cutoff;
  shouldStop(UNITS.iteration * relaxed.work);
  const value = Math.floor(ABOVE_RELAXATION * relaxed.value * scale);
  return value > 0 ? least(cutoff, Rational.fromNumber(value)) : cutoff;
}

function least(a: Rational, b: Rational): Rational {
  return a.compare(b) < 0 ? a : b;
}
