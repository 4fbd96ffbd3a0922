import { didYouMean } from "../../errors/nearest.js";
import { UsageError } from "../../errors/usage-error.js";
import { instanceJsonSchema } from "../../problems/planning/instances.js";
import { plansJsonSchema } from "../../problems/planning/plan-schemas.js";
import { type Instance, PROBLEM_NAMES } from "../../problems/planning/registry.js";
import type { SCHEMA } from "../tables/more.js";
import type { OptionsOf } from "../tables/table.js";
import { EXIT, jsonText, writeResult } from "../terminal/streams.js";

/** `shardproof schema`: the JSON Schema of the instance file, or of plan files. */
export async function runSchema({ plan }: OptionsOf<typeof SCHEMA>): Promise<number> {
  if (typeof plan === "string" && !PROBLEM_NAMES.includes(plan)) {
    const meant = didYouMean(plan, PROBLEM_NAMES);
    const advice = meant === undefined ? "" : `; ${meant}`;
    throw new UsageError(`--plan: expected ${PROBLEM_NAMES.join(", ")} or nothing, received ${plan}${advice}`);
  }
  const schema =
    plan === undefined
      ? instanceJsonSchema()
      : await plansJsonSchema(plan === true ? undefined : (plan as Instance["problem"]));
  await writeResult(jsonText(schema));
  return EXIT.solved;
}
