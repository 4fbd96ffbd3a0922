import { register } from "node:module";

/**
 * Preloaded (`node --import`) by tests that want a fault in the compiled program, in each of its threads: PLANTED has, as JSON, by
 * the end of a file's path what is replaced in it and by what.
 */
if (process.env.PLANTED !== undefined) {
  register("./planted-fault-hooks.mjs", import.meta.url, { data: JSON.parse(process.env.PLANTED) });
}
