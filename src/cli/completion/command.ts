import { Argument, type Command } from "commander";
import { example } from "../commands/example.js";
import { SHELLS, type Shell } from "./shell.js";

const HELP = `
For every shell that you open, put the line of the example into ~/.bashrc; for zsh, with zsh in the place of bash, into
~/.zshrc, below the line that runs compinit.
`;

const EXAMPLE = example(`
$ source <(shardproof completion bash)
`);

/** Adds `completion` to the commands. Its code is loaded when it runs. */
export function addCompletionCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("completion")
    .description("print a script that completes commands, options, methods and files on the Tab key")
    .addArgument(new Argument("<shell>", "whose script").choices(SHELLS))
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (shell: Shell) => finish((await import("./completion.js")).runCompletion(shell, program)));
}
