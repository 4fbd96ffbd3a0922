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

/**
 * Mixed-integer rounding of sums of few rows (Marchand and Wolsey 2001): from each row on, the continuous column that is
 * farthest from its bounds is taken out by another row with it, as long as no rounding of the sum cuts the point off.
 */
export function* aggregatedRoundings(program: DoubleProgram, minEfficacy: number): Generator<Proposal> {
  for (const start of program.rows.keys()) {
    let weights: RowWeights = new Map([[start, 1]]);
    for (let length = 1; ; length++) {
      const sum = aggregate(program, weights);
      if (sum === null) break;
      const bounded = withVariableBounds(program, sum, weights);
      const boundedSum = bounded === null ? null : aggregate(program, bounded);
      let isCut = false;
      for (const each of [sum, boundedSum]) {
        const rounding = each && bestRounding(program, each, minEfficacy);
        if (rounding === null) continue;
        yield rounding;
        isCut = true;
      }
      if (isCut) break;
      if (length === MAX_ROWS) break;
      const longer = withoutContinuous(program, sum, weights);
      if (longer === null) break;
      weights = longer;
    }
  }
}

/** The deepest rounding of a sum over a few divisors: coefficients of integers between their bounds, then halves of the best. */
function bestRounding(program: DoubleProgram, sum: Aggregate, minEfficacy: number): Proposal | null {
  const divisors = new Set<number>();
  for (const { column, isInteger, coefficient, value } of sum.terms) {
    if (column === -1 || !isInteger || value <= 1e-6 || divisors.size >= MAX_DIVISORS) continue;
    divisors.add(Math.abs(coefficient));
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
function withVariableBounds(program: DoubleProgram, { terms }: Aggregate, weights: RowWeights): RowWeights | null {
  const more = new Map(weights);
  for (const { column, isInteger, sign, coefficient, value } of terms) {
    if (column === -1 || isInteger || value <= 1e-6) continue;
    let best = -1;
    let nearest = value;
    for (const r of program.variableBoundsOf[column] as readonly number[]) {
      if (weights.has(r)) continue;
      const row = program.rows.get(r) as DoubleRow;
      const own = Math.abs(row.values[row.columns.indexOf(column)] as number);
      const distance = Math.min(row.activity - row.lower, row.upper - row.activity) / own;
      if (distance < nearest) [best, nearest] = [r, distance];
    }
    if (best === -1) continue;
    const { columns, values } = program.rows.get(best) as DoubleRow;
    more.set(best, (-sign * coefficient) / (values[columns.indexOf(column)] as number));
  }
  return more.size === weights.size ? null : more;
}

/** Weights with which a continuous column between its bounds is gone from the sum; `null` where no row takes it out. */
function withoutContinuous(program: DoubleProgram, { terms }: Aggregate, weights: RowWeights): RowWeights | null {
  const open = terms
    .filter(({ column, isInteger, value }) => column !== -1 && !isInteger && value > 1e-6)
    .sort((a, b) => b.value * Math.abs(b.coefficient) - a.value * Math.abs(a.coefficient));
  for (const { column, sign, coefficient } of open) {
    let best = -1;
    let bestSlack = Number.POSITIVE_INFINITY;
    for (const r of program.rowsOf[column] as readonly number[]) {
      if (weights.has(r)) continue;
      const row = program.rows.get(r) as DoubleRow;
      const slack = Math.min(row.activity - row.lower, row.upper - row.activity) / row.size;
      if (slack < bestSlack) {
        best = r;
        bestSlack = slack;
      }
    }
    if (best === -1) continue;
    const { columns, values } = program.rows.get(best) as DoubleRow;
    const own = values[columns.indexOf(column)] as number;
    return new Map([...weights, [best, (-sign * coefficient) / own]]);
  }
  return null;
}
