import { doubleNear, floorDivide, Rational } from "../../exact/rational.js";
import type { LinearForm } from "../../program/program.js";
import type { Box, View, ViewRow } from "../../proof/kernel/view.js";
import type { SearchSpace } from "../branch-and-bound/space.js";
import type { ChoiceRoles } from "../class-knapsack/roles.js";

/**
 * The multiple-choice knapsack inside a view, in doubles and typed arrays: every group of the view spreads its total over
 * its members ("slots"), each with a memory and one cost per objective sum, under one capacity. The largest-of-sums
 * objective is what {@link ChoiceRoles} says; fixed charges are decided before, and part of the sums' constants.
 */
export interface ChoiceProblem {
  readonly view: View;
  readonly roles: ChoiceRoles;
  readonly groupCount: number;
  readonly slotCount: number;
  /** Slots of group g: from starts[g] up to starts[g + 1]. */
  readonly starts: Int32Array;
  readonly totals: Float64Array;
  /** The view's column of each slot. */
  readonly columns: Int32Array;
  readonly memory: Float64Array;
  readonly capacity: number;
  /** Memory as integers, for what doubles cannot decide. */
  readonly exactMemory: readonly bigint[];
  readonly exactCapacity: bigint;
  readonly memoryDenominator: bigint;
  /** One entry per objective sum. */
  readonly sums: readonly ChoiceSum[];
}

export interface ChoiceSum {
  /** Cost of a unit in each slot. */
  readonly cost: Float64Array;
  readonly form: LinearForm;
  /** With the charges that are paid. */
  readonly constant: number;
}

/** Stands for a row that the view has left out because nothing open is in it. */
const slackRow: ViewRow = {
  form: { columns: [], coefficients: [], denominator: 1n },
  lower: null,
  upper: Rational.one,
};

/** Reads the multiple-choice knapsack off a space. */
export function choiceProblem({ view, box }: SearchSpace, roles: ChoiceRoles): ChoiceProblem {
  const groupCount = view.groups.length;
  const starts = new Int32Array(groupCount + 1);
  view.groups.forEach(({ members }, g) => {
    starts[g + 1] = (starts[g] as number) + members.length;
  });
  const slotCount = starts[groupCount] as number;
  const columns = new Int32Array(slotCount);
  const slotOf = new Int32Array(view.columns.length).fill(-1);
  let slot = 0;
  for (const { members } of view.groups) {
    for (const column of members) {
      slotOf[column] = slot;
      columns[slot++] = column;
    }
  }
  const memoryRow = view.rows.get(roles.memoryRow) ?? slackRow;
  const capacity = memoryRow.upper as Rational;
  const exactMemory: bigint[] = new Array(slotCount).fill(0n);
  memoryRow.form.columns.forEach((column, k) => {
    exactMemory[slotOf[column] as number] = memoryRow.form.coefficients[k] as bigint;
  });
  const charges = new Set(roles.carriers.map(({ column }) => view.columns.indexOf(column)));
  const sumOf = (form: LinearForm, offset: Rational): ChoiceSum => {
    const cost = new Float64Array(slotCount);
    let constant = offset.toNumber();
    form.columns.forEach((column, k) => {
      const value = doubleNear(form.coefficients[k] as bigint, form.denominator);
      if (slotOf[column] !== -1) cost[slotOf[column] as number] = value;
      else if (charges.has(column)) constant += value * (box.lower[column] as Rational).toNumber();
    });
    return { cost, form, constant };
  };
  const sums =
    roles.channels === null
      ? [sumOf(view.objective, view.constant)]
      : roles.channels.rows.map((row) => {
          const { form, upper } = view.rows.get(row) ?? slackRow;
          return sumOf(form, (upper as Rational).negate());
        });
  return {
    view,
    roles,
    groupCount,
    slotCount,
    starts,
    totals: Float64Array.from(view.groups, ({ total }) => Number(total)),
    columns,
    memory: Float64Array.from(exactMemory, (value) => doubleNear(value, memoryRow.form.denominator)),
    capacity: capacity.toNumber(),
    exactMemory,
    exactCapacity: floorDivide(capacity.numerator * memoryRow.form.denominator, capacity.denominator),
    memoryDenominator: memoryRow.form.denominator,
    sums,
  };
}

/** Bounds of the slots in a box, as doubles. */
export function slotBounds(problem: ChoiceProblem, box: Box): { lower: Float64Array; upper: Float64Array } {
  const lower = new Float64Array(problem.slotCount);
  const upper = new Float64Array(problem.slotCount);
  for (let k = 0; k < problem.slotCount; k++) {
    lower[k] = Number((box.lower[problem.columns[k] as number] as Rational).numerator);
    upper[k] = Number((box.upper[problem.columns[k] as number] as Rational).numerator);
  }
  return { lower, upper };
}

/** The point of a box's view with a filling, and all else at its lower bound. */
export function pointOf({ columns }: ChoiceProblem, box: Box, filling: Float64Array): Float64Array {
  const point = Float64Array.from(box.lower, (value) => value?.toNumber() ?? 0);
  columns.forEach((column, k) => {
    point[column] = filling[k] as number;
  });
  return point;
}

/** Memory of a whole-numbered filling, exact. */
export function exactMemoryOf(problem: ChoiceProblem, filling: Float64Array): bigint {
  let sum = 0n;
  for (let k = 0; k < filling.length; k++) {
    if (filling[k] !== 0) sum += (problem.exactMemory[k] as bigint) * BigInt(filling[k] as number);
  }
  return sum;
}

/** Whether a whole-numbered filling keeps the capacity: doubles decide where they can, integers where they cannot. */
export function fits(problem: ChoiceProblem, filling: Float64Array): boolean {
  let sum = 0;
  let magnitude = Math.abs(problem.capacity);
  for (let k = 0; k < filling.length; k++) {
    const part = (problem.memory[k] as number) * (filling[k] as number);
    sum += part;
    magnitude += Math.abs(part);
  }
  const doubt = magnitude * 1e-15 * Math.sqrt(filling.length + 10) * 4;
  if (sum + doubt < problem.capacity) return true;
  if (sum - doubt > problem.capacity) return false;
  return exactMemoryOf(problem, filling) <= problem.exactCapacity;
}
