import { planJsonSchema } from "../../plan-file/json-schema.js";
import { type Instance, PROBLEMS } from "./registry.js";

/**
 * The JSON Schema (draft 2020-12) of plan files: of all problems, or of those by one name, of which towers with tables and
 * without have one, and tables in groups and without.
 */
export async function plansJsonSchema(problem?: Instance["problem"]): Promise<object> {
  const chosen = PROBLEMS.filter(({ name }) => problem === undefined || name === problem);
  const schemas = await Promise.all(
    chosen.map(async ({ name, statuses, verifying }) => {
      const { schema } = await verifying();
      return planJsonSchema({ problem: name, statuses, schema });
    }),
  );
  const [first, ...others] = schemas as [object, ...object[]];
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "shardproof plan",
    ...(others.length === 0 ? first : { type: "object", oneOf: schemas }),
  };
}
