import { setImmediate } from "node:timers/promises";
import { readText } from "../cost/neural/read-data.js";
import { readWeights } from "../cost/neural/weights.js";
import { InputError } from "../errors/input-error.js";
import { type PolicyFile, readPolicy, writePolicy } from "../heuristics/table-placement/autoshard/policy-file.js";
import { PolicyTraining } from "../heuristics/table-placement/autoshard/policy-training.js";
import type { PolicyReward } from "../heuristics/table-placement/autoshard/rewards.js";
import { loadTasks, type PlacementTasks } from "../heuristics/table-placement/autoshard/tasks-file.js";
import { writePlan } from "../plan/write-plan.js";
import { EXIT } from "./exit-status.js";
import { requireFolder } from "./plan.js";
import { type CurvePoint, type LearnedPolicy, showLearnedPolicy } from "./show/learned-policy.js";
import { StatusLine } from "./show/status-line.js";
import { count } from "./show/units.js";
import { note, writeOutput, writeResult } from "./streams.js";

export interface LearnPolicyOptions {
  readonly cost: string;
  readonly out: string;
  readonly reward?: PolicyReward;
  readonly steps?: number;
  readonly seed?: number;
  readonly resume?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** AutoShard's (appendix C.2). */
const STEPS = 100_000;

/** Points of the learning curve. */
const POINTS = 20;

/** `shardproof learn-policy TASKS --cost weights.json --out policy.json`. */
export async function runLearnPolicy(file: string, options: LearnPolicyOptions): Promise<number> {
  const { cost, out, steps = STEPS, quiet = false } = options;
  await requireFolder(out);
  const network = readWeights(await readText(cost), cost);
  const tasks = await loadTasks(file);
  const resumed =
    options.resume === undefined ? null : readPolicy(await readText(options.resume), options.resume, network);
  if (resumed !== null) requireFewerSteps(resumed, steps, options.resume);
  const seed = options.seed ?? resumed?.progress.seed ?? 0;
  const reward = options.reward ?? resumed?.progress.reward ?? "ratio";
  const started = performance.now();
  const asked = { steps, seed, reward, ...(resumed === null ? {} : { resumed }) };
  const training = new PolicyTraining(tasks, network, asked);
  const curve = await train(training, steps, quiet);
  const { policy, progress, measure } = training.result();
  const learned: LearnedPolicy = {
    shardproof: 1,
    method: "autoshard-rl",
    ...originOf(tasks, cost),
    ...progress,
    askedSteps: steps,
    curve,
    test: measure,
    timing: { trainSeconds: Math.round(performance.now() - started) / 1000 },
  };
  const origin = { ...originOf(tasks, cost), source: tasks.source, askedSteps: steps, curve, test: measure };
  await writeOutput(out, writePolicy({ policy, progress }, network, origin));
  note(`wrote ${out}`, quiet);
  await writeResult(options.json === true ? writePlan(learned) : showLearnedPolicy(learned));
  return training.isOver ? EXIT.solved : EXIT.notProved;
}

function originOf({ file, sha256, train, test, devices }: PlacementTasks, cost: string) {
  return { tasks: { file, sha256, train: train.length, test: test.length, devices }, cost };
}

function requireFewerSteps({ progress }: PolicyFile, steps: number, file?: string): void {
  if (progress.steps < steps) return;
  const message = `expected a policy that has learned fewer than ${steps} steps, received one that has learned ${progress.steps}; ask for more with --steps`;
  throw new InputError(message, file);
}

/** Until the steps are over, or somebody asks to stop: between two updates there is time to hear that. */
async function train(training: PolicyTraining, steps: number, quiet: boolean): Promise<readonly CurvePoint[]> {
  const line = new StatusLine(quiet);
  const curve: CurvePoint[] = [];
  const start = training.steps;
  let rewards: number[] = [];
  let isStopped = false;
  const onInterrupt = () => {
    isStopped = true;
  };
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onInterrupt);
  try {
    while (!training.isOver && !isStopped) {
      rewards.push(training.update());
      const meanReward = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
      const placed = `${count(training.steps)} of ${count(steps)} tables placed`;
      line.show(() => [placed, `mean reward ${meanReward.toFixed(4)}`]);
      if (training.steps >= start + ((steps - start) * (curve.length + 1)) / POINTS) {
        curve.push({ steps: training.steps, meanReward });
        line.clear();
        note(`${placed}: mean reward ${meanReward.toFixed(4)}`, quiet);
        rewards = [];
      }
      await setImmediate();
    }
  } finally {
    line.clear();
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onInterrupt);
  }
  return curve;
}
