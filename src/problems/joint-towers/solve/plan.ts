import { performance } from "node:perf_hooks";
import { conflictOf } from "../../../../models/joint-towers/conflict.js";
import { hasOneSlowestWire } from "../../../../models/joint-towers/element-seconds.js";
import { jointGrouping } from "../../../../models/joint-towers/grouping.js";
import { towerPlacementProblem } from "../../../../models/joint-towers/placement-problem.js";
import type { TowerShape } from "../../../../models/joint-towers/setting.js";
import { hasFreedoms } from "../../../../models/joint-towers/table-options.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import { towerProblem } from "../../../../models/tower-partition/build.js";
import { evaluateTowers } from "../../../../models/tower-partition/evaluate.js";
import { InputError } from "../../../errors/input-error.js";
import type { TowerJoint, TowerPartitionInstance } from "../../../instance/types/tower-partition.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import type { PlanRequest } from "../../../plan-file/envelope.js";
import { EXACT_METHOD } from "../../../plan-file/method-names.js";
import { timingOf } from "../../../plan-file/timing.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { holdAgainst } from "../../../proof/hold-against.js";
import { Verdict } from "../../../proof/verdict.js";
import type { Without } from "../../../search/strategies.js";
import { TimeBudget } from "../../../search/time/time-budget.js";
import { secondsLeft } from "../../../search/time/time-limit.js";
import { START_SHARE, TimeShares } from "../../../search/time/time-shares.js";
import { inPieces, type ShouldStop, UNITS, UNITS_PER_SECOND, Work } from "../../../search/work.js";
import type { PlanOptions } from "../../plan-options.js";
import { requestOf, workOf } from "../../searched.js";
import { provedOf } from "../../table-placement/plan-file/hold-placements.js";
import { PLACEMENT_STRATEGIES, solvePlacement } from "../../table-placement/solve/solve.js";
import { towerNumbers } from "../../tower-partition/instance/joint.js";
import type { BaselineTowers } from "../../tower-partition/plan-file/baseline.js";
import { baselineTowers, isStart, towerBaselines } from "../../tower-partition/solve/heuristic-runs.js";
import { type PreparedTowers, planPreparedTowers } from "../../tower-partition/solve/plan.js";
import { solveGrouping, TOWER_STRATEGIES } from "../../tower-partition/solve/solve.js";
import { assembleJointPlan, chosenRow } from "../plan-file/assemble.js";
import type { JointTowersPlan, TowersPlan } from "../plan-file/plan-file.js";
import { evaluateRow, type JointPlacementParts, type JointRowParts, type UnplaceableParts } from "../plan-file/row.js";
import { READY_STRATEGIES, type ReadyPlacement, readyPlacement } from "./ready-placement.js";
import { secondsTo, TowerTables } from "./tower-tables.js";

/** What the exact method can do without, by name: of its own, and of both problems that it is made of. */
export const JOINT_TOWERS_STRATEGIES: readonly string[] = [
  ...["published starts", "fewest unplaceable"],
  ...READY_STRATEGIES,
  ...TOWER_STRATEGIES,
  ...PLACEMENT_STRATEGIES,
];

/** The share of a row's work that its partition may take. */
const PARTITION_SHARE = 0.4;

/**
 * What a placement's program takes to be built and bounded at least, for each of its columns. Where that is not left,
 * the tables are dealt out, and nothing is proved of them: hundreds of GPUs in one tower take seconds.
 */
const MILLISECONDS_PER_COLUMN = 0.03;

/** Ample work for a placement, as a multiple of that. */
const AMPLE = 20;

/** A tower instance with a cluster and tables, its matrix read (F × F by rows). */
export interface PreparedJoint {
  readonly instance: TowerPartitionInstance;
  readonly joint: TowerJoint;
  readonly interaction: Float64Array;
  readonly readSeconds: number;
}

/**
 * The main job for towers: divides the features of an instance into towers, proves the answer and returns the plan file's
 * contents. A plan whose status is `proved` was evaluated, and its bound derived, in exact arithmetic by src/proof. A
 * published method partitions, and places no tables.
 *
 * Throws `InputError` for an unknown method, or a heuristic that does not apply or finds no partition, and `SolverError` when
 * a solver is asked for that is not installed.
 */
export async function planPreparedTowersWithTables(
  prepared: PreparedTowers,
  options: PlanOptions = {},
): Promise<TowersPlan> {
  const { method = EXACT_METHOD, solver } = options;
  const { instance, interaction, readSeconds } = prepared;
  const { joint } = instance;
  if (joint === undefined || method !== EXACT_METHOD) return planPreparedTowers(prepared, options);
  // Here for every method: a plan that says another gap would not be read again.
  const request = requestOf(options);
  if (solver !== undefined) throw new InputError(NO_SOLVER, instance.file);
  requireOneSlowestWire(joint, instance);
  return planJoint({ instance, joint, interaction, readSeconds }, request, options);
}

/** What copies and misses take is weighed against the link that step d waits for, which must not depend on how much it moves. */
function requireOneSlowestWire(joint: TowerJoint, { features, file }: TowerPartitionInstance): void {
  if (!hasFreedoms(joint)) return;
  for (const towers of new Set([...towerNumbers(joint, features.length), 1])) {
    const hostsPerTower = joint.cluster.nodes / towers;
    if (hasOneSlowestWire(joint, { towers, hostsPerTower })) continue;
    throw new InputError(
      `cluster.latency: expected that the link that takes longer for each byte of a tower of ${hostsPerTower} hosts has no less latency beside hot rows and caches, received more on the other; give both the same`,
      file,
    );
  }
}

const NO_SOLVER =
  "towers, hosts and tables chosen together are no one program that --solver could be asked about; leave it out";

/**
 * Chooses the number of towers, hosts per tower and the places of the tables together, so that the exposed seconds of
 * the embedding exchange are least within the memory of every GPU: for each T·K = nodes the best partition by the
 * instance's objective whose towers' tables have a place, then the best places on each tower's GPUs. Half of the time
 * limit is shared evenly among the numbers of towers, half in proportion to the GPUs of a tower. Both are proved, and
 * so is the choice; models/joint-towers/README.md says of what exactly.
 */
export async function planJoint(
  prepared: PreparedJoint,
  request: PlanRequest,
  options: JointOptions = {},
): Promise<JointTowersPlan> {
  return new JointSearch(prepared, request, options).run();
}

type JointOptions = Pick<PlanOptions, "spentSeconds" | "shouldStop" | "onProgress" | "without">;

class JointSearch {
  readonly #prepared: PreparedJoint;
  readonly #request: PlanRequest;
  readonly #options: JointOptions;
  readonly #without: Without;
  readonly #budget: TimeBudget;
  /** Of all rows; it shares out the time limit that was asked for. */
  readonly #work: Work;
  /** What the published methods make of each number of towers that its search starts from. */
  readonly #starts = new Map<number, readonly BaselineTowers[]>();
  #proveSeconds = 0;

  constructor(prepared: PreparedJoint, request: PlanRequest, options: JointOptions) {
    this.#prepared = prepared;
    this.#request = request;
    this.#options = options;
    this.#without = options.without ?? new Set();
    const { spentSeconds = 0, shouldStop } = options;
    const left = secondsLeft({ timeLimitSeconds: request.timeLimitSeconds, spentSeconds }, prepared.readSeconds);
    this.#budget = new TimeBudget(left, shouldStop);
    this.#work = new Work(this.#budget.isOver);
  }

  async run(): Promise<JointTowersPlan> {
    const { instance, joint, readSeconds } = this.#prepared;
    const started = performance.now();
    const numbers = towerNumbers(joint, instance.features.length);
    const rows: JointRowParts[] = [];
    // The flat exchange, which is that of one tower, comes last where no row is of one.
    const pieces = numbers.includes(1) ? numbers : [...numbers, 1];
    const perTower = pieces.map((towers) => 1 / towers);
    const all = perTower.reduce((sum, share) => sum + share, 0);
    const weights = perTower.map((share) => 1 / pieces.length + share / all);
    const shares = new TimeShares(workOf(this.#request).workSeconds, weights, true, () => this.#work.done);
    for (const towers of numbers) {
      const until = this.#work.done + shares.next() * UNITS_PER_SECOND;
      rows.push(await this.#solveRow({ towers, hostsPerTower: joint.cluster.nodes / towers }, until));
    }
    const flat = rows.find(({ shape }) => shape.towers === 1)?.placements[0] ?? (await this.#solveFlat());
    const chosen = chosenRow(rows.map((row) => evaluateRow(joint, row)));
    const baselines = chosen === null ? [] : this.#besides(chosen.parts.shape, shares.next());
    const solveSeconds = (performance.now() - started) / 1000 - this.#proveSeconds;
    const timing = timingOf({ readSeconds, solveSeconds, proveSeconds: this.#proveSeconds });
    return assembleJointPlan({ instance, joint, request: this.#request, rows, flat, baselines, timing });
  }

  /** The published methods beside a number of towers: those that its search started from, then the others. */
  #besides(shape: TowerShape, seconds: number): readonly BaselineTowers[] {
    const shouldStop = this.#work.slice(seconds * UNITS_PER_SECOND);
    const others = this.#baselinesOf(shape, (method) => !isStart(method), shouldStop);
    return [...(this.#starts.get(shape.towers) ?? []), ...others];
  }

  #baselinesOf({ towers }: TowerShape, isMeant: typeof isStart, shouldStop: ShouldStop): readonly BaselineTowers[] {
    if (this.#without.has("baselines")) return [];
    const problem = towerProblem({ ...this.#prepared.instance, towers }, this.#prepared.interaction);
    const options = { seed: this.#request.seed, shouldStop: inPieces(shouldStop, UNITS.pair) };
    return baselineTowers(towerBaselines(problem).filter(isMeant), problem, options);
  }

  /**
   * The best partition, then the places of its towers' tables. Where those of a tower have none, they are kept from
   * being in one tower (logic-based Benders decomposition; Hooker and Ottosson 2003), and the next best partition is
   * next, until one has places or there is none left.
   */
  async #solveRow(shape: TowerShape, until: number): Promise<JointRowParts> {
    const tables = new TowerTables(this.#prepared, shape, (...what) => this.#place(...what), this.#work, this.#without);
    const units = START_SHARE * secondsTo(this.#work, until, PARTITION_SHARE) * UNITS_PER_SECOND;
    const starts = this.#baselinesOf(shape, isStart, this.#work.slice(units));
    this.#starts.set(shape.towers, starts);
    const isStarted = !this.#without.has("published starts");
    const known = starts.flatMap(({ numbering }) => (isStarted && numbering ? [numbering] : []));
    const { instance, joint, interaction } = this.#prepared;
    const all = jointGrouping(instance, joint, shape, interaction);
    const unplaceable: UnplaceableParts[] = [];
    for (;;) {
      const conflicts = unplaceable.map(({ features }) => conflictOf(joint, shape, features));
      const grouping = { ...all, conflicts };
      const found = await this.#partition(grouping, known, until);
      const { numbering } = found;
      const partition = { ...found, shape, grouping, unplaceable: [...unplaceable] };
      if (numbering === null) return { ...partition, placements: [] };
      const { towers } = evaluateTowers(grouping, numbering);
      const placements = await tables.place(towers, until);
      const unplaced = placements.filter(({ outcome }) => outcome?.verdict.status === "infeasible");
      if (unplaced.length === 0 && placements.every(({ placement }) => placement !== null)) {
        return { ...partition, placements };
      }
      known.push(numbering);
      if (unplaced.length === 0 || this.#work.ask() || this.#work.done > until) {
        return await this.#fallBack(partition, placements, known, tables, until);
      }
      for (const [tower, features] of towers.entries()) {
        const { outcome } = placements[tower] as JointPlacementParts;
        if (outcome?.verdict.status !== "infeasible") continue;
        unplaceable.push(await tables.fewest({ ...outcome, features }, until));
      }
    }
  }

  async #partition(
    grouping: Grouping,
    starts: readonly (readonly number[])[],
    until: number,
  ): Promise<Pick<JointRowParts, "outcome" | "numbering">> {
    const { shouldStop } = this.#options;
    const { verdict, certificate, labels, units, proveSeconds } = await solveGrouping(grouping, {
      starts,
      gap: askedGap(this.#request.gap),
      ...this.#within(secondsTo(this.#work, until, PARTITION_SHARE)),
      seed: this.#request.seed,
      without: this.#without,
      ...(shouldStop === undefined ? {} : { shouldStop }),
    });
    this.#work.spend(units);
    this.#proveSeconds += proveSeconds;
    return { outcome: verdict === null || certificate === null ? null : { verdict, certificate }, numbering: labels };
  }

  /**
   * The best partition known whose tables have places that are found at once, with the bound that was proved. Where
   * there is none: the given partition, or no partition if one of its towers was proved to have no place.
   */
  async #fallBack(
    partition: Omit<JointRowParts, "placements">,
    placements: readonly JointPlacementParts[],
    known: readonly (readonly number[])[],
    tables: TowerTables,
    until: number,
  ): Promise<JointRowParts> {
    const { grouping, outcome } = partition;
    const evaluated = known
      .map((labels) => ({ labels, ...evaluateTowers(grouping, labels) }))
      .filter(({ violations, towers }) => violations.length === 0 && tables.areReady(towers))
      .sort((a, b) => a.value.compare(b.value));
    const [best] = evaluated;
    if (best === undefined) {
      const isImpossible = placements.some((one) => one.outcome?.verdict.status === "infeasible");
      return isImpossible
        ? { ...partition, outcome: null, numbering: null, placements: [] }
        : { ...partition, placements };
    }
    const gap = askedGap(this.#request.gap);
    const verdict =
      outcome &&
      this.#budget.checked((checkTime) => Verdict.of(grouping, outcome.certificate, best.labels, gap, checkTime));
    return {
      ...partition,
      numbering: best.labels,
      outcome: verdict && outcome && { verdict, certificate: outcome.certificate },
      placements: await tables.place(best.towers, until),
    };
  }

  async #solveFlat(): Promise<JointPlacementParts> {
    const { instance, joint } = this.#prepared;
    const { features } = instance;
    const problem = towerPlacementProblem(joint, instance.name, [...features.keys()], features, joint.cluster.nodes);
    return this.#place(problem, readyPlacement(problem, this.#without), workOf(this.#request).workSeconds);
  }

  /** So much work, in its seconds; of the clock, all that is left. */
  #within(workSeconds: number) {
    const mostUnits = workSeconds * UNITS_PER_SECOND;
    return { timeLimitSeconds: Math.max(0, this.#budget.secondsLeft), workSeconds, mostUnits };
  }

  async #place(
    problem: PlacementProblem,
    ready: ReadyPlacement | null,
    workSeconds: number,
  ): Promise<JointPlacementParts> {
    const { shouldStop, onProgress } = this.#options;
    const least = columnsOf(problem) * MILLISECONDS_PER_COLUMN;
    if (!this.#budget.affords(least / 1000)) {
      return { problem, outcome: null, placement: ready?.placement ?? null };
    }
    // With enough work, local search finds placements as good that split fewer tables, and so send fewer ids.
    const isStart = ready !== null && (!ready.isDealt || workSeconds * UNITS_PER_SECOND < AMPLE * least);
    const { direct, verdict, certificate, placement, units, proveSeconds } = await solvePlacement(problem, {
      ...{ gap: askedGap(this.#request.gap), ...this.#within(workSeconds), seed: this.#request.seed },
      without: this.#without,
      ...(isStart ? { starts: [ready.placement] } : {}),
      ...(shouldStop === undefined ? {} : { shouldStop }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    // Building and bounding the program is none of its search.
    this.#work.spend(least + units);
    this.#proveSeconds += proveSeconds;
    const outcome = verdict === null || certificate === null ? null : { verdict, certificate, on: direct };
    holdAgainst(
      ready === null ? [] : [{ what: "the tables as dealt out or packed", plan: ready.placement }],
      outcome === null ? [] : [provedOf(problem, { bound: outcome.verdict.bound, certificate })],
    );
    return { problem, outcome, placement: placement ?? (outcome === null ? (ready?.placement ?? null) : null) };
  }
}

/** About as many as the program of a placement has. */
function columnsOf({ tables, hbmBytes }: PlacementProblem): number {
  return hbmBytes.length * tables.reduce((sum, { options }) => sum + options.length, 0);
}
