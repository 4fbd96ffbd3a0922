import { floorDivide, type Rational } from "../../../../exact/rational.js";
import type { View, ViewRow } from "../../../kernel/view.js";

/** Values of the columns of one choice; columns that are not named are 0. */
export interface Alternative {
  readonly columns: readonly number[];
  readonly values: readonly bigint[];
}

/** Columns that are decided together: the ways to do so. */
export type Choice = readonly Alternative[];

/** Bounds of integer columns, by local index. */
export interface Range {
  readonly low: readonly bigint[];
  readonly high: readonly bigint[];
}

/** The most ways to set the columns that hang on one other. */
const MAX_WAYS = 4096;

/** ⌊value · factor⌋ */
export function floorOf(value: Rational, factor: bigint): bigint {
  return floorDivide(value.numerator * factor, value.denominator);
}

/**
 * Splits a view's columns into choices such that every point that satisfies the rows takes one alternative of each:
 *
 * - columns of a row that lets at most one of them be positive, with the columns that such a row's columns switch on
 *   (n ≤ m·w for a binary w: where w is 0, n is);
 * - every other column alone, one alternative per value.
 */
export function choicesOf(view: View, range: Range): Choice[] {
  const taken = new Uint8Array(view.columns.length);
  const switched = switchedColumns(view, range);
  const choices: Choice[] = [];
  const isFree = (j: number) => taken[j] === 0 && range.low[j] === 0n;
  for (const { form, upper, lower } of view.rows.values()) {
    if (!excludesPairs(form, upper) || !form.columns.every(isFree)) continue;
    const most = floorOf(upper as Rational, form.denominator);
    const least = lower === null ? 0n : -floorOf(lower.negate(), form.denominator);
    for (const j of form.columns) taken[j] = 1;
    const hanging = new Map(
      form.columns.map((j) => [j, (switched.get(j) ?? []).filter(({ columns }) => columns.every(isFree))] as const),
    );
    const hung = [...hanging.values()].flatMap((sets) => sets.flatMap(({ columns }) => columns));
    for (const j of hung) taken[j] = 1;
    const alternative = (chosen: ReadonlyMap<number, bigint>): Alternative => ({
      columns: [...chosen.keys()],
      values: [...chosen.values()],
    });
    const alternatives: Alternative[] = [];
    if (least <= 0n && most >= 0n) alternatives.push(alternative(new Map()));
    form.columns.forEach((j, k) => {
      const coefficient = form.coefficients[k] as bigint;
      for (let value = 1n; value <= (range.high[j] as bigint) && coefficient * value <= most; value++) {
        if (coefficient * value < least) continue;
        for (const way of waysOf(hanging.get(j) ?? [], range))
          alternatives.push(alternative(new Map([[j, value], ...way])));
      }
    });
    // With no alternative at all the row cannot be kept, as its own check will find.
    choices.push(alternatives.length > 0 ? alternatives : [alternative(new Map())]);
  }
  for (let column = 0; column < taken.length; column++) {
    if (taken[column] === 1) continue;
    const alternatives: Alternative[] = [];
    for (let value = range.low[column] as bigint; value <= (range.high[column] as bigint); value++) {
      alternatives.push({ columns: [column], values: [value] });
    }
    choices.push(alternatives);
  }
  return choices;
}

/** Whether all coefficients are positive and any two of them together exceed the upper side. */
function excludesPairs({ coefficients, denominator }: ViewRow["form"], upper: Rational | null): boolean {
  if (upper === null || coefficients.length < 2) return false;
  let first: bigint | null = null;
  let second: bigint | null = null;
  for (const coefficient of coefficients) {
    if (coefficient <= 0n) return false;
    if (first === null || coefficient < first) [first, second] = [coefficient, first];
    else if (second === null || coefficient < second) second = coefficient;
  }
  return (first as bigint) + (second as bigint) > floorOf(upper, denominator);
}

/** Columns n ≥ 0 with Σ a·n ≤ most where their switch is 1, and all zero where it is 0. */
interface Switched {
  readonly columns: readonly number[];
  readonly coefficients: readonly bigint[];
  readonly most: bigint;
}

/** Rows Σ a·n − most·w ≤ 0 with a binary w and nothing else negative, by w. */
function switchedColumns({ rows }: View, { low, high }: Range): Map<number, Switched[]> {
  const found = new Map<number, Switched[]>();
  for (const { form, upper } of rows.values()) {
    if (upper === null || upper.sign() !== 0) continue;
    const negative = form.columns.filter((_, k) => (form.coefficients[k] as bigint) < 0n);
    const [w] = negative;
    if (w === undefined || negative.length > 1 || low[w] !== 0n || high[w] !== 1n) continue;
    const at = form.columns.indexOf(w);
    const columns = form.columns.toSpliced(at, 1);
    const switches: Switched = {
      columns,
      coefficients: form.coefficients.toSpliced(at, 1),
      most: -(form.coefficients[at] as bigint),
    };
    const ways = columns.reduce((product, j) => product * Number((high[j] as bigint) + 1n), 1);
    if (columns.length === 0 || ways > MAX_WAYS) continue;
    found.set(w, [...(found.get(w) ?? []), switches]);
  }
  return found;
}

/** All ways to set columns that are switched on. */
function waysOf(sets: readonly Switched[], { high }: Range): [number, bigint][][] {
  let ways: [number, bigint][][] = [[]];
  for (const { columns, coefficients, most } of sets) {
    let own: { chosen: [number, bigint][]; used: bigint }[] = [{ chosen: [], used: 0n }];
    columns.forEach((j, k) => {
      own = own.flatMap(({ chosen, used }) => {
        const longer: typeof own = [];
        for (let value = 0n; value <= (high[j] as bigint); value++) {
          const sum = used + (coefficients[k] as bigint) * value;
          if (sum <= most) longer.push({ chosen: [...chosen, [j, value]], used: sum });
        }
        return longer;
      });
    });
    ways = ways.flatMap((way) => own.map(({ chosen }) => [...way, ...chosen]));
  }
  return ways;
}
