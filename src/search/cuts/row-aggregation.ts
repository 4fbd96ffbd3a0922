import type { DoubleProgram, DoubleRow } from "./linear-program.js";
import {
  type Aggregate,
  aggregate,
  depthOf,
  type Proposal,
  type RowWeights,
  roundAggregate,
} from "./mixed-integer-rounding.js";

/** Rows added up at most, divisors tried at most, of a sum. */
const MAX_ROWS = 6;
const MAX_DIVISORS = 8;

/** How far from its bounds a column is between them. */
const BETWEEN = 1e-6;

/**
 * Mixed-integer rounding of sums of few rows (Marchand and Wolsey 2001): from each row on, the continuous column that is
 * farthest from its bounds is taken out by another row with it. Where they end with the first sum that cuts the point off, longer
 * ones are tried too: they may cut deeper.
 */
export function* aggregatedRoundings(
  program: DoubleProgram,
  minEfficacy: number,
  isOver: () => boolean,
): Generator<Proposal> {
  for (const start of program.rows.keys()) {
    if (isOver()) return;
    let weights: RowWeights = new Map([[start, 1]]);
    for (let length = 1; ; length++) {
      const sum = aggregate(program, weights);
      if (sum === null) break;
      const bounded = withVariableBounds(program, sum, weights);
      const boundedSum = bounded === null ? null : aggregate(program, bounded);
      for (const each of [sum, boundedSum]) {
        const rounding = each && bestRounding(program, each, minEfficacy);
        if (rounding !== null) yield rounding;
      }
      if (length === MAX_ROWS) break;
      const longer = withoutContinuous(program, sum, weights);
      if (longer === null) break;
      weights = longer;
    }
  }
}

/** The deepest rounding of a sum over a few divisors: coefficients of integers between their bounds, then parts of the best. */
function bestRounding(program: DoubleProgram, sum: Aggregate, minEfficacy: number): Proposal | null {
  const divisors = new Set<number>();
  for (let k = 0; k < sum.open && divisors.size < MAX_DIVISORS; k++) {
    if ((sum.members[k] as number) < 0 || sum.integers[k] !== true || (sum.values[k] as number) <= BETWEEN) continue;
    divisors.add(Math.abs(sum.coefficients[k] as number));
  }
  let deepest = 0;
  let best = 0;
  const attempt = (divisor: number) => {
    const depth = depthOf(sum, divisor);
    if (depth > deepest) [deepest, best] = [depth, divisor];
  };
  for (const divisor of divisors) attempt(divisor);
  if (best === 0) return null;
  for (const part of [2, 4, 8].map((k) => best / k)) attempt(part);
  return roundAggregate(program, sum, best, minEfficacy);
}

/**
 * Weights with which continuous columns between their bounds are counted from variable bounds that are nearer; `null` where
 * there are none.
 */
function withVariableBounds(program: DoubleProgram, sum: Aggregate, weights: RowWeights): RowWeights | null {
  let more: Map<number, number> | null = null;
  for (const k of openContinuous(sum)) {
    const column = sum.members[k] as number;
    let best = -1;
    let nearest = sum.values[k] as number;
    for (const r of program.variableBoundsOf[column] as readonly number[]) {
      if (weights.has(r)) continue;
      const row = program.rows.get(r) as DoubleRow;
      const own = Math.abs(row.values[row.columns.indexOf(column)] as number);
      const distance = Math.min(row.activity - row.lower, row.upper - row.activity) / own;
      if (distance < nearest) [best, nearest] = [r, distance];
    }
    if (best === -1) continue;
    more ??= new Map(weights);
    more.set(best, weightAgainst(program, sum, k, best));
  }
  return more;
}

/** Weights with which a continuous column between its bounds is gone from the sum; `null` where no row takes it out. */
function withoutContinuous(program: DoubleProgram, sum: Aggregate, weights: RowWeights): RowWeights | null {
  const share = (k: number) => (sum.values[k] as number) * Math.abs(sum.coefficients[k] as number);
  for (const k of openContinuous(sum).sort((a, b) => share(b) - share(a))) {
    let best = -1;
    let bestSlack = Number.POSITIVE_INFINITY;
    for (const r of program.rowsOf[sum.members[k] as number] as readonly number[]) {
      if (weights.has(r)) continue;
      const row = program.rows.get(r) as DoubleRow;
      const slack = Math.min(row.activity - row.lower, row.upper - row.activity) / row.size;
      if (slack < bestSlack) {
        best = r;
        bestSlack = slack;
      }
    }
    if (best === -1) continue;
    return new Map([...weights, [best, weightAgainst(program, sum, k, best)]]);
  }
  return null;
}

/** The terms of continuous columns between their bounds. */
function openContinuous({ members, integers, values, open }: Aggregate): number[] {
  const found: number[] = [];
  for (let k = 0; k < open; k++) {
    if ((members[k] as number) >= 0 && integers[k] !== true && (values[k] as number) > BETWEEN) found.push(k);
  }
  return found;
}

/** The weight of a row that takes a term's column out of a sum. */
function weightAgainst(program: DoubleProgram, sum: Aggregate, k: number, row: number): number {
  const { columns, values } = program.rows.get(row) as DoubleRow;
  const own = values[columns.indexOf(sum.members[k] as number)] as number;
  return (-(sum.signs[k] as number) * (sum.coefficients[k] as number)) / own;
}
