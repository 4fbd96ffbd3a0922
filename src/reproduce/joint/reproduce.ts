import { join } from "node:path";
import { instancesFolder } from "../../input/instances-folder.js";
import { loadWith } from "../../instance/load.js";
import { tablePlacementReader } from "../../problems/table-placement/instance/reader.js";
import { planTablePlacement } from "../../problems/table-placement/solve/plan.js";
import { FREEDOMS, tightened, variantsOf } from "./freedoms.js";
import type { JointModel, JointReproduction, JointVariant } from "./reproduction.js";

/** Models with an access curve for their tables, in the folder instances. */
export const JOINT_MODELS = [
  "joint/criteo-8.yaml",
  "joint/criteo-64.yaml",
  "joint/criteo-64-every-vector.yaml",
  "joint/meta-24.yaml",
  "joint/rm1-beside-criteo.yaml",
] as const;

/** Of each search, as work is counted. */
const WORK_SECONDS = { whole: 20, quick: 0.1 } as const;

/** The models that `quick` has. */
const QUICK = 1;

export interface ReproduceJointOptions {
  /** One model, with hardly any search; default false. */
  readonly quick?: boolean;
  /** Where the package's folder instances is; found beside the program when not given. */
  readonly instances?: string;
  /** Asked during the searches: `true` ends with what is done by then. */
  readonly shouldStop?: () => boolean;
  /** Told before each search. */
  readonly onStep?: (what: string) => void;
}

/**
 * The best plan and the proved bound of each model with all freedoms, without each in turn, and with none. Searches end by work, never by
 * the clock, so that every machine has the same numbers; where a gap is left the optimum is between the two.
 *
 * Throws `InputError` when an instance cannot be read.
 */
export async function reproduceJoint(options: ReproduceJointOptions = {}): Promise<JointReproduction> {
  const { quick = false, instances = instancesFolder(), shouldStop = () => false, onStep } = options;
  const workSeconds = quick ? WORK_SECONDS.quick : WORK_SECONDS.whole;
  const models: JointModel[] = [];
  for (const file of JOINT_MODELS.slice(0, quick ? QUICK : JOINT_MODELS.length)) {
    const whole = await loadWith([tablePlacementReader], join(instances, file));
    const { name, tables, cluster, costUnit } = whole;
    const variants: JointVariant[] = [];
    for (const left of variantsOf(FREEDOMS)) {
      if (shouldStop()) break;
      const without = left.map((freedom) => freedom.name);
      onStep?.(without.length === 0 ? name : `${name} without ${without.join(" and ")}`);
      const instance = left.reduce((one, freedom) => freedom.without(one), whole);
      const { status, objective } = await planTablePlacement(instance, {
        workLimitSeconds: workSeconds,
        timeLimitSeconds: Number.MAX_SAFE_INTEGER,
        without: new Set(["prices"]),
        shouldStop,
      });
      // What was cut short by the time limit is not the same everywhere.
      if (shouldStop()) break;
      variants.push({ without, status, value: objective.value, bound: objective.bound });
    }
    const devices = cluster.nodes * cluster.gpusPerNode;
    models.push({
      name,
      instance: file,
      tables: tables.length,
      devices,
      unit: costUnit,
      variants: tightened(variants),
    });
  }
  return { workSeconds, models };
}
