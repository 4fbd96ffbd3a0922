import { BufferedTraining } from "../../../../cost/neural/buffered-training.js";
import type { MeasuredSet } from "../../../../cost/neural/cost-data.js";
import type { NetworkKind, NetworkTable } from "../../../../cost/neural/features.js";
import { type Fit, fitOf } from "../../../../cost/neural/fit.js";
import { LEARNING_RATE } from "../../../../cost/neural/learner.js";
import { predictSet } from "../../../../cost/neural/predict.js";
import type { TrainedNetwork } from "../../../../cost/neural/trained-network.js";
import { type Random, seededRandom } from "../../../../exact/random.js";
import { ActorCritic, BATCH, type TrainingTask } from "./actor-critic.js";
import type { PolicyFile } from "./policy-file.js";
import { PolicyNetwork } from "./policy-network.js";
import { policyTask } from "./policy-task.js";
import { measurePolicy, memoryLimit, type PolicyMeasure, type PolicyTrainingOptions } from "./policy-training.js";
import type { PlacementTasks } from "./tasks-file.js";

/** Milliseconds that a device takes for some tables, of which there is at least one: a micro-benchmark, or what stands for it. */
export type MeasureSet = (tables: readonly NetworkTable[]) => number;

export interface JointTrainingOptions extends Omit<PolicyTrainingOptions, "resumed"> {
  /** Of the cost network; default `neural`. */
  readonly kind?: NetworkKind;
  /** The cost network learns on from this one (then of its kind) instead of random weights. */
  readonly start?: TrainedNetwork;
  /** Measured sets that are kept; default 5,000. */
  readonly buffer?: number;
}

/** A batch of episodes. */
export interface JointUpdate {
  /** Mean of the rewards, which are of measured costs. */
  readonly meanReward: number;
  /** Mean squared error of the cost network on the sets of the episodes, before it learned from them; ms². */
  readonly costError: number;
}

/**
 * AutoShard's own training (section 4.5 and algorithm 1): the policy and the cost network learn at the same time. Each update
 * places a batch of tasks by the policy, which sees the tables' representations and the costs that the network predicts; every
 * device's set is measured; rewards are of the measured costs; the sets go into a ring buffer, and the cost network learns from
 * that ({@link BufferedTraining}). Both learning rates fall linearly to 0.
 *
 * The representations are the cost network's, and are learned from its loss alone. What the paper leaves open: costs are in
 * the scale of some random plans that are measured first, one batch of them.
 *
 * ```ts
 * const training = new JointTraining(tasks, (tables) => measured(tables), { steps: 100_000, seed: 0, reward: "ratio" });
 * while (!training.isOver) training.update();
 * const { network, policy } = training.result();
 * ```
 */
export class JointTraining extends ActorCritic {
  readonly #tasks: PlacementTasks;
  readonly #measure: MeasureSet;
  /** Numbers of the tables of all training tasks. */
  readonly #numbers: ReadonlyMap<NetworkTable, number>;
  readonly #costs: BufferedTraining;
  #network: TrainedNetwork;
  #measured: number;
  /** Sets that were measured since the cost network last learned. */
  #arrived: MeasuredSet[] = [];

  constructor(tasks: PlacementTasks, measure: MeasureSet, options: JointTrainingOptions) {
    const { seed, kind = options.start?.kind ?? "neural", start, buffer } = options;
    const tables = [...new Set(tasks.train.flat())];
    const numbers = new Map(tables.map((table, t) => [table, t]));
    const random = seededRandom(seed);
    const first = randomSets(tasks, random).map((set) => measuredSet(set, numbers, measure));
    super({ network: PolicyNetwork.drawn(random), costUnit: costPerTable(first) }, options, random, 0);
    this.#tasks = tasks;
    this.#measure = measure;
    this.#numbers = numbers;
    this.#measured = first.length;
    this.#costs = new BufferedTraining(tables, first, {
      kind,
      seed,
      ...(start === undefined ? {} : { start }),
      ...(buffer === undefined ? {} : { buffer }),
    });
    this.#costs.round([]);
    this.#network = this.#costs.trained();
  }

  /** Sets measured so far. */
  get measured(): number {
    return this.#measured;
  }

  /** One batch of episodes, and what both networks learn from it. */
  update(): JointUpdate {
    const { progress } = this;
    const meanReward = this.learnBatch();
    const sets = this.#arrived;
    this.#arrived = [];
    const costError = this.#costs.squaredError(sets);
    this.#costs.round(sets, LEARNING_RATE * (1 - progress));
    this.#network = this.#costs.trained();
    return { meanReward, costError };
  }

  /**
   * Both networks as their files have them, what the policy makes of the test tasks (measured), and how well the cost network
   * predicts the sets of these plans; `null` where there are none.
   */
  result(): PolicyFile & {
    readonly network: TrainedNetwork;
    readonly measure: PolicyMeasure;
    readonly fit: Fit | null;
  } {
    const learned = this.learned();
    const [costs, predicted]: [number[], number[]] = [[], []];
    const tasks = this.#tasks.test.map((tables) =>
      this.#taskOf(tables, (set) => {
        const cost = this.#measure(set);
        costs.push(cost);
        predicted.push(predictSet(this.#network, set));
        return cost;
      }),
    );
    const measure = measurePolicy(this.policy, tasks);
    return { network: this.#network, ...learned, measure, fit: costs.length === 0 ? null : fitOf(costs, predicted) };
  }

  protected override drawTask(random: Random): TrainingTask {
    return this.#taskOf(drawnOf(this.#tasks.train, random), (set) => {
      const measured = measuredSet(set, this.#numbers, this.#measure);
      this.#measured++;
      this.#arrived.push(measured);
      return measured.cost;
    });
  }

  /** A task as the policy sees it now; `measure` is asked for the set of each device that has tables. */
  #taskOf(tables: readonly NetworkTable[], measure: MeasureSet): TrainingTask {
    const task = policyTask(this.#network, tables, this.#tasks.devices);
    const inOrder = task.order.map((t) => tables[t] as NetworkTable);
    return {
      ...task,
      limit: memoryLimit(this.#tasks),
      measure: (homes) => setsOf(inOrder, homes, task.devices).map((set) => (set.length === 0 ? 0 : measure(set))),
    };
  }
}

function drawnOf(tasks: PlacementTasks["train"], random: Random): readonly NetworkTable[] {
  return tasks[random.integer(tasks.length)] as readonly NetworkTable[];
}

/** The sets of a batch of tasks with each table on a device drawn evenly. */
function randomSets({ train, devices }: PlacementTasks, random: Random): readonly (readonly NetworkTable[])[] {
  return Array.from({ length: BATCH }, () => drawnOf(train, random)).flatMap((tables) => {
    const homes = tables.map(() => random.integer(devices));
    return setsOf(tables, homes, devices).filter((set) => set.length > 0);
  });
}

function measuredSet(
  set: readonly NetworkTable[],
  numbers: ReadonlyMap<NetworkTable, number>,
  measure: MeasureSet,
): MeasuredSet {
  return { tables: set.map((table) => numbers.get(table) as number), cost: measure(set) };
}

/** The tables of each device, from the device of each table. */
function setsOf(tables: readonly NetworkTable[], homes: readonly number[], devices: number): NetworkTable[][] {
  const sets: NetworkTable[][] = Array.from({ length: devices }, () => []);
  for (const [t, home] of homes.entries()) sets[home]?.push(tables[t] as NetworkTable);
  return sets;
}

/** What device costs are divided by for the policy, milliseconds; above 0. */
function costPerTable(sets: readonly MeasuredSet[]): number {
  const costs = sets.reduce((sum, { cost }) => sum + Math.abs(cost), 0);
  return costs / sets.reduce((sum, { tables }) => sum + tables.length, 0) || 1;
}
