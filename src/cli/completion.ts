import type { Command } from "commander";
import { bashScript } from "./completion-bash.js";
import type { Shell } from "./completion-command.js";
import { completedProgram } from "./completion-words.js";
import { zshScript } from "./completion-zsh.js";
import { EXIT } from "./exit-status.js";
import { writeResult } from "./streams.js";

/** `shardproof completion SHELL`. */
export async function runCompletion(shell: Shell, program: Command): Promise<number> {
  const words = completedProgram(program);
  await writeResult(shell === "bash" ? bashScript(words) : zshScript(words));
  return EXIT.solved;
}
