import { Rational } from "../../src/exact/rational.js";
import { integerForm, makeProgram } from "../../src/program/program.js";
import { type CostUnit, costUnit } from "./cost-unit.js";
import type { PlacementProgram } from "./direct-program.js";
import { dominatedOptions } from "./dominated-options.js";
import type { ShardColumn } from "./option-site.js";
import {
  addMemoryRows,
  deviceSums,
  draftPlacement,
  largestOf,
  type PlacementDraft,
  rationalPoint,
} from "./placement-draft.js";
import type { PlacementOption, PlacementProblem, PlacementTable, SecondGoal } from "./problem.js";

/**
 * The program of the second goal: the same placements, those of which no device costs more than `cap`, and the second goal
 * as the objective. README.md beside this file has the mathematics.
 *
 * Throws `RangeError` as the direct program does.
 */
export function secondProgram(problem: PlacementProblem, goal: SecondGoal, cap: Rational): PlacementProgram {
  const needs = problem.tables.flatMap(({ options }) => options.flatMap(({ shards }) => shards));
  const { unit, unitsOf } = costUnit(new Set(needs.map(({ cost }) => cost)));
  // Of the sum of all costs, and of the second largest, a plan with a dominated option may have more than the point says.
  const placed = draftPlacement(problem, dominatedOptions(problem, true));
  // Loads are whole numbers of units, so the cap may be one.
  const most = cap.divide(unit).floor();
  const { columns, constant, complete } =
    goal === "sum" ? sumOfCosts(problem, placed, most, unitsOf) : secondLargest(placed, most, unitsOf);
  addMemoryRows(placed, problem);
  const program = makeProgram({
    name: problem.name,
    columns: placed.draft.columns,
    rows: placed.draft.rows,
    objective: {
      name: goal,
      form: integerForm(
        columns.map(([column]) => column),
        columns.map(([, units]) => units * unit.numerator),
        unit.denominator,
      ),
      constant: unit.multiply(Rational.of(constant)),
    },
  });
  return {
    program,
    recover: placed.recover,
    pointOf: (placement) => {
      const point = placed.write(placement, program.columns.length);
      complete(point);
      return rationalPoint(point);
    },
  };
}

interface Goal {
  /** Columns of the objective, rising, with what each costs in units. */
  readonly columns: readonly (readonly [column: number, units: bigint])[];
  /** What it is without them, in units. */
  readonly constant: bigint;
  /** Sets the goal's own columns. */
  complete(point: bigint[]): void;
}

function loadsOf(placed: PlacementDraft, unitsOf: CostUnit["unitsOf"]) {
  const units = ({ need }: ShardColumn) => unitsOf(need.cost);
  const terms = placed.perDevice.map((here) => here.map((shard) => [shard.column, units(shard)] as const));
  return { units, terms };
}

/** Σ over all tables of what the chosen option's shards cost, wherever they are, with Σ on device d ≤ cap. */
function sumOfCosts(
  problem: PlacementProblem,
  placed: PlacementDraft,
  most: bigint,
  unitsOf: CostUnit["unitsOf"],
): Goal {
  const { terms } = loadsOf(placed, unitsOf);
  for (const [d, here] of terms.entries()) placed.draft.addRow(`cap_${d}`, here, null, most);
  const columns: (readonly [number, bigint])[] = [];
  let constant = 0n;
  placed.tables.forEach(({ chosen, options }, t) => {
    options.forEach(({ option }, k) => {
      const { shards } = (problem.tables[t] as PlacementTable).options[option] as PlacementOption;
      const units = shards.reduce((sum, { cost }) => sum + unitsOf(cost), 0n);
      const column = chosen[k] as number | null;
      if (column === null) constant += units;
      else columns.push([column, units]);
    });
  });
  return { columns, constant, complete: () => {} };
}

/** w, with load_d ≤ w + cap·e_d and load_d ≤ cap on every device, and Σ_d e_d = 1: e leaves one device out. */
function secondLargest(placed: PlacementDraft, most: bigint, unitsOf: CostUnit["unitsOf"]): Goal {
  const { draft } = placed;
  const { terms, units } = loadsOf(placed, unitsOf);
  const left = terms.map((_, d) => draft.addCount(`e_${d}`));
  draft.addEquation(
    "left_out",
    left.map((column) => [column, 1n]),
    1n,
  );
  const second = draft.columns.length;
  draft.columns.push({ name: "w", lower: Rational.zero, upper: Rational.of(most), integer: false });
  terms.forEach((here, d) => {
    draft.addRow(`cap_${d}`, here, null, most);
    draft.addRow(`load_${d}`, [...here, [left[d] as number, -most], [second, -1n]], null, 0n);
  });
  return {
    columns: [[second, 1n]],
    constant: 0n,
    complete: (point) => {
      const loads = deviceSums(placed, point, units);
      const device = loads.indexOf(largestOf(loads));
      point[left[device] as number] = 1n;
      point[second] = largestOf(loads.filter((_, d) => d !== device));
    },
  };
}
