import { InputError } from "../errors/input-error.js";
import type { AnyInstance, InstanceReader } from "../instance/reader.js";
import { jointTowers } from "./joint-towers/problem.js";
import type { Problem } from "./problem.js";
import { rowTiers } from "./row-tiers/problem.js";
import { tablePlacement } from "./table-placement/problem.js";
import { towerPartition } from "./tower-partition/problem.js";

/** All problems. A further one is a folder beside theirs, and a name here. */
const ALL = [rowTiers, tablePlacement, jointTowers, towerPartition];

export const PROBLEMS: readonly Problem[] = ALL;

/** An instance of any problem; `problem` tells them apart. */
export type Instance = ReturnType<(typeof ALL)[number]["reader"]["read"]>;

/** How instances are read: towers with tables and without are of one problem. */
export const READERS: readonly InstanceReader<Instance>[] = [...new Set(ALL.map(({ reader }) => reader))];

/** As instances and plan files have them. */
export const PROBLEM_NAMES: readonly string[] = READERS.map(({ problem }) => problem);

export function problemOf(instance: AnyInstance): Problem {
  return PROBLEMS.find((problem) => problem.isOf(instance)) as Problem;
}

/** The problem of a plan file's JSON. Throws `InputError` for one of a version or a problem that this program does not know. */
export function problemOfPlan(json: Readonly<Record<string, unknown>>, file: string): Problem {
  const found = json.shardproof === 1 ? PROBLEMS.find((problem) => problem.isOf(json)) : undefined;
  if (found !== undefined) return found;
  const known = `${PROBLEM_NAMES.slice(0, -1).join(", ")} or ${PROBLEM_NAMES.at(-1)}`;
  const received = `one of version ${JSON.stringify(json.shardproof)} for ${JSON.stringify(json.problem)}`;
  throw new InputError(`expected a plan of version 1 for ${known}, received ${received}`, file);
}
