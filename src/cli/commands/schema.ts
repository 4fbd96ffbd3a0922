import { didYouMean } from "../../errors/nearest.js";
import { UsageError } from "../../errors/usage-error.js";
import { instanceJsonSchema } from "../../problems/instances.js";
import { plansJsonSchema } from "../../problems/plan-schemas.js";
import { type Instance, PROBLEM_NAMES } from "../../problems/registry.js";
import { EXIT } from "../terminal/exit-status.js";
import { writeResult } from "../terminal/streams.js";

export interface SchemaCommandOptions {
  /** Of plan files: of all problems, or of the one by this name. */
  readonly plan?: true | string;
}

/** `shardproof schema`: the JSON Schema of the instance file, or of plan files. */
export async function runSchema({ plan }: SchemaCommandOptions): Promise<number> {
  if (typeof plan === "string" && !PROBLEM_NAMES.includes(plan)) {
    const meant = didYouMean(plan, PROBLEM_NAMES);
    const advice = meant === undefined ? "" : `; ${meant}`;
    throw new UsageError(`--plan: expected ${PROBLEM_NAMES.join(", ")} or nothing, received ${plan}${advice}`);
  }
  const schema =
    plan === undefined
      ? instanceJsonSchema()
      : await plansJsonSchema(plan === true ? undefined : (plan as Instance["problem"]));
  await writeResult(`${JSON.stringify(schema, null, 2)}\n`);
  return EXIT.solved;
}
