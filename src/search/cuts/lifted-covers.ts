import { Rational } from "../../exact/rational.js";
import { linearForm } from "../../program/program.js";
import { greatestBeyond } from "../../proof/kernel/knapsack.js";
import type { Box, View } from "../../proof/kernel/view.js";
import type { ProvedCut } from "../branch-and-bound/space.js";
import type { DoubleProgram, DoubleRow } from "./linear-program.js";
import type { RowWeights } from "./mixed-integer-rounding.js";

/** A cut of one row's knapsack, −Σ α·z ≥ −β over literals z, to be shown exactly. */
export interface CoverProposal {
  readonly rows: RowWeights;
  /** Integers by column, and the side, of form ≥ side. */
  readonly form: ReadonlyMap<number, number>;
  readonly side: number;
  readonly efficacy: number;
  readonly direction: ReadonlyMap<number, number>;
}

/** A binary in a knapsack Σ weight·z ≤ capacity, z the column's distance from its lower or upper bound. */
interface Literal {
  readonly column: number;
  readonly fromUpper: boolean;
  readonly bound: number;
  readonly weight: number;
  readonly value: number;
}

const MIN_VALUE = 1e-6;
const NEARLY = 1e-9;

/**
 * Lifted covers of single rows (Gu, Nemhauser and Savelsbergh 1998): of literals that do not fit together one is zero, and the
 * others' coefficients are found one after the other, exactly. Literals that are one at the point are taken for granted at
 * first, and lifted down.
 */
export function* liftedCovers(program: DoubleProgram, minEfficacy: number): Generator<CoverProposal> {
  for (const [r, row] of program.rows) {
    for (const sign of [1, -1] as const) {
      const knapsack = knapsackOf(program, row, sign);
      if (knapsack === null) continue;
      for (const order of ORDERS) {
        const cover = coverOf(knapsack, order);
        const cut = cover && lifted(knapsack, cover);
        const proposal = cut && proposed(new Map([[r, -sign]]), cut, minEfficacy);
        if (proposal !== null) yield proposal;
      }
    }
  }
}

interface Knapsack {
  readonly literals: readonly Literal[];
  readonly capacity: number;
}

/** sign·row ≤ its side as a knapsack of binaries, other columns where they leave most of it; `null` where it has no cover. */
function knapsackOf(
  { lower, upper, integer, point }: DoubleProgram,
  { columns, values, ...sides }: DoubleRow,
  sign: 1 | -1,
): Knapsack | null {
  let capacity = sign === 1 ? sides.upper : -sides.lower;
  if (!Number.isFinite(capacity)) return null;
  const literals: Literal[] = [];
  let total = 0;
  let isFractional = false;
  for (let k = 0; k < columns.length; k++) {
    const j = columns[k] as number;
    const [low, high, at] = [lower[j] as number, upper[j] as number, point[j] as number];
    const coefficient = sign * (values[k] as number);
    const fromUpper = coefficient < 0;
    const bound = fromUpper ? high : low;
    if (!Number.isFinite(bound)) return null;
    capacity -= coefficient * bound;
    if (integer[j] !== true || high - low !== 1) continue;
    const weight = Math.abs(coefficient);
    const value = Math.max(0, fromUpper ? high - at : at - low);
    if (value > MIN_VALUE && value < 1 - MIN_VALUE) isFractional = true;
    total += weight;
    literals.push({ column: j, fromUpper, bound, weight, value });
  }
  const slack = NEARLY * Math.max(1, Math.abs(capacity), sides.size);
  return isFractional && capacity >= 0 && total > capacity + slack ? { literals, capacity: capacity + slack } : null;
}

type Order = (a: Literal, b: Literal) => number;

/** Which literals are taken into a cover first: those nearest to one; those that cost least distance for their weight. */
const ORDERS: readonly Order[] = [
  (a, b) => b.value - a.value || b.weight - a.weight,
  (a, b) => (1 - a.value) / a.weight - (1 - b.value) / b.weight,
];

/** A minimal cover. */
function coverOf({ literals, capacity }: Knapsack, order: Order): ReadonlySet<Literal> | null {
  const cover: Literal[] = [];
  let weight = 0;
  for (const literal of literals.toSorted(order)) {
    if (weight > capacity) break;
    if (literal.value <= MIN_VALUE) continue;
    cover.push(literal);
    weight += literal.weight;
  }
  if (weight <= capacity) return null;
  const minimal = new Set(cover);
  for (const literal of cover.toSorted((a, b) => a.value - b.value)) {
    if (weight - literal.weight <= capacity) continue;
    minimal.delete(literal);
    weight -= literal.weight;
  }
  return minimal;
}

interface LiftedCut {
  readonly coefficients: ReadonlyMap<Literal, number>;
  readonly side: number;
}

function lifted({ literals, capacity }: Knapsack, cover: ReadonlySet<Literal>): LiftedCut {
  let granted = [...cover].filter(({ value }) => value >= 1 - MIN_VALUE);
  if (granted.length > cover.size - 2) granted = granted.slice(0, Math.max(0, cover.size - 2));
  const isGranted = new Set(granted);
  let left = capacity;
  for (const { weight } of granted) left -= weight;
  const coefficients = new Map<Literal, number>();
  const later: Literal[] = [];
  /** By what the cut's left side reaches, the least weight for it. */
  const least: number[] = [0];
  let side = -1;
  const take = (literal: Literal, coefficient: number) => {
    coefficients.set(literal, coefficient);
    for (let added = 0; added < coefficient; added++) least.push(Number.POSITIVE_INFINITY);
    for (let value = least.length - 1; value >= coefficient; value--) {
      least[value] = Math.min(least[value] as number, (least[value - coefficient] as number) + literal.weight);
    }
  };
  /** The most that the left side can reach within a weight. */
  const most = (weight: number): number => {
    let value = least.length - 1;
    while (value >= 0 && (least[value] as number) > weight) value--;
    return value;
  };
  for (const literal of cover) {
    if (isGranted.has(literal)) continue;
    take(literal, 1);
    side++;
  }
  const up = (literal: Literal) => {
    // Beside what is granted it has no room at all: that says nothing of its coefficient yet.
    if (left < literal.weight) return later.push(literal);
    const coefficient = side - most(left - literal.weight);
    if (coefficient > 0) take(literal, coefficient);
  };
  const others = literals
    .filter((literal) => !cover.has(literal))
    .sort((a, b) => b.value - a.value || b.weight - a.weight);
  for (const literal of others) if (literal.value > MIN_VALUE) up(literal);
  for (const literal of granted) {
    const reached = most(left + literal.weight);
    const coefficient = Math.max(0, reached - side);
    left += literal.weight;
    side += coefficient;
    if (coefficient > 0) take(literal, coefficient);
  }
  for (const literal of [...later.splice(0), ...others.filter(({ value }) => value <= MIN_VALUE)]) up(literal);
  return { coefficients, side };
}

function proposed(rows: RowWeights, { coefficients, side }: LiftedCut, minEfficacy: number): CoverProposal | null {
  const form = new Map<number, number>();
  const direction = new Map<number, number>();
  let norm = 0;
  let reached = 0;
  let least = -side;
  for (const [{ column, fromUpper, bound, value }, coefficient] of coefficients) {
    const signed = fromUpper ? coefficient : -coefficient;
    form.set(column, signed);
    least += signed * bound;
    norm += coefficient * coefficient;
    reached += coefficient * value;
  }
  const length = Math.sqrt(norm);
  const efficacy = (reached - side) / length;
  if (!(efficacy >= minEfficacy)) return null;
  for (const [column, coefficient] of form) direction.set(column, coefficient / length);
  return { rows, form, side: least, efficacy, direction };
}

/** The cut that a proposal is, if exact arithmetic shows it; `null` where it does not. */
export function deriveCover(view: View, box: Box, { rows, form: terms, side }: CoverProposal): ProvedCut | null {
  if (!Number.isSafeInteger(side)) return null;
  const form = linearForm([...terms].map(([j, value]) => [j, Rational.of(BigInt(value))] as const));
  const least = Rational.of(BigInt(side));
  const knapsack = new Map([...rows].map(([r, weight]) => [r, Rational.fromNumber(weight)] as const));
  const beyond = shown(() => greatestBeyond(view, box, form, least, knapsack));
  if (beyond === null || (beyond !== "empty" && beyond.sign() >= 0)) return null;
  return { form, least, knapsack };
}

/** `null` where the dynamic program would be too long. */
function shown<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
