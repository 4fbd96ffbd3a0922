import { InputError } from "../errors/input-error.js";
import type { Instance } from "../instance/instance.js";
import { jointTowers } from "./joint-towers/problem.js";
import type { Problem } from "./problem.js";
import { rowTiers } from "./row-tiers/problem.js";
import { tablePlacement } from "./table-placement/problem.js";
import { towerPartition } from "./tower-partition/problem.js";

/** All problems. A further one is a folder beside theirs, and a line here. */
export const PROBLEMS: readonly Problem[] = [rowTiers, tablePlacement, jointTowers, towerPartition];

/** As instances and plan files have them. */
export const PROBLEM_NAMES: readonly Instance["problem"][] = [...new Set(PROBLEMS.map(({ name }) => name))];

export function problemOf(instance: Instance): Problem {
  return PROBLEMS.find((problem) => problem.isOf(instance)) as Problem;
}

/** The problem of a plan file's JSON. Throws `InputError` for one of a version or a problem that this program does not know. */
export function problemOfPlan(json: Readonly<Record<string, unknown>>, file: string): Problem {
  const found = json.shardproof === 1 ? PROBLEMS.find((problem) => problem.isOf(json)) : undefined;
  if (found !== undefined) return found;
  const known = "row-tiers, table-placement or tower-partition";
  const received = `one of version ${JSON.stringify(json.shardproof)} for ${JSON.stringify(json.problem)}`;
  throw new InputError(`expected a plan of version 1 for ${known}, received ${received}`, file);
}
