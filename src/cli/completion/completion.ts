import type { Command } from "commander";
import { EXIT, writeResult } from "../terminal/streams.js";
import { bashScript } from "./bash.js";
import { zshScript } from "./zsh.js";

/** `shardproof completion SHELL`. */
export async function runCompletion(shell: "bash" | "zsh", _: object, { parent }: Command): Promise<number> {
  const program = parent as Command;
  await writeResult(shell === "bash" ? bashScript(program) : zshScript(program));
  return EXIT.solved;
}
