import type { Command } from "commander";
import { EXIT } from "../terminal/exit-status.js";
import { writeResult } from "../terminal/streams.js";
import { bashScript } from "./bash.js";
import type { Shell } from "./shell.js";
import { completedProgram } from "./words.js";
import { zshScript } from "./zsh.js";

/** `shardproof completion SHELL`. */
export async function runCompletion(shell: Shell, program: Command): Promise<number> {
  const words = completedProgram(program);
  await writeResult(shell === "bash" ? bashScript(words) : zshScript(words));
  return EXIT.solved;
}
