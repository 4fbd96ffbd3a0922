#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { addCompareCommand } from "./compare-command.js";
import { addCompletionCommand } from "./completion-command.js";
import { example } from "./example.js";
import { EXIT } from "./exit-status.js";
import { addExportCommand } from "./export-command.js";
import { failureOf, UsageError } from "./failure.js";
import { addFrontierCommand } from "./frontier-command.js";
import { helpAtWidth } from "./help-lines.js";
import { addImportCommand } from "./import-command.js";
import { addInteractionCommand } from "./interaction-command.js";
import { addLearnCostCommand } from "./learn-cost-command.js";
import { addLearnPolicyCommand } from "./learn-policy-command.js";
import { addPlanCommand } from "./plan-command.js";
import { addProfileCommand } from "./profile-command.js";
import { addReportCommand } from "./report-command.js";
import { addReproduceCommand } from "./reproduce-command.js";
import { addSchemaCommand } from "./schema-command.js";
import { addSimulateCommand } from "./simulate-command.js";
import { refuseRepeats } from "./single-options.js";
import { addSolveCommand } from "./solve-command.js";
import { ignoreStreamErrors } from "./streams.js";
import { addVerifyCommand } from "./verify-command.js";
import { wrongFileHint } from "./wrong-file.js";

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));

const HELP = `
shardproof COMMAND --help says more of a command and shows an example.
For completion of commands, options and files on the Tab key, put into ~/.bashrc or ~/.zshrc:
  source <(shardproof completion bash)      (or zsh)
`;

const EXAMPLE = example(`
$ shardproof plan instances/paper/flexshard-rm1.yaml
…
proved: no plan is better than 139.296 ms
`);

/** In the order in which help lists them. */
const COMMANDS = [
  addPlanCommand,
  addCompareCommand,
  addFrontierCommand,
  addVerifyCommand,
  addReportCommand,
  addSimulateCommand,
  addSolveCommand,
  addProfileCommand,
  addInteractionCommand,
  addImportCommand,
  addExportCommand,
  addLearnCostCommand,
  addLearnPolicyCommand,
  addReproduceCommand,
  addSchemaCommand,
  addCompletionCommand,
];

/** Every command's code is loaded when it runs: what is not asked for costs no time. */
function commandLine(): Command {
  const program = new Command("shardproof")
    .description("Places the embedding rows of recommendation models on GPUs and proves the plans optimal.")
    .version(version)
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: (text) => process.stdout.write(atWidth(text)) })
    .helpCommand(false)
    .addHelpText("after", HELP + EXAMPLE);
  for (const addCommand of COMMANDS) addCommand(program, finish);
  program.commands.forEach(refuseRepeats);
  return program;
}

/** On a terminal, text that fits it: help is set for wide ones. */
function atWidth(text: string): string {
  const { isTTY, columns } = process.stdout;
  return isTTY === true && columns > 0 ? helpAtWidth(text, columns) : text;
}

async function finish(exitStatus: Promise<number>): Promise<void> {
  process.exitCode = await exitStatus;
}

/** What is wrong, and where help is: that of the command, if one was named. */
function usageOf(error: CommanderError, { commands }: Command): UsageError {
  if (error.code === "commander.help") return new UsageError("expected a command; see shardproof --help");
  const command = commands.find((known) => known.name() === process.argv[2]);
  const help = `shardproof ${command === undefined ? "" : `${command.name()} `}--help`;
  return new UsageError(`${error.message.replace(/^error: /, "").replace(/\.$/, "")}; see ${help}`);
}

ignoreStreamErrors();
const program = commandLine();
try {
  await program.parseAsync();
} catch (error) {
  const isCommander = error instanceof CommanderError;
  if (!(isCommander && error.exitCode === 0)) {
    const { message, exitStatus } = failureOf(isCommander ? usageOf(error, program) : error);
    const hint = exitStatus === EXIT.badInput ? wrongFileHint(process.argv.slice(2), message) : null;
    process.stderr.write(`${message}${hint === null ? "" : `; ${hint}`}\n`);
    process.exitCode = exitStatus;
  } else {
    process.exitCode = EXIT.solved;
  }
}
