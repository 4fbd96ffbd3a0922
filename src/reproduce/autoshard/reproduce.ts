import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { loadCostData } from "../../cost/neural/read-data.js";
import { readWeights } from "../../cost/neural/weights.js";
import { InputError } from "../../errors/input-error.js";
import { readText } from "../../input/files.js";
import { instancesFolder } from "../../input/instances-folder.js";
import { loadTasks } from "../../problems/table-placement/methods/autoshard/tasks-file.js";
import { rewardOnTasks, splitGains } from "./analysis.js";
import { claims } from "./claims.js";
import { figure8, figure10, figure11 } from "./figures.js";
import { Stopped, type Work } from "./measured-methods.js";
import type { AutoShardReproduction } from "./reproduction.js";
import { table2, table3 } from "./tables.js";
import type { Guide, Task } from "./task-problem.js";

export interface ReproduceAutoShardOptions {
  /** Few sets, epochs, tasks and sizes: the whole path in seconds, the numbers of no use. */
  readonly quick?: boolean;
  /** Where the package's folder instances is; found beside the program when not given. */
  readonly instances?: string;
  /** Told what is being done, some times a second. */
  readonly onStep?: (what: string) => void;
  /** Asked as often: `true` ends with the parts that are over. */
  readonly shouldStop?: () => boolean;
}

/** How far the parts go; `sets` are the measured sets that are learned from, the first ones. */
const FULL = {
  sets: Number.POSITIVE_INFINITY,
  epochs: 30,
  randomPlans: 5,
  tasks: 10,
  sizes: [80, 160, 320, 480, 640, 800],
  sizeTasks: 3,
};
const QUICK: typeof FULL = { sets: 1000, epochs: 1, randomPlans: 1, tasks: 1, sizes: [80, 160], sizeTasks: 1 };

/** Measured costs, the network and the policy that learned from them, and the tasks, in the folder `costs` of the instances. */
const FILES = {
  data: "cpu-4-workers.json",
  network: "cpu-4-workers.neural.json",
  policy: "policy-cpu-4-workers.json",
  tasks: "autoshard-tasks.json",
};

/**
 * AutoShard's tables 2 and 3 and figures 8 to 11, on the costs that the package ships (embedding bags on CPUs): plans
 * are judged by the shipped cost network where the paper measures them on GPUs. Beside them two things that the paper
 * has not: how often its reward misleads, and what cutting tables by columns gains. The same options give the same
 * result.
 *
 * Throws `InputError` when a file of the package cannot be read.
 */
export async function reproduceAutoShard(options: ReproduceAutoShardOptions = {}): Promise<AutoShardReproduction> {
  const { quick = false, instances = instancesFolder() } = options;
  const { sets, epochs, randomPlans, tasks: taskCount, sizes, sizeTasks } = quick ? QUICK : FULL;
  const file = (name: string) => join(instances, "costs", name);
  const measured = await loadCostData(file(FILES.data));
  const data = { ...measured, sets: measured.sets.slice(0, sets) };
  const network = readWeights(await readText(file(FILES.network)), file(FILES.network));
  const { test, devices, hbmBytes } = await loadTasks(file(FILES.tasks));
  const tasks = test.slice(0, taskCount).map((tables): Task => ({ tables, devices, hbmBytes }));
  requirePolicy(file);
  const policy = { file: file(FILES.policy), text: () => readFileSync(file(FILES.policy), "utf8") };
  const guide: Guide = { network, policy };
  const work: Work = {
    epochs,
    sets: data.sets.length,
    randomPlans,
    step: (what) => {
      if (options.shouldStop?.() === true) throw new Stopped();
      options.onStep?.(what);
    },
  };
  const limits = (count: number) => ({ tasks: count, hbmBytes });
  const onTasks = part(() => figure8(tasks, guide, work));
  const onMore = part(() => figure11(data, sizes, limits(sizeTasks), guide, work));
  const errors = part(() => table3(data, work));
  const onUnseen =
    errors === null ? null : part(() => figure10(data, errors.halfNetwork, limits(taskCount), network, work));
  const parts = {
    figure8: onTasks,
    figure11: onMore,
    table3: errors?.errors ?? null,
    figure10: onUnseen,
    table2: part(() => table2(data, tasks, network, work)),
    reward: part(() => rewardOnTasks(tasks, guide, work)),
    splits: part(() => splitGains(tasks, guide, work)),
  };
  return {
    shardproof: 1,
    paper: "autoshard",
    scale: { epochs, tasks: tasks.length, quick },
    data: { file: basename(data.file), sha256: data.sha256, sets: data.sets.length },
    ...parts,
    claims: claims(parts),
  };
}

/** The policy is a quarter of what a package may be, so that clones alone have it. */
function requirePolicy(file: (name: string) => string): void {
  const [policy, tasks, network] = [FILES.policy, FILES.tasks, FILES.network].map(file);
  if (policy === undefined || existsSync(policy)) return;
  throw new InputError(
    `AutoShard's policy is not in the package; take it from the repository (instances/costs), or learn it again in a minute: shardproof learn-policy ${tasks} --cost ${network} --out ${policy}`,
    policy,
  );
}

/** `null` where time was up before the part was over. */
function part<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Stopped) return null;
    throw error;
  }
}
