import type { PlacementProgram } from "../../../../../models/table-placement/direct-program.js";
import type { GoalProgram } from "../../../../../models/table-placement/goal-program.js";
import { MisplacedError } from "../../../../../models/table-placement/option-site.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import { coefficientAt, type Program } from "../../../../program/program.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { runInTurn, type Strategy } from "../../../../search/strategies.js";
import type { ShouldStop } from "../../../../search/work.js";
import { SolverError } from "../../../../solvers/solver-error.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { copyOf } from "../bounds/reduction-steps.js";
import { judgeOf } from "../known-plans.js";
import { PlacementState, type ProgramSolution } from "../placement-state.js";
import type { SolvePlacementOptions } from "../solve-options.js";
import { anneal, repaired } from "./anneal.js";
import { deviceBound } from "./device-bound.js";
import { dive } from "./device-dive.js";
import { type DeviceRoot, PRECISION } from "./device-generation.js";
import { type DeviceProblem, deviceProblem } from "./device-model.js";
import { deviceProof } from "./device-proof.js";
import { deviceTree } from "./device-tree.js";
import type { Measure } from "./goal-in-doubles.js";

/** A goal: its program, and the same for local search. */
export interface GoalTask {
  readonly problem: PlacementProblem;
  readonly built: PlacementProgram | GoalProgram;
  readonly measure: Measure;
  /** Placements to begin from; ones that break something are repaired, or passed over. */
  readonly starts: readonly Placement[];
  /** Where tables are now, where bytes that move are minimised; `null` elsewhere, or where options do not say it. */
  readonly now: Placement | null;
  /** Bounds that are known without a search. */
  readonly bounds: readonly BoundProof[];
}

/** Steps of annealing in the first round: by shards, and in all. */
const STEPS_PER_SHARD = 300;
const MIN_STEPS = 2000;
const MAX_STEPS = 60_000;

/** A repair takes so many times the steps of the first annealing. */
const REPAIR_STEPS = 10;

/** Nodes of the first tree, and how much more each round may do than the one before. */
const FIRST_NODES = 200;
const GROWTH = 3;

/**
 * Rounds of cuts where moved bytes are minimised: parts of tables would move, those with least bytes for their cost, and covers
 * of what the devices hold rule that out.
 */
const CUT_ROUNDS = 20;

/** Above this many columns a linear relaxation takes longer than it is worth here. */
const MAX_TREE_COLUMNS = 6000;

/** Up to this many the one relaxation of the whole program is worth it: where a goal is a sum, no other bound is near. */
const MAX_ROOT_COLUMNS = 60_000;

/** The share of the work that is left, which a general solver gets to look for a placement. */
const SOLVER_SHARE = 0.25;
const MOVED_SOLVER_SHARE = 0.5;

/** The shares that column generation and dives get, before a placement near its optimum is known and then. */
const PATTERN_SHARES = [0.4, 0.25] as const;
const DIVE_SHARES = [0.3, 0.2] as const;

/** How near to its end generation comes before a placement near it is known. */
const FIRST_PRECISION = 0.05;

/** What it takes to check what one device may hold, about. */
const CHECK_MILLISECONDS = 60;

/** What a leaf of the tree takes to be checked, and to be written twice, as shares of what the root took. */
const LEAF_CHECKING = 0.8;
const LEAF_WRITING = 1;

const ANNEALING: Strategy<GoalSearch> = { name: "annealing", applies: () => true, run: (search) => search.anneal() };
const TREE: Strategy<GoalSearch> = {
  name: "branch and bound",
  applies: ({ isSmall, isFewer, isRootOnly, round, hasDevices }) =>
    hasDevices ? isFewer : isSmall || (isRootOnly && round === 0),
  run: (search) => search.branchOnColumns(),
};
const SOLVER: Strategy<GoalSearch> = {
  name: "general solver",
  applies: ({ isSmall, round, hasDevices }) => isSmall && round === 0 && !hasDevices,
  run: (search) => search.askSolver(),
};

const DEVICES: Strategy<GoalSearch> = {
  name: "device patterns",
  applies: ({ hasBlocks, round }) => hasBlocks && round === 0,
  run: (search) => search.boundByDevices(),
};

const DIVES: Strategy<GoalSearch> = {
  name: "dives",
  applies: ({ hasDevices }) => hasDevices,
  run: (search) => search.dive(),
};

const DEVICE_TREE: Strategy<GoalSearch> = {
  name: "device tree",
  applies: ({ hasDevices, round }) => hasDevices && round === 0,
  run: (search) => search.branchOnDevices(),
};

const ROUND = [ANNEALING, TREE, SOLVER];

/** Of moved bytes a tree proves little before few bytes are known to do, which rule out most columns. */
const MOVED_ROUND = [ANNEALING, DEVICES, DIVES, SOLVER, DEVICE_TREE, TREE];

/** Strategies of {@link solveGoal}, by name. */
export const GOAL_STRATEGIES: readonly string[] = [...new Set([...ROUND, ...MOVED_ROUND])].map(({ name }) => name);

/**
 * Solves a goal of table placement for which there are no bounds of patterns: annealing and branch and bound over linear
 * relaxations in turn, each round longer than the last, and in the first a general solver as a source of placements.
 * Rounds end by steps and nodes, so that what is settled before the time limit is the same every time.
 */
export async function solveGoal(task: GoalTask, options: SolvePlacementOptions): Promise<ProgramSolution> {
  const search = new GoalSearch(task, options);
  for (const start of [...(task.now === null ? [] : [task.now]), ...task.starts]) search.offer(start);
  for (const proof of task.bounds) search.best.offer(proof);
  for (; !search.isSettled() && search.hasProgressed; search.lengthen()) {
    search.beginRound();
    await runInTurn(task.now === null ? ROUND : MOVED_ROUND, search, options.without);
  }
  return search.concluded();
}

/** The bound of the devices' patterns, and the milliseconds that writing and checking it took. */
interface ProvedDevices extends DeviceRoot {
  readonly proof: BoundProof;
  readonly writing: number;
  readonly checking: number;
}

class GoalSearch extends PlacementState {
  round = 0;
  /** Whether a linear relaxation is worth what it takes; and where a better bound is known. */
  readonly isSmall: boolean;
  readonly isFewer: boolean;
  readonly isRootOnly: boolean;
  readonly #task: GoalTask;
  readonly #blocks: DeviceProblem | null;
  #devices: ProvedDevices | null = null;
  #steps: number;
  #maxNodes = FIRST_NODES;

  constructor(task: GoalTask, options: SolvePlacementOptions) {
    super(task.built, options, options.judge ?? judgeOf(task.problem));
    this.#task = task;
    this.#blocks = deviceProblem(task.problem, task.built);
    const columns = task.built.program.columns.length;
    this.isFewer = columns <= MAX_TREE_COLUMNS;
    this.isSmall = columns <= (task.now === null ? MAX_TREE_COLUMNS : MAX_ROOT_COLUMNS);
    this.isRootOnly = !this.isSmall && columns <= MAX_ROOT_COLUMNS;
    const shards = task.problem.tables.reduce((sum, { options: [first] }) => sum + (first?.shards.length ?? 0), 0);
    this.#steps = Math.min(MAX_STEPS, MIN_STEPS + STEPS_PER_SHARD * shards);
  }

  /** From the best placement known, from each start, and from chance in turn. */
  anneal(): void {
    this.report("local search");
    const { problem, measure, now, starts, built } = this.#task;
    if (now !== null && this.round === 0) this.#repair(now);
    const { point } = this.incumbent;
    const known = point === null ? [] : [built.recover(point)];
    const from: readonly (Placement | null)[] = [...(now === null ? [] : [now]), ...known, ...starts, null];
    const target = this.bound.toNumber() * (1 + this.options.gap.toNumber());
    const start = from[this.round % from.length] as Placement | null;
    const seed = this.options.seed + this.round;
    const how = { seed, steps: this.#steps, start, now, target, shouldStop: this.work.ask };
    // Where nothing moves the value is 0, and no share of that says how much a difference is.
    const scale = now === null ? undefined : this.incumbent.value?.toNumber();
    const found = anneal(problem, measure, { ...how, ...(scale === undefined ? {} : { scale }) });
    if (found !== null) this.offer(found);
  }

  /** A placement that moves little from where tables are: what is far from that has no bound that helps. */
  #repair(now: Placement): void {
    const { problem, measure } = this.#task;
    const steps = REPAIR_STEPS * this.#steps;
    const mended = repaired(problem, measure, now, { seed: this.options.seed, steps, shouldStop: this.work.ask });
    if (mended !== null) this.offer(mended);
  }

  /** Whether devices are blocks of the program, tied together by where shards are placed alone. */
  get hasBlocks(): boolean {
    return this.#blocks !== null;
  }

  /**
   * The bound of patterns of whole shards below the best placement known: of that little is asked at first, placements are looked
   * for near it, and what is better than those leaves much less to go through.
   */
  async boundByDevices(): Promise<void> {
    const blocks = this.#blocks as DeviceProblem;
    const first = await this.#reach(blocks, FIRST_PRECISION, PATTERN_SHARES[0]);
    if (first === null) return;
    const { value } = this.incumbent;
    const slice = this.#slice(DIVE_SHARES[0]);
    await this.#dive(first, (units) => slice(units) || this.incumbent.value !== value);
    const root = (await this.#reach(blocks, PRECISION, PATTERN_SHARES[1], first)) ?? first;
    const started = performance.now();
    const proof = deviceProof(blocks, root);
    if (proof === null) return;
    const [writing, before] = [performance.now() - started, this.best.milliseconds];
    this.best.offer(proof);
    this.#devices = { ...root, proof, writing, checking: this.best.milliseconds - before };
  }

  /** What patterns come to below the best placement known. */
  async #reach(blocks: DeviceProblem, precision: number, share: number, from?: DeviceRoot): Promise<DeviceRoot | null> {
    const { value } = this.incumbent;
    if (value === null || value.sign() <= 0) return null;
    this.report("pattern bound");
    const how = { cutoff: value, precision, shouldStop: this.#slice(share), ...(from && { from }) };
    return unlessSolverFails(deviceBound(blocks, how));
  }

  #slice(share: number): ShouldStop {
    return this.work.slice(share * Math.max(0, this.all - this.work.done));
  }

  async #dive(root: DeviceRoot, isDone: ShouldStop): Promise<void> {
    this.report("local search");
    const most = root.cutoff.toNumber();
    const target = () => Math.min(most, this.incumbent.cutoff(this.options.gap)?.toNumber() ?? most);
    const offer = (point: readonly Rational[]) => this.incumbent.offer(point);
    const how = { root, target, offer, seed: this.options.seed + this.round, shouldStop: isDone };
    await unlessSolverFails(dive(this.#blocks as DeviceProblem, how));
  }

  /** Placements near the optimum of the patterns. */
  async dive(): Promise<void> {
    const slice = this.#slice(DIVE_SHARES[1]);
    if (this.#devices !== null) await this.#dive(this.#devices, (units) => slice(units) || this.isSettled());
  }

  get hasDevices(): boolean {
    return this.#devices !== null;
  }

  /** Branches where the bound of patterns leaves something open. */
  async branchOnDevices(): Promise<void> {
    if (this.#devices === null) return;
    this.report("device tree");
    const { writing, checking } = this.#devices;
    const tree = deviceTree(this.#blocks as DeviceProblem, {
      cutoff: () => this.incumbent.cutoff(this.options.gap),
      root: this.#devices,
      offer: (point) => this.incumbent.offer(point),
      shouldStop: this.work.ask,
      checking: CHECK_MILLISECONDS * this.#task.problem.hbmBytes.length,
      affords: (leaves) =>
        this.budget.affordsChecking(leaves * LEAF_CHECKING * checking, (leaves * LEAF_WRITING * writing) / 1000),
    });
    const proof = await unlessSolverFails(tree);
    if (proof !== null) this.best.offer(proof);
  }

  async branchOnColumns(): Promise<void> {
    const nodes = this.isRootOnly ? 1 : this.#maxNodes;
    await this.branch(nodes, this.work.ask, { cutRounds: this.#task.now === null ? 0 : CUT_ROUNDS });
  }

  /** Where little moves most columns are too dear. */
  async askSolver(): Promise<void> {
    const { value } = this.incumbent;
    if (this.#task.now === null) await this.ask(SOLVER_SHARE);
    else await this.ask(MOVED_SOLVER_SHARE, value === null ? null : withoutDearer(this.#task.built.program, value));
  }

  /** A placement with a shard where it may not be stands for no point. */
  offer(placement: Placement): void {
    try {
      this.incumbent.offer(this.#task.built.pointOf(placement));
    } catch (error) {
      if (!(error instanceof MisplacedError)) throw error;
    }
  }

  /** The next round takes longer. */
  lengthen(): void {
    this.round++;
    this.#steps *= GROWTH;
    this.#maxNodes *= GROWTH;
  }
}

/** What a search came to; `null` where the solver behind it has died, which others go on without. */
async function unlessSolverFails<Found>(search: Promise<Found>): Promise<Found | null> {
  try {
    return await search;
  } catch (error) {
    if (error instanceof SolverError) return null;
    throw error;
  }
}

/** The program without the columns of which one alone comes to more than the value of a point that is known. */
function withoutDearer(program: Program, value: Rational): SearchSpace {
  const { form } = program.objective;
  const space = SearchSpace.of(program);
  const box = copyOf(space.box);
  form.columns.forEach((j, k) => {
    if (coefficientAt(form, k).compare(value) > 0) box.upper[j] = Rational.zero;
  });
  return space.within(box).reduced();
}
