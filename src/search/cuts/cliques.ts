import { Rational } from "../../exact/rational.js";
import { coefficientAt, linearForm } from "../../program/program.js";
import { leastInHalves } from "../../proof/kernel/split.js";
import type { Box, View, ViewRow } from "../../proof/kernel/view.js";
import type { ProvedCut } from "../branch-and-bound/space.js";
import type { DoubleProgram } from "./linear-program.js";

/** A binary, or its complement: what it is counted from is its lower bound (sign 1) or its upper one. */
interface Literal {
  readonly column: number;
  readonly sign: 1 | -1;
  readonly value: number;
}

/** A side of a row that lets one of some literals be one: weight·Σ literals + … ≤ weight. */
interface Packing {
  readonly row: number;
  readonly side: 1 | -1;
  readonly members: ReadonlySet<number>;
}

/** Literals of which at most one is one, two by two by a row. */
export interface CliqueProposal {
  /** The order in which they are put together: the first `begun` are in one row. */
  readonly clique: readonly Literal[];
  readonly begun: Packing;
  /** By literal after the first ones, rows that keep it from all before it. */
  readonly joined: readonly (readonly Packing[])[];
  readonly efficacy: number;
  readonly direction: ReadonlyMap<number, number>;
}

const BETWEEN = 1e-4;
const NEARLY = 1e-9;
const MAX_STARTS = 200;

/**
 * Cliques of literals that a point breaks, each grown from one literal by those of the greatest values, then by those that
 * are zero.
 */
export function* cliques(program: DoubleProgram, minEfficacy: number): Generator<CliqueProposal> {
  const literals = literalsOf(program);
  const open = literals.filter(({ value }) => value > 0).length;
  const idOf = new Map(literals.map(({ column, sign }, id) => [sign * (column + 1), id]));
  const packingsOfId = literals.map((): Packing[] => []);
  for (const packing of packingsOf(program, idOf)) {
    for (const id of packing.members) packingsOfId[id]?.push(packing);
  }
  const areRivals = (one: number, other: number) =>
    (packingsOfId[one] as readonly Packing[]).some(({ members }) => members.has(other));
  const seen = new Set<string>();
  for (let start = 0; start < Math.min(open, MAX_STARTS); start++) {
    const rivals = new Set((packingsOfId[start] as readonly Packing[]).flatMap(({ members }) => [...members]));
    const clique = [start];
    const grow = (ids: readonly number[]) => {
      for (const id of ids) if (clique.every((other) => other !== id && areRivals(other, id))) clique.push(id);
    };
    const rising = [...rivals].sort((a, b) => a - b);
    grow(rising.filter((id) => id < open));
    const excess = clique.reduce((sum, id) => sum + (literals[id] as Literal).value, -1);
    if (excess < minEfficacy * Math.sqrt(clique.length)) continue;
    grow(rising.filter((id) => id >= open));
    const key = clique.toSorted((a, b) => a - b).join(" ");
    if (seen.has(key)) continue;
    seen.add(key);
    yield joinedOf(clique, literals, packingsOfId, excess / Math.sqrt(clique.length));
  }
}

/** Literals that are not one at the point, those of the greatest values first. */
function literalsOf({ lower, upper, integer, point }: DoubleProgram): Literal[] {
  const found: Literal[] = [];
  point.forEach((at, column) => {
    const low = lower[column] as number;
    if (integer[column] !== true || (upper[column] as number) - low !== 1) return;
    const value = at - low;
    if (value < BETWEEN) found.push({ column, sign: 1, value: 0 });
    else if (value > 1 - BETWEEN) found.push({ column, sign: -1, value: 0 });
    else found.push({ column, sign: 1, value }, { column, sign: -1, value: 1 - value });
  });
  return found.sort((a, b) => b.value - a.value);
}

function* packingsOf({ rows, lower, upper }: DoubleProgram, idOf: ReadonlyMap<number, number>): Generator<Packing> {
  for (const [row, { columns, values, ...sides }] of rows) {
    for (const side of [1, -1] as const) {
      let room = side === 1 ? sides.upper : -sides.lower;
      for (let k = 0; k < columns.length && Number.isFinite(room); k++) {
        const coefficient = side * (values[k] as number);
        room -= coefficient * ((coefficient > 0 ? lower : upper)[columns[k] as number] as number);
      }
      if (!(Number.isFinite(room) && room > NEARLY)) continue;
      const members = new Set<number>();
      for (let k = 0; k < columns.length; k++) {
        const coefficient = side * (values[k] as number);
        if (Math.abs(Math.abs(coefficient) - room) > NEARLY * room) continue;
        const id = idOf.get(Math.sign(coefficient) * ((columns[k] as number) + 1));
        if (id !== undefined) members.add(id);
      }
      if (members.size > 1) yield { row, side, members };
    }
  }
}

function joinedOf(
  ids: readonly number[],
  literals: readonly Literal[],
  packingsOfId: readonly (readonly Packing[])[],
  efficacy: number,
): CliqueProposal {
  const inside = (packing: Packing, of: readonly number[]) => of.filter((id) => packing.members.has(id)).length;
  const widest = (packings: readonly Packing[], of: readonly number[]) =>
    packings.reduce((best, packing) => (inside(packing, of) > inside(best, of) ? packing : best));
  const begun = widest(
    ids.flatMap((id) => packingsOfId[id] as readonly Packing[]),
    ids,
  );
  const order = ids.toSorted((a, b) => Number(begun.members.has(b)) - Number(begun.members.has(a)));
  const joined = order.slice(inside(begun, ids)).map((id) => {
    const rows: Packing[] = [];
    let left: readonly number[] = order.slice(0, order.indexOf(id));
    while (left.length > 0) {
      const row = widest(packingsOfId[id] as readonly Packing[], left);
      rows.push(row);
      left = left.filter((other) => !row.members.has(other));
    }
    return rows;
  });
  const clique = order.map((id) => literals[id] as Literal);
  const share = 1 / Math.sqrt(clique.length);
  const direction = new Map(clique.map(({ column, sign }) => [column, -sign * share]));
  return { clique, begun, joined, efficacy, direction };
}

/**
 * The clique by splits, literal by literal: where the literal is zero, the clique before it says all; where it is one, its
 * rows leave nothing to the others. All but the last are lemmas; `next` is the index of the first. `null` where exact
 * arithmetic does not show it.
 */
export function deriveClique(
  view: View,
  box: Box,
  { clique, begun, joined }: CliqueProposal,
  next: number,
): readonly ProvedCut[] | null {
  const cuts: ProvedCut[] = [];
  const boundOf = ({ column, sign }: Literal) => (sign === 1 ? box.lower : box.upper)[column] as Rational;
  let known = view;
  let before = weighted(view, begun, clique[0] as Literal);
  for (const [position, rows] of joined.entries()) {
    const members = clique.slice(0, clique.length - joined.length + position + 1);
    const literal = members.at(-1) as Literal;
    const form = linearForm(members.map(({ column, sign }) => [column, Rational.of(BigInt(-sign))] as const));
    // Of −Σ literals ≥ −1 over the columns.
    const least = members.reduce(
      (sum, member) => sum.subtract(boundOf(member).multiply(Rational.of(BigInt(member.sign)))),
      Rational.one.negate(),
    );
    const zero = { side: Rational.one, rows: new Map([before]) };
    const one = {
      side: Rational.of(BigInt(rows.length - 1)),
      rows: new Map(rows.map((row) => weighted(view, row, literal))),
    };
    const isUp = literal.sign === 1;
    const split = {
      form: linearForm([[literal.column, Rational.one]]),
      at: isUp ? boundOf(literal) : boundOf(literal).subtract(Rational.one),
    };
    const [below, above] = isUp ? [zero, one] : [one, zero];
    const shown = leastInHalves(known, box, form, split, { below, above });
    if (shown.some((bound) => bound === null || (bound !== "empty" && bound.compare(least) < 0))) return null;
    const isLemma = position < joined.length - 1;
    cuts.push({ form, least, split, below, above, ...(isLemma ? { isLemma } : {}) });
    const index = next + position;
    known = { ...known, cuts: new Map(known.cuts).set(index, { form, lower: least, upper: null }) };
    before = [index, Rational.one];
  }
  return cuts;
}

/** A packing's row with the multiplier by which its literals count once. */
function weighted(view: View, { row, side }: Packing, { column }: Literal): readonly [number, Rational] {
  const { form } = view.rows.get(row) ?? (view.cuts.get(row) as ViewRow);
  const size = coefficientAt(form, form.columns.indexOf(column)).absolute();
  return [row, Rational.of(BigInt(-side)).divide(size)];
}
