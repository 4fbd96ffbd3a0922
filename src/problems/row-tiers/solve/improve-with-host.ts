import type { RowTiersModel } from "../../../../models/row-tiers/build.js";
import { Rational } from "../../../exact/rational.js";
import type { Interval } from "../../../program/ladder/interval.js";
import { type Ladder, unitClassCount } from "../../../program/ladder/ladder.js";
import type { LadderBound } from "../../../proof/kernel/ladder/bound.js";
import { decidedIntervals } from "../../../proof/kernel/ladder/fix.js";
import type { LadderNode } from "../../../proof/kernel/ladder/node.js";
import type { LadderDual } from "../../../search/class-knapsack/dual.js";
import type { BestPoint } from "../../../search/class-knapsack/incumbent.js";
import { pointOf } from "../../../search/multiple-choice/choice-problem.js";
import { solveRelaxation } from "../../../solvers/highs-relaxation.js";
import { OpenPart } from "./open-part.js";
import { exchanged, rounded, twoCapacities } from "./two-capacities.js";

/** Classes whose units may move. */
const MAX_CLASSES = 300;

/** What a move may cost, as a share of the bound, is halved this often until few enough classes are open. */
const MAX_HALVINGS = 100;

/** Moves of each kind that are combined, a few first and then many. */
const MOVES = [60, 300];

/**
 * Looks for a better plan under two capacities, memory and host memory: a linear program over the classes in which
 * moving a unit to another tier costs least says how many are where; the whole numbers nearest to that are too much for
 * one capacity or leave some of the other, and further moves of few units make up for both.
 */
export async function improveWithHost(
  model: RowTiersModel,
  node: LadderNode,
  dual: Extract<LadderDual, { kind: "solved" }>,
  best: BestPoint,
  reached: () => boolean,
): Promise<void> {
  const { ladder, structure } = model;
  const { hostRow } = structure;
  if (hostRow === null) return;
  const decided = besidesCheapMoves(ladder, node, dual.bound);
  if (decided === null) return;
  const open = new OpenPart(model, node, decided, best);
  const { part, space, roles, incumbent } = open;
  const multipliers = new Map([...dual.multipliers].map(([row, value]) => [part.classes.length + row, value]));
  const capacities = twoCapacities(ladder, space, { ...roles, hostRow: part.classes.length + hostRow }, multipliers);
  const { columns } = capacities.problem;
  const relaxed = (await solveRelaxation(part.program))?.point ?? null;
  if (relaxed === null) return;
  const offer = (filling: Float64Array): boolean => {
    if (!incumbent.offer(space.expand(pointOf(capacities.problem, space.box, filling)))) return false;
    open.offerWhole();
    return true;
  };
  const filling = rounded(
    capacities.problem,
    Float64Array.from(columns, (column) => relaxed[space.view.columns[column] as number] as number),
  );
  offer(filling);
  for (const mostMoves of MOVES) {
    if (reached()) return;
    // Best first: what comes after one that was taken is no better.
    exchanged(capacities, filling, mostMoves).find(offer);
  }
}

/** All but the classes in which moving a unit to another tier costs least; `null` where too many cost nothing. */
function besidesCheapMoves(ladder: Ladder, node: LadderNode, found: LadderBound): readonly Interval[] | null {
  const { bound } = found;
  if (bound === null) return null;
  const classes = unitClassCount(ladder);
  let share = Rational.of(1n, 4n);
  for (let halving = 0; halving < MAX_HALVINGS; halving++) {
    const cutoff = bound.add(bound.absolute().multiply(share));
    const decided = decidedIntervals(ladder, node, found, cutoff);
    const open = decided.reduce((sum, { from, to }) => sum - (to - from), classes);
    if (open <= MAX_CLASSES) return decided;
    share = share.divide(Rational.of(2n));
  }
  return null;
}
