import { instanceJsonSchema } from "../../problems/instances.js";
import { EXIT } from "../terminal/exit-status.js";
import { writeResult } from "../terminal/streams.js";

/** `shardproof schema`: the JSON Schema of the instance file. */
export async function runSchema(): Promise<number> {
  await writeResult(`${JSON.stringify(instanceJsonSchema(), null, 2)}\n`);
  return EXIT.solved;
}
