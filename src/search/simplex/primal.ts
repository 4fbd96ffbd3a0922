import type { ShouldStop } from "../work.js";
import type { Basis } from "./basis.js";

/**
 * What a phase ends with: `done` at its aim; `none` where there is no such thing (no least value; no feasible point); `lost`
 * where rounding errors took it out of what it needs; `stopped`.
 */
export type Ended = "done" | "none" | "lost" | "stopped";

/** A direction's entry below this is no pivot. */
const PIVOT = 1e-7;

/** Values may be below zero by this, for the sake of a larger pivot. */
const SLACK = 1e-9;

/** Pivots in a row that move nothing, after which right-hand sides are moved. */
const STALLED = 30;

/** A devex weight above this: the weights begin anew. */
const HEAVIEST = 1e7;

/**
 * The primal simplex from a feasible basis: columns enter by devex prices (Harris, Mathematical Programming 5, 1973), kept up
 * with a row of the tableau for each pivot, and leave by Harris's two-pass ratio test. Where pivots come to move nothing,
 * right-hand sides are moved a little, if `mayMove`; the caller moves them back.
 */
export function primal(basis: Basis, shouldStop: ShouldStop, mayMove: boolean): Ended {
  const m = basis.heads.length;
  const direction = new Float64Array(m);
  const row = new Float64Array(m);
  const weights = new Float64Array(basis.reduced.length).fill(1);
  let isFresh = false;
  let stalled = 0;
  let entering = best(basis, weights);
  while (!shouldStop()) {
    if (entering === -1) {
      if (isFresh) return "done";
      basis.renew();
      if (!basis.isFeasible) return "lost";
      isFresh = true;
      entering = best(basis, weights);
      continue;
    }
    basis.directionOf(entering, direction);
    const reduced = reducedBy(basis, entering, direction);
    if (reduced >= -basis.tolerance) {
      basis.reduced[entering] = reduced;
      entering = best(basis, weights);
      continue;
    }
    const slot = leaving(basis, direction);
    if (slot === -1) {
      if (isFresh || basis.factors.replaced === 0) return "none";
      basis.refresh();
      if (!basis.isFeasible) return "lost";
      isFresh = true;
      entering = best(basis, weights);
      continue;
    }
    const pivot = direction[slot] as number;
    const step = Math.max(0, (basis.values[slot] as number) / pivot);
    basis.rowOf(slot, row);
    const left = basis.heads[slot] as number;
    basis.reduced[entering] = 0;
    basis.reduced[left] = -reduced / pivot;
    const weight = weights[entering] as number;
    weights[left] = Math.max(weight / (pivot * pivot), 1);
    if (basis.pivot(slot, entering, direction, step)) {
      if (!basis.isFeasible) return "lost";
      entering = best(basis, weights);
      isFresh = false;
      continue;
    }
    isFresh = false;
    if (weight > HEAVIEST) weights.fill(1);
    entering = update(basis, row, reduced / pivot, weight / (pivot * pivot), weights, left);
    stalled = step > 1e-12 ? 0 : stalled + 1;
    if (stalled > STALLED && mayMove) {
      basis.moveSides();
      stalled = 0;
    }
  }
  return "stopped";
}

/** The column of the steepest descent, by the weights; −1 where none descends. */
function best({ working, reduced, tolerance, slotOf }: Basis, weights: Float64Array): number {
  let at = -1;
  let most = 0;
  for (let k = 0; k < working.length; k++) {
    const column = working[k] as number;
    const cost = reduced[column] as number;
    if (cost >= -tolerance || (slotOf[column] as number) >= 0) continue;
    const merit = (cost * cost) / (weights[column] as number);
    if (merit <= most) continue;
    most = merit;
    at = column;
  }
  return at;
}

/** The reduced cost of a column, from its direction: nearer to the truth than what many pivots have left. */
function reducedBy({ costs, heads }: Basis, column: number, direction: Float64Array): number {
  let reduced = costs[column] as number;
  for (let slot = 0; slot < heads.length; slot++) {
    const slope = direction[slot] as number;
    if (slope !== 0) reduced -= slope * (costs[heads[slot] as number] as number);
  }
  return reduced;
}

/** The slot that limits a step: of those within reach of the tightest, the one of the largest pivot. −1: nothing does. */
function leaving({ values, heads, program }: Basis, direction: Float64Array): number {
  const { isFixed } = program;
  let reach = Number.POSITIVE_INFINITY;
  for (let slot = 0; slot < direction.length; slot++) {
    const slope = direction[slot] as number;
    if (slope > PIVOT) reach = Math.min(reach, (Math.max(0, values[slot] as number) + SLACK) / slope);
    else if (slope < -PIVOT && isFixed[heads[slot] as number] === 1) reach = Math.min(reach, SLACK / -slope);
  }
  let at = -1;
  let largest = 0;
  for (let slot = 0; slot < direction.length; slot++) {
    const slope = direction[slot] as number;
    const size = Math.abs(slope);
    if (size <= PIVOT || size <= largest) continue;
    if (slope < 0 && isFixed[heads[slot] as number] === 0) continue;
    if (slope > 0 && (values[slot] as number) > reach * slope) continue;
    largest = size;
    at = slot;
  }
  return at;
}

/** Brings reduced costs and weights up to date with a row of B⁻¹ before the pivot; the next column to enter. */
function update(
  { program, working, reduced, tolerance, slotOf }: Basis,
  row: Float64Array,
  rate: number,
  weight: number,
  weights: Float64Array,
  left: number,
): number {
  const { starts, ends, indices, values } = program.columns;
  let at = -1;
  let most = 0;
  for (let k = 0; k < working.length; k++) {
    const column = working[k] as number;
    if ((slotOf[column] as number) >= 0 || column === left) continue;
    let slope = 0;
    for (let e = starts[column] as number, end = ends[column] as number; e < end; e++) {
      slope += (row[indices[e] as number] as number) * (values[e] as number);
    }
    let cost = reduced[column] as number;
    if (slope !== 0) {
      cost -= rate * slope;
      reduced[column] = cost;
      const heavier = slope * slope * weight;
      if (heavier > (weights[column] as number)) weights[column] = heavier;
    }
    if (cost >= -tolerance) continue;
    const merit = (cost * cost) / (weights[column] as number);
    if (merit <= most) continue;
    most = merit;
    at = column;
  }
  return at;
}
