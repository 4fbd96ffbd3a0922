import { BUFFER } from "../../cost/neural/buffered-training.js";
import { predictSet } from "../../cost/neural/predict.js";
import { readWeights, writeWeights } from "../../cost/neural/weights.js";
import { InputError } from "../../errors/input-error.js";
import { UsageError } from "../../errors/usage-error.js";
import { readText } from "../../input/files.js";
import { given } from "../../input/given.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { JointTraining } from "../../problems/table-placement/methods/autoshard/joint-training.js";
import {
  type PolicyFile,
  readPolicy,
  writePolicy,
} from "../../problems/table-placement/methods/autoshard/policy-file.js";
import { PolicyTraining } from "../../problems/table-placement/methods/autoshard/policy-training.js";
import { loadTasks, originOf, type TasksOrigin } from "../../problems/table-placement/methods/autoshard/tasks-file.js";
import { baseName } from "../../text/base-name.js";
import { type LearnedPolicy, showLearnedPolicy } from "../show/learned-policy.js";
import type { LEARN_POLICY } from "../tables/more.js";
import type { OptionsOf } from "../tables/table.js";
import { untilInterrupted } from "../terminal/interrupt.js";
import { EXIT, requireWritable, writeNoted, writeResult } from "../terminal/streams.js";
import { learnOn } from "./learn-policy-curve.js";

/** AutoShard's (appendix C.2). */
const STEPS = 100_000;

/** `shardproof learn-policy TASKS --cost weights.json --out policy.json`. */
export async function runLearnPolicy(file: string, options: OptionsOf<typeof LEARN_POLICY>): Promise<number> {
  const { cost, joint, out, costOut, steps = STEPS, quiet = false } = options;
  requireFitting(options);
  await requireWritable(out, costOut);
  const started = performance.now();
  const { learned, files, isWhole } = await untilInterrupted((signal) =>
    joint === undefined
      ? learnByCost(file, cost as string, { ...options, steps }, signal)
      : learnJointly(file, joint, { ...options, steps }, signal),
  );
  for (const [path, text] of Object.entries(files)) await writeNoted(path, () => text, quiet);
  const result: LearnedPolicy = {
    shardproof: 1,
    method: "autoshard-rl",
    ...learned,
    askedSteps: steps,
    timing: { trainSeconds: Math.round(performance.now() - started) / 1000 },
  };
  await writeResult(options.json === true ? writePlan(result) : showLearnedPolicy(result));
  return isWhole ? EXIT.solved : EXIT.notProved;
}

/** Throws `UsageError` for options that do not go together. */
function requireFitting({ cost, joint, out, costOut, buffer, resume }: OptionsOf<typeof LEARN_POLICY>): void {
  if (joint === undefined) {
    if (cost === undefined) throw new UsageError("the cost network is missing: name its weights with --cost FILE");
    if (costOut !== undefined) throw new UsageError("--cost-out is for --joint only");
    if (buffer !== undefined) throw new UsageError("--buffer is for --joint only");
    return;
  }
  if (costOut === undefined) {
    throw new UsageError("--joint trains a cost network, too: say with --cost-out FILE where it is to be written");
  }
  if (costOut === out) throw new UsageError("--out and --cost-out cannot be the same file");
  if (resume !== undefined) {
    throw new UsageError("--resume is not for --joint: a policy is of the cost network that it learned beside");
  }
}

/** Under a cost network that is as it is. */
async function learnByCost(
  file: string,
  cost: string,
  { out, resume, quiet = false, steps, ...options }: LearnPolicyOptions,
  signal: AbortSignal,
): Promise<LearnedFiles> {
  const network = readWeights(await readText(cost), cost);
  const tasks = await loadTasks(file);
  const resumed = resume === undefined ? null : readPolicy(await readText(resume), resume, network);
  if (resumed !== null) requireFewerSteps(resumed, steps, resume);
  const seed = options.seed ?? resumed?.progress.seed ?? 0;
  const reward = options.reward ?? resumed?.progress.reward ?? "ratio";
  const training = new PolicyTraining(tasks, network, {
    ...{ steps, seed, reward },
    ...(resumed === null ? {} : { resumed }),
  });
  const update = () => ({ meanReward: training.update() });
  const curve = await learnOn(training, update, { steps, quiet, signal });
  const { policy, progress, measure } = training.result();
  const from = { ...originOf(tasks), cost };
  const named = namedOrigin({ ...from, cost: baseName(cost) });
  const origin = { ...named, source: tasks.source, askedSteps: steps, curve, test: measure };
  return {
    learned: { ...from, ...progress, curve, test: measure },
    files: { [out]: writePolicy({ policy, progress }, network, origin) },
    isWhole: training.isOver,
  };
}

function requireFewerSteps({ progress }: PolicyFile, steps: number, file?: string): void {
  if (progress.steps < steps) return;
  const message = `expected a policy that has learned fewer than ${steps} steps, received one that has learned ${progress.steps}; ask for more with --steps`;
  throw new InputError(message, file);
}

/** `steps`: the tables that are placed while learning. */
type LearnPolicyOptions = OptionsOf<typeof LEARN_POLICY> & { readonly steps: number };

/** What both ways of learning come to. */
interface LearnedFiles {
  readonly learned: Omit<LearnedPolicy, "shardproof" | "method" | "askedSteps" | "timing">;
  /** Texts by the file that each is to be written to. */
  readonly files: Readonly<Record<string, string>>;
  readonly isWhole: boolean;
}

/**
 * `learn-policy --joint ORACLE`: the policy and the cost network at once, with the weights `oracle` in the place of the hardware
 * that AutoShard measures on.
 */
async function learnJointly(
  file: string,
  oracle: string,
  options: LearnPolicyOptions,
  signal: AbortSignal,
): Promise<LearnedFiles> {
  const { cost, out, costOut, steps, seed = 0, reward = "ratio", buffer = BUFFER, quiet = false } = options;
  const hardware = readWeights(await readText(oracle), oracle);
  const start = cost === undefined ? undefined : readWeights(await readText(cost), cost);
  const tasks = await loadTasks(file);
  const training = new JointTraining(tasks, (tables) => predictSet(hardware, tables), {
    ...{ steps, seed, reward, buffer, ...given({ start }) },
  });
  const curve = await learnOn(training, () => training.update(), { steps, quiet, signal });
  const { policy, progress, network, measure, fit } = training.result();
  const written = costOut as string;
  const joint = { oracle, buffer, measuredSets: training.measured, testFit: fit };
  const from = { ...originOf(tasks), cost: written };
  const named = namedOrigin({ ...from, cost: baseName(written) });
  const ofJoint = { ...joint, oracle: baseName(oracle) };
  const origin = { ...named, source: tasks.source, askedSteps: steps, joint: ofJoint, curve, test: measure };
  return {
    learned: { ...from, ...progress, joint, curve, test: measure },
    files: {
      [out]: writePolicy({ policy, progress }, network, origin),
      [written]: writeWeights(network, {
        ...namedOrigin(originOf(tasks)),
        ...{ source: tasks.source, ...progress, joint: ofJoint },
      }),
    },
    isWhole: training.isOver,
  };
}

/** Where learned weights come from, as they say it: files by their names alone, so that the same files give the same bytes. */
function namedOrigin<Origin extends TasksOrigin>(origin: Origin): Origin {
  const { tasks } = origin;
  return { ...origin, tasks: { ...tasks, file: baseName(tasks.file) } };
}
