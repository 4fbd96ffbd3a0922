import { performance } from "node:perf_hooks";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import { towerProblem } from "../../../../models/tower-partition/build.js";
import { evaluateTowers } from "../../../../models/tower-partition/evaluate.js";
import { jointGrouping } from "../../../../models/tower-placement/grouping.js";
import { towerPlacementProblem } from "../../../../models/tower-placement/placement-problem.js";
import type { TowerShape } from "../../../../models/tower-placement/setting.js";
import type { TowerJoint, TowerPartitionInstance } from "../../../instance/tower-partition-instance.js";
import { towerNumbers } from "../../../instance/tower-partition-joint.js";
import { askedGap } from "../../../plan/row-tiers/asked-gap.js";
import type { PlanRequest } from "../../../plan/row-tiers/plan-file.js";
import { timingOf } from "../../../plan/row-tiers/timing.js";
import type { BaselineTowers } from "../../../plan/tower-partition/baseline.js";
import { assembleJointPlan, chosenRow } from "../../../plan/tower-partition/joint-assemble.js";
import { evaluateRow, type JointPlacementParts, type JointRowParts } from "../../../plan/tower-partition/joint-row.js";
import type { TowerPartitionPlan } from "../../../plan/tower-partition/plan-file.js";
import type { PlanOptions } from "../../row-tiers/plan.js";
import { solvePlacement } from "../../table-placement/solve.js";
import { TimeBudget } from "../../time/time-budget.js";
import { secondsLeft } from "../../time/time-limit.js";
import { TimeShares } from "../../time/time-shares.js";
import { baselineTowers, startsOf } from "../heuristic-runs.js";
import { solveGrouping } from "../solve.js";
import { dealtPlacement } from "./dealt-placement.js";

/** The share of a row's time that its partition may take. */
const PARTITION_SHARE = 0.4;

/**
 * What a placement's program takes to be built and bounded at least, for each of its columns. Where that is not left, the
 * tables are dealt out, and nothing is proved of them: hundreds of GPUs in one tower take seconds.
 */
const MILLISECONDS_PER_COLUMN = 0.03;

/** Ample time for a placement, as a multiple of that. */
const AMPLE = 20;

/** A tower instance with a cluster and tables, its matrix read (F × F by rows). */
export interface PreparedJoint {
  readonly instance: TowerPartitionInstance;
  readonly joint: TowerJoint;
  readonly interaction: Float64Array;
  readonly readSeconds: number;
}

/**
 * Chooses the number of towers, hosts per tower and the places of the tables together, so that the exposed seconds of the
 * embedding exchange are least within the memory of every GPU: for each T·K = nodes the best partition by the instance's
 * objective, then each tower's tables on its GPUs. Half of the time limit is shared evenly among the numbers of towers, half in
 * proportion to the GPUs of a tower. Both are proved, and so is the choice; models/tower-placement/README.md says
 * of what exactly.
 */
export async function planJoint(
  prepared: PreparedJoint,
  request: PlanRequest,
  options: JointOptions = {},
): Promise<TowerPartitionPlan> {
  return new JointSearch(prepared, request, options).run();
}

type JointOptions = Pick<PlanOptions, "spentSeconds" | "shouldStop" | "onProgress">;

class JointSearch {
  readonly #prepared: PreparedJoint;
  readonly #request: PlanRequest;
  readonly #options: JointOptions;
  readonly #budget: TimeBudget;
  /** By the number of towers. */
  readonly #baselines = new Map<number, readonly BaselineTowers[]>();
  #proveSeconds = 0;

  constructor(prepared: PreparedJoint, request: PlanRequest, options: JointOptions) {
    this.#prepared = prepared;
    this.#request = request;
    this.#options = options;
    const { spentSeconds = 0, shouldStop } = options;
    const left = secondsLeft({ timeLimitSeconds: request.timeLimitSeconds, spentSeconds }, prepared.readSeconds);
    this.#budget = new TimeBudget(left, shouldStop);
  }

  async run(): Promise<TowerPartitionPlan> {
    const { instance, joint, readSeconds } = this.#prepared;
    const started = performance.now();
    const numbers = towerNumbers(joint, instance.features.length);
    const rows: JointRowParts[] = [];
    // The flat exchange, which is that of one tower, comes last where no row is of one.
    const pieces = numbers.includes(1) ? numbers : [...numbers, 1];
    const perTower = pieces.map((towers) => 1 / towers);
    const all = perTower.reduce((sum, share) => sum + share, 0);
    const weights = perTower.map((share) => 1 / pieces.length + share / all);
    const shares = new TimeShares(this.#budget.secondsLeft, weights);
    for (const towers of numbers) {
      const until = performance.now() + shares.next() * 1000;
      rows.push(await this.#solveRow({ towers, hostsPerTower: joint.cluster.nodes / towers }, until));
    }
    const flat = rows.find(({ shape }) => shape.towers === 1)?.placements[0] ?? (await this.#solveFlat());
    const chosen = chosenRow(rows.map((row) => evaluateRow(joint, row)));
    const baselines = (chosen && this.#baselines.get(chosen.parts.shape.towers)) ?? [];
    const solveSeconds = (performance.now() - started) / 1000 - this.#proveSeconds;
    const timing = timingOf({ readSeconds, solveSeconds, proveSeconds: this.#proveSeconds });
    return assembleJointPlan({ instance, joint, request: this.#request, rows, flat, baselines, timing });
  }

  #problem({ towers }: TowerShape) {
    return towerProblem({ ...this.#prepared.instance, towers }, this.#prepared.interaction);
  }

  async #solveRow(shape: TowerShape, until: number): Promise<JointRowParts> {
    const { instance, joint, interaction } = this.#prepared;
    const grouping = jointGrouping(instance, joint, shape, interaction);
    const { shouldStop } = this.#options;
    const starts = baselineTowers(this.#problem(shape), this.#request.seed, {
      seconds: secondsTo(until, PARTITION_SHARE),
      shouldStop,
    });
    this.#baselines.set(shape.towers, starts);
    const { verdict, certificate, numbering, proveSeconds } = await solveGrouping(grouping, {
      starts: startsOf(starts),
      gap: askedGap(this.#request.gap),
      timeLimitSeconds: secondsTo(until, PARTITION_SHARE),
      seed: this.#request.seed,
      ...(shouldStop === undefined ? {} : { shouldStop }),
    });
    this.#proveSeconds += proveSeconds;
    const outcome = verdict === null || certificate === null ? null : { verdict, certificate };
    const towers = numbering === null ? [] : evaluateTowers(grouping, numbering).towers;
    const placements: JointPlacementParts[] = [];
    for (const [tower, features] of towers.entries()) {
      const name = `${instance.name} tower ${tower}`;
      const problem = towerPlacementProblem(joint, name, features, instance.features, shape.hostsPerTower);
      placements.push(await this.#place(problem, secondsTo(until, 1 / (towers.length - tower))));
    }
    return { shape, grouping, outcome, numbering, placements };
  }

  async #solveFlat(): Promise<JointPlacementParts> {
    const { instance, joint } = this.#prepared;
    const { features } = instance;
    const problem = towerPlacementProblem(joint, instance.name, [...features.keys()], features, joint.cluster.nodes);
    return this.#place(problem, this.#budget.secondsLeft);
  }

  async #place(problem: PlacementProblem, timeLimitSeconds: number): Promise<JointPlacementParts> {
    const { shouldStop, onProgress } = this.#options;
    const least = columnsOf(problem) * MILLISECONDS_PER_COLUMN;
    if (!this.#budget.affords(least / 1000)) {
      return { problem, outcome: null, placement: dealtPlacement(problem) };
    }
    // With time, local search finds placements as good that split fewer tables, and so send fewer ids.
    const start = timeLimitSeconds * 1000 < AMPLE * least ? dealtPlacement(problem) : null;
    const { verdict, certificate, placement, proveSeconds } = await solvePlacement(problem, {
      ...{ gap: askedGap(this.#request.gap), timeLimitSeconds, seed: this.#request.seed },
      ...(start === null ? {} : { starts: [start] }),
      ...(shouldStop === undefined ? {} : { shouldStop }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    this.#proveSeconds += proveSeconds;
    const outcome = verdict === null || certificate === null ? null : { verdict, certificate };
    return { problem, outcome, placement: placement ?? (outcome === null ? dealtPlacement(problem) : null) };
  }
}

/** About as many as the program of a placement has. */
function columnsOf({ tables, hbmBytes }: PlacementProblem): number {
  return hbmBytes.length * tables.reduce((sum, { options }) => sum + options.length, 0);
}

/** A share of the seconds until then; a moment where there are none left, so that something is found. */
function secondsTo(until: number, share: number): number {
  return Math.max(0.05, ((until - performance.now()) / 1000) * share);
}
