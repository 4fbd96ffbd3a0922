import { InputError } from "../../errors/input-error.js";

/** What is said of a plan file of a version or a problem that this program does not know. */
export function unknownPlan({ shardproof, problem }: Readonly<Record<string, unknown>>, file: string): InputError {
  const known = "row-tiers, table-placement or tower-partition";
  const received = `one of version ${JSON.stringify(shardproof)} for ${JSON.stringify(problem)}`;
  return new InputError(`expected a plan of version 1 for ${known}, received ${received}`, file);
}
