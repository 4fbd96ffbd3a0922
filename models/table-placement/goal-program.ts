import { Rational } from "../../src/exact/rational.js";
import { integerForm, makeProgram } from "../../src/program/program.js";
import { type CostUnit, costUnit } from "./cost-unit.js";
import type { PlacementProgram } from "./direct-program.js";
import { dominatedOptions } from "./dominated-options.js";
import { receivedOf } from "./moved-bytes.js";
import type { ShardColumn } from "./option-site.js";
import {
  addMemoryRows,
  deviceSums,
  draftPlacement,
  largestOf,
  mostOnOne,
  type PlacementDraft,
  rationalPoint,
  type TableColumns,
} from "./placement-draft.js";
import {
  goalParts,
  type PlacementOption,
  type PlacementProblem,
  type PlacementTable,
  type SecondGoal,
  type ShardNeed,
  type StageGoal,
  type StayLimit,
} from "./problem.js";
import { sumOf } from "./program-draft.js";
import type { DeviceRow } from "./side-rows.js";
import type { Held } from "./stages.js";
import { stayTerms, writeStays } from "./stay-rows.js";

/** Which rows of a goal's program speak of one device alone; indices are the program's. */
export interface DeviceBlocks {
  readonly tables: readonly TableColumns[];
  /** The columns that count shards. */
  readonly shards: readonly ShardColumn[];
  /** Columns that follow from where shards are. */
  readonly sides: PlacementDraft["sides"];
  /** What one unit of the rows of costs is worth. */
  readonly unit: Rational;
  /** By device: at most so much cost, and bytes of memory; `null` where there is no such row. */
  readonly capRows: readonly (number | null)[];
  readonly hbmRows: readonly (number | null)[];
  readonly hostRows: readonly (number | null)[];
  /** All others that speak of one device. */
  readonly deviceRows: readonly DeviceRow[];
}

/** A goal's program. */
export interface GoalProgram extends PlacementProgram {
  /** `null` where the goal is no sum over shards: its own column is on all devices. */
  readonly blocks: DeviceBlocks | null;
}

/**
 * The program of a goal among the placements that have no more of other goals than is held of them. README.md beside this file
 * has the mathematics.
 *
 * Throws `RangeError` as the direct program does.
 */
export function goalProgram(
  problem: PlacementProblem,
  goal: StageGoal,
  held: readonly Held[],
  checkTime?: () => void,
): GoalProgram {
  // Of a sum, or of the second largest, a plan with a dominated option may have more than the point says.
  const isMoved = [goal, ...held.map((one) => one.goal)].includes("moved-bytes");
  const left = isMoved ? problem.tables.map(() => new Map()) : dominatedOptions(problem, true, checkTime);
  const placed = draftPlacement(goal === "moved-tables" ? unlimited(problem) : problem, left, checkTime);
  const goals = new GoalForms(problem, placed, held);
  const minimised = goals.form(goal);
  goals.hold(goal);
  const { hbmRows, hostRows } = addMemoryRows(placed, problem);
  const { perDevice, tables, shards, sides, deviceRows } = placed;
  const blocks = { tables, shards, sides, deviceRows, hostRows: hostRows.length === perDevice.length ? hostRows : [] };
  const { terms, constant, unit } = minimised;
  const program = makeProgram({
    name: problem.name,
    columns: placed.draft.columns,
    rows: placed.draft.rows,
    objective: {
      name: goal,
      form: integerForm(
        terms.map(([column]) => column),
        terms.map(([, units]) => units * unit.numerator),
        unit.denominator,
      ),
      constant: unit.multiply(Rational.of(constant)),
    },
  });
  return {
    program,
    name: "goal",
    // What a device keeps leaves no room for much else, and what many bytes are received for is soon ruled out.
    isPropagated: goal === "moved-bytes",
    blocks: goal === "moved-bytes" ? { ...blocks, hbmRows, unit: goals.unit, capRows: goals.capRows } : null,
    recover: placed.recover,
    pointOf: (placement) => {
      const point = placed.write(placement, program.columns.length);
      goals.complete(point);
      return rationalPoint(point);
    },
  };
}

/** The problem without the limit on moves, which goes with their number where that is the goal. */
function unlimited(problem: PlacementProblem): PlacementProblem {
  const { homes } = problem.stay as StayLimit;
  return { ...problem, stay: { homes, mostMoved: problem.tables.length } };
}

/** The program of a second goal, among the placements of which no device costs more than `cap`. */
export function secondProgram(problem: PlacementProblem, goal: SecondGoal, cap: Rational): PlacementProgram {
  return goalProgram(problem, goal, [{ goal: "largest-cost", most: cap }]);
}

/** A goal as terms over columns of the program, in units. */
interface GoalForm {
  /** Columns, rising. */
  readonly terms: readonly (readonly [column: number, units: bigint])[];
  readonly constant: bigint;
  readonly unit: Rational;
}

/** What goals add to a draft: columns of their own, and rows that tie them to where shards are. */
class GoalForms {
  readonly #problem: PlacementProblem;
  readonly #placed: PlacementDraft;
  readonly #held: readonly Held[];
  readonly #cost: CostUnit;
  readonly #completions: ((point: bigint[]) => void)[] = [];
  readonly #capRows: number[] = [];
  #holdsCost = false;

  constructor(problem: PlacementProblem, placed: PlacementDraft, held: readonly Held[]) {
    const needs = problem.tables.flatMap(({ options }) => options.flatMap(({ shards }) => shards));
    const isPhased = problem.goal === "phases" || held.some(({ goal }) => goal === "phases");
    const parts = needs.flatMap((need) => (isPhased ? [need.cost, ...(need.phases ?? [])] : [need.cost]));
    [this.#problem, this.#placed, this.#held] = [problem, placed, held];
    this.#cost = costUnit(new Set(parts));
  }

  /** What a unit of cost is worth. */
  get unit(): Rational {
    return this.#cost.unit;
  }

  /** By device, the row of a held largest cost; none where none is held. */
  get capRows(): readonly number[] {
    return this.#capRows;
  }

  /** Sets the goals' own columns. */
  complete(point: bigint[]): void {
    for (const complete of this.#completions) complete(point);
  }

  form(goal: StageGoal): GoalForm {
    const { hostIsPooled, gpusPerNode } = this.#problem;
    const { unit, unitsOf } = this.#cost;
    const bytes = ({ hostBytes }: ShardNeed) => BigInt(hostBytes);
    const forms: Record<StageGoal, () => GoalForm> = {
      sum: () => this.#sum(),
      "second-largest": () => this.#secondLargest(),
      "moved-tables": () => this.#movedTables(),
      "moved-bytes": () => this.#movedBytes(),
      phases: () => this.#phases(),
      "largest-cost": () => this.#largest("cost", ({ cost }) => unitsOf(cost), unit, 1),
      "largest-hbm": () => this.#largest("hbm", ({ hbmBytes }) => BigInt(hbmBytes), Rational.one, 1),
      "largest-host": () => this.#largest("host", bytes, Rational.one, hostIsPooled ? gpusPerNode : 1),
    };
    return forms[goal]();
  }

  /** Rows for what is held: none for the goal that is minimised, which is less than what it had. */
  hold(minimised: StageGoal): void {
    for (const { goal, most } of this.#held) {
      if (goal === minimised) continue;
      if (goal === "largest-cost") {
        if (this.#holdsCost) continue;
        for (const [d, here] of this.#loads().entries()) this.#addCap(d, here, most);
        this.#holdsCost = true;
        continue;
      }
      const { terms, constant, unit } = this.form(goal);
      this.#placed.draft.addLimit(`held_${goal}`, terms, most.divide(unit).floor() - constant);
    }
  }

  #loads(): (readonly (readonly [number, bigint])[])[] {
    const { unitsOf } = this.#cost;
    return this.#placed.perDevice.map((here) => here.map(({ column, need }) => [column, unitsOf(need.cost)] as const));
  }

  #addCap(device: number, load: readonly (readonly [number, bigint])[], most: Rational): void {
    // Loads are whole numbers of units, so the cap may be one.
    this.#capRows[device] = this.#placed.draft.addLimit(`cap_${device}`, load, most.divide(this.#cost.unit).floor());
  }

  /** Σ over all tables of what the chosen option's shards cost, wherever they are. */
  #sum(): GoalForm {
    const { unit, unitsOf } = this.#cost;
    const terms: (readonly [number, bigint])[] = [];
    let constant = 0n;
    this.#placed.tables.forEach(({ chosen, options }, t) => {
      options.forEach(({ option }, k) => {
        const { shards } = (this.#problem.tables[t] as PlacementTable).options[option] as PlacementOption;
        const units = shards.reduce((sum, { cost }) => sum + unitsOf(cost), 0n);
        const column = chosen[k] as number | null;
        if (column === null) constant += units;
        else terms.push([column, units]);
      });
    });
    return { terms, constant, unit };
  }

  /** w, with load_d ≤ w + M·e_d on every device, and Σ_d e_d = 1: e leaves one device out, which has at most M. */
  #secondLargest(): GoalForm {
    const { draft } = this.#placed;
    const loads = this.#loads();
    const { unit, unitsOf } = this.#cost;
    const cap = this.#held.find(({ goal }) => goal === "largest-cost")?.most ?? null;
    const most = cap === null ? mostOnOne(this.#problem, ({ cost }) => unitsOf(cost)) : cap.divide(unit).floor();
    const left = loads.map((_, d) => draft.addCount(`e_${d}`));
    draft.addEquation("left_out", sumOf(left), 1n);
    const second = draft.addAmount("w", Rational.of(most));
    loads.forEach((here, d) => {
      if (cap !== null && !this.#holdsCost) this.#addCap(d, here, cap);
      draft.addLimit(`load_${d}`, [...here, [left[d] as number, -most], [second, -1n]]);
    });
    this.#holdsCost ||= cap !== null;
    this.#completions.push((point) => {
      const sums = deviceSums(this.#placed, point, ({ need }) => unitsOf(need.cost));
      const device = sums.indexOf(largestOf(sums));
      point[left[device] as number] = 1n;
      point[second] = largestOf(sums.filter((_, d) => d !== device));
    });
    return { terms: [[second, 1n]], constant: 0n, unit };
  }

  /** z ≥ Σ on every device, or on every `size` devices after one another. */
  #largest(name: string, unitsOf: (need: ShardNeed) => bigint, unit: Rational, size: number): GoalForm {
    const { draft, perDevice } = this.#placed;
    const units = ({ need }: ShardColumn) => unitsOf(need);
    const column = draft.addAmount(`z_${name}`, Rational.of(mostOnOne(this.#problem, unitsOf)));
    for (let first = 0; first < perDevice.length; first += size) {
      const here = perDevice.slice(first, first + size).flat();
      const terms = here.map((shard) => [shard.column, units(shard)] as const);
      draft.addLimit(`${name}_load_${first}`, [...terms, [column, -1n]]);
    }
    this.#completions.push((point) => {
      const sums = deviceSums(this.#placed, point, units);
      const pools = sums.map((_, d) => sums.slice(d - (d % size), d - (d % size) + size).reduce((a, b) => a + b, 0n));
      point[column] = largestOf(pools);
    });
    return { terms: [[column, 1n]], constant: 0n, unit };
  }

  #phases(): GoalForm {
    const first = this.#problem.tables[0]?.options[0]?.shards[0] as ShardNeed;
    const { unit, unitsOf } = this.#cost;
    const partOf = (need: ShardNeed, part: number) => unitsOf(goalParts({ goal: "phases" }, need)[part] as number);
    const terms = goalParts({ goal: "phases" }, first).flatMap((_, part) => {
      return this.#largest(`phase_${part}`, (need) => partOf(need, part), unit, 1).terms;
    });
    return { terms, constant: 0n, unit };
  }

  /** Σ over all shards of what their devices receive. */
  #movedBytes(): GoalForm {
    const terms = this.#placed.shards.flatMap(({ column, device, need }) => {
      const bytes = receivedOf(need.incoming, device);
      return bytes === 0 ? [] : [[column, BigInt(bytes)] as const];
    });
    return { terms, constant: 0n, unit: Rational.one };
  }

  /** All tables but those that stay, of which no more move than may. */
  #movedTables(): GoalForm {
    const { draft, tables } = this.#placed;
    const { homes, mostMoved } = this.#problem.stay as StayLimit;
    const { terms, added } = stayTerms(draft, homes, tables);
    const movable = homes.filter((own) => own !== null).length;
    if (mostMoved < movable) draft.addRow("moved", terms, BigInt(movable - mostMoved), null);
    this.#completions.push((point) => writeStays(added, point));
    const rising = terms.toSorted(([a], [b]) => a - b).map(([column]) => [column, -1n] as const);
    return { terms: rising, constant: BigInt(movable), unit: Rational.one };
  }
}
