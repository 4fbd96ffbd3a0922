import { Rational } from "../../../../exact/rational.js";
import { formValue } from "../../../../program/evaluate.js";
import { lagrangianBound, type Multipliers } from "../../../kernel/bound.js";
import { roundDown } from "../../../kernel/lattice.js";
import { type Box, objectiveLattice, type View, type ViewRow } from "../../../kernel/view.js";
import { type Alternative, type Choice, choicesOf, floorOf, type Range } from "./choices.js";
import { setLabels } from "./label-setting.js";
import { type Condition, type Enumeration, type Limit, limitsOf } from "./limits.js";
import type { Looking } from "./outlook.js";

/** The most partial points that a checker visits for one step: some ten seconds. */
const MAX_VISITS = 100_000_000;

/** A step of tables takes some fortieth of the time that one of going on with partial points takes. */
const LOOKING: Looking = { proportion: 20, growth: 8 };

/** The most values that one column may take. */
const MAX_VALUES = 4096n;

/** The most choices: the walk is as deep. */
const MAX_CHOICES = 2000;

/**
 * Goes through every point of a box of integers that could satisfy the rows with an objective below `target` (`null`: with
 * any objective). A branch is left when a row cannot be kept any more, or when the Lagrangian bound of one of
 * the sets of multipliers, with what is chosen so far, reaches the target: each set makes one more row, "reduced costs at
 * most what the target leaves of them". Columns that exclude one another are chosen together, one alternative at a
 * time (choices.ts); an alternative is passed over where another uses no more of any row, nor of the objective.
 *
 * The walk itself is in doubles that hold integers: uses of rows are rounded down where they need more than 52 bits, so
 * that no branch is left wrongly. A point that survives is judged in exact arithmetic. It goes breadth first as long as the
 * partial points fit into memory, which finds those that others are as good as (label-setting.ts), else depth first.
 *
 * Throws `RangeError` when a column is not an integer in bounds, or a multiplier prices a side that its row does
 * not have, or there are too many columns.
 */
export function enumerateBelow(
  view: View,
  box: Box,
  multipliers: readonly Multipliers[],
  target: Rational | null,
  maxVisits: number = MAX_VISITS,
  looking: Looking = LOOKING,
): Enumeration {
  const nothing: Enumeration = { kind: "none" };
  if (view.crossed) return nothing;
  const range = rangeOf(view, box);
  if (range === null) return nothing;
  const most = mostBelow(view, target);
  if (most === null) return nothing;
  const conditions: Condition[] = [];
  for (const set of [new Map(), ...multipliers]) {
    const purpose = target === null ? "infeasibility" : "bound";
    const { bound, scaledCosts, scale } = lagrangianBound({ ...view, single: [], groups: [] }, box, set, purpose);
    const side = floorOf(most.subtract(bound as Rational), scale);
    const coefficients = new Map([...scaledCosts.entries()].filter(([, cost]) => cost !== 0n));
    conditions.push({ coefficients, side, follows: set.size > 0 && followsFromRows(view, set) });
  }
  for (const row of view.rows.values()) conditions.push(...conditionsOf(row));
  let choices = choicesOf(view, range);
  if (choices.length > MAX_CHOICES) throw new RangeError(`over ${MAX_CHOICES} columns are too many to go through`);
  let limits = limitsOf(choices, conditions);
  for (let left = 0; limits !== null && left !== countOf(choices); limits = limitsOf(choices, conditions)) {
    left = countOf(choices);
    choices = withinReach(choices, limits);
    if (choices.some(({ length }) => length === 0)) return nothing;
  }
  if (limits === null) return nothing;
  // A choice of one alternative uses nothing of what limits have left.
  const decided = choices.flatMap(([only, ...others]) => (others.length === 0 ? [only as Alternative] : []));
  const isOpen = choices.map(({ length }) => length > 1);
  const open = choices.filter((_, c) => isOpen[c]);
  const ofOpen = <Uses>(uses: readonly Uses[]) => uses.filter((_, c) => isOpen[c]);
  const left = limits.map((limit) => ({ ...limit, uses: ofOpen(limit.uses), exactUses: ofOpen(limit.exactUses) }));
  const judge = (chosen: readonly Alternative[]) => judgePoint(view, box, [...decided, ...chosen], target);
  const byLabels = setLabels(open, left, judge, { maxVisits, looking });
  return byLabels.kind === "too-many" ? walk(open, left, judge, maxVisits) : byLabels;
}

/** The least and greatest value of each column; `null` where bounds cross. */
function rangeOf(view: View, box: Box): Range | null {
  const low: bigint[] = [];
  const high: bigint[] = [];
  for (let j = 0; j < view.columns.length; j++) {
    const lower = box.lower[j] ?? null;
    const upper = box.upper[j] ?? null;
    if (view.integer[j] !== true || lower === null || upper === null) {
      throw new RangeError("only a box of integers can be gone through point by point");
    }
    if (lower.compare(upper) > 0) return null;
    if (upper.numerator - lower.numerator > MAX_VALUES) throw new RangeError(`a column has over ${MAX_VALUES} values`);
    low.push(lower.numerator);
    high.push(upper.numerator);
  }
  return { low, high };
}

/**
 * The greatest objective below the target; `null` where there is none. Without a target the objective counts as zero, and
 * the bound of a point that satisfies the rows is at most zero.
 */
function mostBelow(view: View, target: Rational | null): Rational | null {
  if (target === null) return Rational.zero;
  const lattice = objectiveLattice(view);
  if (lattice === null) throw new RangeError("only a box of integers can be gone through point by point");
  if (lattice.step.sign() === 0) return lattice.offset.compare(target) < 0 ? lattice.offset : null;
  const reached = roundDown(target, lattice) as Rational;
  return reached.compare(target) < 0 ? reached : reached.subtract(lattice.step);
}

/**
 * A sum of rows follows from them, and so does one with cuts that these very rows prove. Of rows that were weakened since, or before
 * the cut was stated with what they said earlier, it does not: a point that others are as good as by the rows may be the only one that
 * keeps the cut, so that the sum is compared like a row.
 */
function followsFromRows({ isRelaxed, cuts }: View, set: Multipliers): boolean {
  return !isRelaxed || ![...set].some(([r, y]) => cuts.has(r) && y.sign() !== 0);
}

function conditionsOf({ form, lower, upper }: ViewRow): Condition[] {
  const conditions: Condition[] = [];
  const push = (sign: bigint, side: Rational) => {
    const coefficients = new Map(form.columns.map((j, k) => [j, sign * (form.coefficients[k] as bigint)]));
    conditions.push({ coefficients, side: floorOf(side, form.denominator), follows: false });
  };
  if (upper !== null) push(1n, upper);
  if (lower !== null) push(-1n, lower.negate());
  return conditions;
}

/**
 * Without the alternatives that alone break a limit, and those that another of their choice is as good as: it uses no more
 * of any limit, so that it may take their place. What fills most of a limit comes first.
 */
function withinReach(choices: readonly Choice[], limits: readonly Limit[]): Choice[] {
  const kept = choices.map((alternatives, c) => {
    const exact = limits.map(({ exactUses }) => exactUses[c] as readonly bigint[]);
    const isAsGood = (a: number, b: number) => exact.every((uses) => (uses[a] as bigint) <= (uses[b] as bigint));
    const left: number[] = [];
    for (let k = 0; k < alternatives.length; k++) {
      if (limits.some(({ uses, slack }) => ((uses[c] as Float64Array)[k] as number) > slack)) continue;
      if (left.some((other) => isAsGood(other, k))) continue;
      for (let at = left.length - 1; at >= 0; at--) if (isAsGood(k, left[at] as number)) left.splice(at, 1);
      left.push(k);
    }
    const fill = Math.max(
      0,
      ...limits.map(({ uses, slack }) => Math.max(...(uses[c] as Float64Array)) / Math.max(1, slack)),
    );
    return { alternatives: left.map((k) => alternatives[k] as Alternative), fill };
  });
  return kept.sort((a, b) => b.fill - a.fill).map(({ alternatives }) => alternatives);
}

function countOf(choices: readonly Choice[]): number {
  return choices.reduce((sum, { length }) => sum + length, 0);
}

function walk(
  choices: readonly Choice[],
  limits: readonly Limit[],
  judge: (chosen: readonly Alternative[]) => readonly Rational[] | null,
  maxVisits: number,
): Enumeration {
  const slacks = limits.map(({ slack }) => slack);
  /** Uses by choice, then alternative, then limit. */
  const uses = choices.map((alternatives, c) =>
    alternatives.map((_, k) => Float64Array.from(limits, (limit) => (limit.uses[c] as Float64Array)[k] as number)),
  );
  const chosen: Alternative[] = [];
  let visits = 0;
  let found: readonly Rational[] | null = null;
  /** `false` stops the walk. */
  const visit = (depth: number): boolean => {
    if (depth === choices.length) {
      found = judge(chosen);
      return found === null;
    }
    const alternatives = uses[depth] as readonly Float64Array[];
    for (let k = 0; k < alternatives.length; k++) {
      if (++visits > maxVisits) return false;
      const used = alternatives[k] as Float64Array;
      let fits = true;
      for (let r = 0; fits && r < used.length; r++) fits = (used[r] as number) <= (slacks[r] as number);
      if (!fits) continue;
      chosen[depth] = (choices[depth] as Choice)[k] as Alternative;
      for (let r = 0; r < used.length; r++) slacks[r] = (slacks[r] as number) - (used[r] as number);
      const goOn = visit(depth + 1);
      for (let r = 0; r < used.length; r++) slacks[r] = (slacks[r] as number) + (used[r] as number);
      if (!goOn) return false;
    }
    return true;
  };
  if (visit(0)) return { kind: "none" };
  return found === null ? { kind: "too-many" } : { kind: "found", point: found };
}

/** The point where it satisfies every row and is below the target, in exact arithmetic. */
function judgePoint(
  view: View,
  box: Box,
  chosen: readonly Alternative[],
  target: Rational | null,
): readonly Rational[] | null {
  const point = box.lower.map((value) => value as Rational);
  for (const { columns, values } of chosen) {
    columns.forEach((j, k) => {
      point[j] = Rational.of(values[k] as bigint);
    });
  }
  for (const { form, lower, upper } of view.rows.values()) {
    const activity = formValue(form, point);
    if (lower !== null && activity.compare(lower) < 0) return null;
    if (upper !== null && activity.compare(upper) > 0) return null;
  }
  if (target === null) return point;
  return formValue(view.objective, point).add(view.constant).compare(target) < 0 ? point : null;
}
