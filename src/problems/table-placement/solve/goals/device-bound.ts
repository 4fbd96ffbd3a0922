import type { GoalProgram } from "../../../../../models/table-placement/goal-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { DeviceMaster } from "./device-master.js";
import { type DeviceModel, deviceModel } from "./device-model.js";
import { DevicePricing } from "./device-pricing.js";
import { deviceProof } from "./device-proof.js";
import { relaxedWorths } from "./device-relaxation.js";
import { withoutHeavyOptions } from "./heavy-options.js";

/** What the value of a known placement is in the doubles of the search. */
const KNOWN = 1000;

/** How far above the linear relaxation, or what was reached, the fewest bytes are looked for. */
const FURTHER = Rational.of(3n);

/** A bound that comes so near to the limit was held back by it. */
const NEARLY = Rational.parse("99/100");

/** How near duals stay to the best known at first, and how that changes: by a step that gains as promised, and by one that loses. */
const FIRST_SHARE = 0.05;
const WIDER = 1.5;
const NARROWER = 0.6;
const AS_PROMISED = 0.3;
const MUCH_WORSE = 2;

/** Where nothing is left to gain near them, how much wider, until no interval limits. */
const WIDENED = 3;
const WIDEST = 1e6;

/** It ends where the master promises no more than this of the bound. */
const PRECISION = 5e-4;
const MAX_ROUNDS = 400;

/** What was proved, and what placing a shard is worth there. */
export interface DeviceBound {
  readonly proof: BoundProof;
  /** By row of the program. */
  readonly worths: ReadonlyMap<number, number>;
}

/**
 * The bound of what every device may hold at all: patterns of whole shards within its cost and memory, column generation with
 * exact pricing (Dantzig and Wolfe 1960; of generalised assignment Savelsbergh 1997), among the placements better than `cutoff`.
 * `null` where nothing is proved. Says what placing a shard is worth at it, too, by row of the program.
 */
export async function deviceBound(
  problem: PlacementProblem,
  built: GoalProgram,
  cutoff: Rational,
  shouldStop: ShouldStop,
): Promise<DeviceBound | null> {
  if (built.blocks === null || built.blocks.capRows.length === 0) return null;
  const { blocks, program } = built;
  const reducedTo = (value: Rational) => withoutHeavyOptions(blocks, SearchSpace.of(program), value);
  let limit = await firstLimit(problem, built, cutoff, shouldStop);
  for (let found: DeviceBound | null = null; ; limit = least(cutoff, limit.multiply(FURTHER))) {
    if (shouldStop()) return found;
    const reduced = reducedTo(limit);
    const model = reduced && deviceModel(problem, blocks, reduced.space);
    if (reduced === null || model === null) return found;
    const scale = limit.toNumber() / KNOWN;
    const worths = await generate(model, scale, reduced.space.view.constant.toNumber(), shouldStop);
    const next = worths && deviceProof({ problem, blocks, worths, scale, cutoff: limit, reducedTo });
    if (worths === null || next === null || next.claim === null) return found;
    found = { proof: next, worths };
    if (next.claim.compare(limit.multiply(NEARLY)) < 0 || limit.compare(cutoff) >= 0) return found;
  }
}

/**
 * A value that the fewest bytes are likely to be below: below a poor placement's much would be left that a good one has not. A
 * bound that reaches it says that there is nothing below it, and asks for more.
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
  const value = Math.floor(FURTHER.toNumber() * relaxed.value * scale);
  return value > 0 ? least(cutoff, Rational.fromNumber(value)) : cutoff;
}

function least(a: Rational, b: Rational): Rational {
  return a.compare(b) < 0 ? a : b;
}

/** What shards are worth at the best duals found, by row of the program, not scaled; `null` where HiGHS gives up. */
async function generate(
  model: DeviceModel,
  scale: number,
  constant: number,
  shouldStop: ShouldStop,
): Promise<Map<number, number> | null> {
  const relaxed = await relaxedWorths(model, scale);
  if (relaxed === null || shouldStop(UNITS.iteration * relaxed.work)) return null;
  const master = await DeviceMaster.open(model, scale);
  const pricing = new DevicePricing(model, scale, shouldStop);
  try {
    let centre = master.dualsNear(relaxed.worths);
    let best = Number.NEGATIVE_INFINITY;
    let share = FIRST_SHARE;
    const look = (duals: Float64Array) => {
      const { value, patterns } = pricing.at(master.worths(duals));
      const added = patterns.filter(({ device, parts }) => master.add(device, parts)).length;
      return { value: value + constant / scale, added };
    };
    const moveTo = (duals: Float64Array, value: number) => {
      [centre, best] = [duals, value];
    };
    moveTo(centre, look(centre).value);
    master.keepNear(centre, share);
    for (let round = 0; round < MAX_ROUNDS && !shouldStop(); round++) {
      const solved = master.solve();
      if (solved === null) break;
      if (shouldStop(UNITS.iteration * solved.iterations * master.columnCount)) break;
      const { value, added } = look(solved.duals);
      const [gain, promised] = [value - best, solved.value + constant / scale - best];
      if (added === 0 || promised < PRECISION * Math.abs(best)) {
        if (gain > 0) moveTo(solved.duals, value);
        if (solved.isFree || share > WIDEST) break;
        share *= WIDENED;
      } else if (gain > 0) {
        moveTo(solved.duals, value);
        if (gain > AS_PROMISED * promised) share *= WIDER;
      } else if (gain < -MUCH_WORSE * promised) share *= NARROWER;
      else continue;
      master.keepNear(centre, share);
    }
    const worths = master.worths(centre);
    return new Map(model.kinds.map(({ row }, kind) => [row, (worths[kind] as number) * scale]));
  } finally {
    master.dispose();
  }
}
