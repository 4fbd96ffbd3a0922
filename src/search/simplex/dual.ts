import type { ShouldStop } from "../work.js";
import { type Basis, FEASIBLE } from "./basis.js";
import type { Ended } from "./primal.js";

/** A row's entry below this is no pivot. */
const PIVOT = 1e-7;

/** The pivot by its row and by its column are this near to one another. */
const AGREEMENT = 1e-6;

/** Pivots in a row that move no price, after which costs are moved. */
const STALLED = 30;

/**
 * The dual simplex from a basis whose reduced costs are not below zero, to one whose values are not: rows leave by dual devex
 * weights, columns enter by Harris's two-pass ratio test. Where pivots come to move no price, costs are moved a little; the
 * caller moves them back.
 */
export function dual(basis: Basis, shouldStop: ShouldStop): Ended {
  const m = basis.heads.length;
  const direction = new Float64Array(m);
  const row = new Float64Array(m);
  const slopes = new Float64Array(basis.reduced.length);
  /** By column: those that are basic have one that counts. */
  const weights = new Float64Array(basis.reduced.length).fill(1);
  let isFresh = false;
  let stalled = 0;
  while (!shouldStop()) {
    const slot = leaving(basis, weights);
    if (slot === -1) {
      if (isFresh) return "done";
      basis.renew();
      basis.moveCosts();
      isFresh = true;
      continue;
    }
    basis.rowOf(slot, row);
    const isBelow = (basis.values[slot] as number) < 0;
    const entering = enteringOf(basis, row, isBelow ? -1 : 1, slopes);
    if (entering === -1) {
      if (isFresh || basis.factors.replaced === 0) return "none";
      basis.refresh();
      basis.moveCosts();
      isFresh = true;
      continue;
    }
    basis.directionOf(entering, direction);
    const pivot = direction[slot] as number;
    if (!(Math.abs(pivot - (slopes[entering] as number)) <= AGREEMENT * (1 + Math.abs(pivot)))) {
      if (isFresh || basis.factors.replaced === 0) return "lost";
      basis.refresh();
      basis.moveCosts();
      isFresh = true;
      continue;
    }
    isFresh = false;
    const left = basis.heads[slot] as number;
    const rate = (basis.reduced[entering] as number) / pivot;
    reprice(basis, slopes, rate);
    basis.reduced[entering] = 0;
    basis.reduced[left] = -rate;
    reweigh(basis, weights, direction, slot, entering);
    if (basis.pivot(slot, entering, direction, (basis.values[slot] as number) / pivot)) basis.moveCosts();
    stalled = Math.abs(rate) > 1e-12 ? 0 : stalled + 1;
    if (stalled > STALLED) {
      basis.moveCosts(true);
      stalled = 0;
    }
  }
  return "stopped";
}

/** The slot farthest from feasible, by the weights; −1 where all are. */
function leaving({ values, heads, program }: Basis, weights: Float64Array): number {
  let at = -1;
  let most = 0;
  for (let slot = 0; slot < values.length; slot++) {
    const value = values[slot] as number;
    const column = heads[slot] as number;
    if (value >= -FEASIBLE && (value <= FEASIBLE || program.isFixed[column] === 0)) continue;
    const merit = (value * value) / (weights[column] as number);
    if (merit <= most) continue;
    most = merit;
    at = slot;
  }
  return at;
}

/**
 * The column whose reduced cost comes to zero first when a row's column leaves; of those within reach of the first, the one of
 * the largest pivot. `sign`: that of the entries that help. Fills `slopes`, the row's entry of each column.
 */
function enteringOf(
  { program, working, reduced, slotOf, tolerance }: Basis,
  row: Float64Array,
  sign: 1 | -1,
  slopes: Float64Array,
): number {
  const { starts, ends, indices, values } = program.columns;
  let reach = Number.POSITIVE_INFINITY;
  for (let k = 0; k < working.length; k++) {
    const column = working[k] as number;
    slopes[column] = 0;
    if ((slotOf[column] as number) >= 0) continue;
    let slope = 0;
    for (let e = starts[column] as number, end = ends[column] as number; e < end; e++) {
      slope += (row[indices[e] as number] as number) * (values[e] as number);
    }
    slopes[column] = slope;
    const size = sign * slope;
    if (size <= PIVOT) continue;
    const limit = (Math.max(0, reduced[column] as number) + tolerance) / size;
    if (limit < reach) reach = limit;
  }
  let at = -1;
  let largest = 0;
  for (let k = 0; k < working.length; k++) {
    const column = working[k] as number;
    const size = sign * (slopes[column] as number);
    if (size <= PIVOT || size <= largest || (reduced[column] as number) > reach * size) continue;
    largest = size;
    at = column;
  }
  return at;
}

function reprice({ working, reduced }: Basis, slopes: Float64Array, rate: number): void {
  if (rate === 0) return;
  for (let k = 0; k < working.length; k++) {
    const column = working[k] as number;
    const slope = slopes[column] as number;
    if (slope !== 0) reduced[column] = (reduced[column] as number) - rate * slope;
  }
}

function reweigh(
  { heads }: Basis,
  weights: Float64Array,
  direction: Float64Array,
  slot: number,
  entering: number,
): void {
  const pivot = direction[slot] as number;
  const weight = weights[heads[slot] as number] as number;
  for (let other = 0; other < direction.length; other++) {
    const slope = direction[other] as number;
    if (slope === 0 || other === slot) continue;
    const heavier = (slope / pivot) ** 2 * weight;
    const column = heads[other] as number;
    if (heavier > (weights[column] as number)) weights[column] = heavier;
  }
  weights[entering] = Math.max(weight / (pivot * pivot), 1);
}
