import { InputError } from "../../errors/input-error.js";
import type { AnyInstance, InstanceReader } from "../../instance/reader.js";
import type { Problem } from "../problem.js";
import * as all from "./all.js";

/** All problems: those that `all.ts` names. A further one is a folder beside theirs, and a line there. */
export const PROBLEMS: readonly Problem[] = Object.values(all);

/** What each of them is made of, its name included: one member for each problem. */
export type Registered = TypesOf<(typeof all)[keyof typeof all]>;

type TypesOf<P> = P extends Problem<infer Types> ? Types : never;

/** An instance of any problem; `problem` tells them apart. */
export type Instance = Registered["instance"];

/** By their names: towers with tables and without have one. */
type ByName = {
  readonly [Name in Instance["problem"]]: Extract<Registered, { readonly instance: { readonly problem: Name } }>;
};

/** Of the problem by this name. */
export type RegisteredAs<Name extends Instance["problem"]> = ByName[Name];

/** How instances are read: towers with tables and without are of one problem. */
export const READERS: readonly InstanceReader<Instance>[] = Object.values(all)
  .map(({ reader }): InstanceReader<Instance> => reader)
  .filter((reader, k, readers) => readers.indexOf(reader) === k)
  .sort((a, b) => (a.problem < b.problem ? -1 : 1));

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
