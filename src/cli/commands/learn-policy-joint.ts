import { BUFFER } from "../../cost/neural/buffered-training.js";
import { predictSet } from "../../cost/neural/predict.js";
import { readWeights, writeWeights } from "../../cost/neural/weights.js";
import { readText } from "../../input/files.js";
import { given } from "../../input/given.js";
import { JointTraining } from "../../problems/table-placement/methods/autoshard/joint-training.js";
import { writePolicy } from "../../problems/table-placement/methods/autoshard/policy-file.js";
import { loadTasks, originOf, type TasksOrigin } from "../../problems/table-placement/methods/autoshard/tasks-file.js";
import { baseName } from "../../text/base-name.js";
import type { LearnedPolicy } from "../show/learned-policy.js";
import type { LEARN_POLICY } from "../tables/more.js";
import type { OptionsOf } from "../tables/table.js";
import { learnOn } from "./learn-policy-curve.js";

/** `steps`: the tables that are placed while learning. */
export type LearnPolicyOptions = OptionsOf<typeof LEARN_POLICY> & { readonly steps: number };

/** What both ways of learning come to. */
export interface LearnedFiles {
  readonly learned: Omit<LearnedPolicy, "shardproof" | "method" | "askedSteps" | "timing">;
  /** Texts by the file that each is to be written to. */
  readonly files: Readonly<Record<string, string>>;
  readonly isWhole: boolean;
}

/**
 * `learn-policy --joint ORACLE`: the policy and the cost network at once, with the weights `oracle` in the place of the hardware
 * that AutoShard measures on.
 */
export async function learnJointly(
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
export function namedOrigin<Origin extends TasksOrigin>(origin: Origin): Origin {
  const { tasks } = origin;
  return { ...origin, tasks: { ...tasks, file: baseName(tasks.file) } };
}
