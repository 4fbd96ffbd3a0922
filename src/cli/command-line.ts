import { Command, CommanderError, Help } from "commander";
import { UsageError } from "../errors/usage-error.js";
import { addCompareCommand } from "./commands/compare-command.js";
import { addDeltaCommand } from "./commands/delta-command.js";
import { example } from "./commands/example.js";
import { addExplainCommand } from "./commands/explain-command.js";
import { addExportCommand } from "./commands/export-command.js";
import { addFrontierCommand } from "./commands/frontier-command.js";
import { addGenerateCommand } from "./commands/generate-command.js";
import { addImportCommand } from "./commands/import-command.js";
import { addInitCommand } from "./commands/init-command.js";
import { addInteractionCommand } from "./commands/interaction-command.js";
import { addLearnCostCommand } from "./commands/learn-cost-command.js";
import { addLearnPolicyCommand } from "./commands/learn-policy-command.js";
import { addPlanCommand } from "./commands/plan-command.js";
import { addProfileCommand } from "./commands/profile-command.js";
import { addReportCommand } from "./commands/report-command.js";
import { addReproduceCommand } from "./commands/reproduce-command.js";
import { addSchemaCommand } from "./commands/schema-command.js";
import { addSimulateCommand } from "./commands/simulate-command.js";
import { refuseRepeats } from "./commands/single-options.js";
import { addSolveCommand } from "./commands/solve-command.js";
import { addStudyCommand } from "./commands/study-command.js";
import { addVerifyCommand } from "./commands/verify-command.js";
import { wrongFileHint } from "./commands/wrong-file.js";
import { addCompletionCommand } from "./completion/command.js";
import { withEvidence } from "./terminal/contradiction-file.js";
import { EXIT } from "./terminal/exit-status.js";
import { failureOf } from "./terminal/failure.js";
import { helpAtWidth } from "./terminal/help-lines.js";
import { VERSION } from "./version.js";

/** Columns of help, where a terminal has not fewer. */
const MAX_COLUMNS = 80;

const HELP = `
More commands:
  to begin      init, generate, profile, interaction, schema
  to go on      delta, simulate, export, study, reproduce
  to learn      learn-cost, learn-policy
  in the shell  completion, for the Tab key

shardproof COMMAND --help says more of a command and shows an example.
`;

const EXAMPLE = example(`
$ shardproof plan instances/paper/flexshard-rm1.yaml
…
proved: no plan is better than 139.296 ms
`);

/** So many commands, those of a day, are listed in full by help; the others are named below them. */
const OF_A_DAY = 8;

const COMMANDS = [
  addPlanCommand,
  addVerifyCommand,
  addReportCommand,
  addCompareCommand,
  addExplainCommand,
  addFrontierCommand,
  addImportCommand,
  addSolveCommand,
  addInitCommand,
  addGenerateCommand,
  addProfileCommand,
  addInteractionCommand,
  addSchemaCommand,
  addDeltaCommand,
  addSimulateCommand,
  addExportCommand,
  addStudyCommand,
  addReproduceCommand,
  addLearnCostCommand,
  addLearnPolicyCommand,
  addCompletionCommand,
];

/** Every command's code is loaded when it runs: what is not asked for costs no time. */
function commandLine(): Command {
  const program = new Command("shardproof")
    .description("Places the embedding rows of recommendation models on GPUs and proves the plans optimal.")
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: helpColumns,
      writeErr: () => {},
      writeOut: (text) => process.stdout.write(helpAtWidth(text, helpColumns())),
    })
    .configureHelp({
      minWidthToWrap: 30,
      subcommandTerm: (command) => new Help().subcommandTerm(command).replace(" [options]", ""),
      visibleCommands: ({ commands, parent }) => commands.slice(0, parent === null ? OF_A_DAY : undefined),
    })
    .helpCommand(false)
    .addHelpText("after", HELP + EXAMPLE);
  for (const addCommand of COMMANDS) addCommand(program, finish);
  program.commands.forEach(refuseRepeats);
  return program;
}

function helpColumns(): number {
  const { isTTY, columns } = process.stdout;
  return isTTY === true && columns > 0 ? Math.min(columns, MAX_COLUMNS) : MAX_COLUMNS;
}

async function finish(exitStatus: Promise<number>): Promise<void> {
  process.exitCode = await exitStatus;
}

/** What is wrong, and where help is: that of the command, if one was named. */
function usageOf(error: CommanderError, { commands }: Command): UsageError {
  if (error.code === "commander.help") return new UsageError("expected a command; see shardproof --help");
  const outer = commands.find((known) => known.name() === process.argv[2]);
  const inner = outer?.commands.find((known) => known.name() === process.argv[3]);
  const help = ["shardproof", ...[outer, inner].flatMap((known) => known?.name() ?? []), "--help"].join(" ");
  return new UsageError(`${error.message.replace(/^error: /, "").replace(/\.$/, "")}; see ${help}`);
}

/** Runs the command that the process was asked for, and sets its exit code. */
export async function runCommandLine(): Promise<void> {
  const program = commandLine();
  try {
    await program.parseAsync();
  } catch (error) {
    const isCommander = error instanceof CommanderError;
    if (!(isCommander && error.exitCode === 0)) {
      const { message, exitStatus } = failureOf(isCommander ? usageOf(error, program) : await withEvidence(error));
      const hint = exitStatus === EXIT.badInput ? wrongFileHint(process.argv.slice(2), error) : null;
      process.stderr.write(`${message}${hint === null ? "" : `; ${hint}`}\n`);
      process.exitCode = exitStatus;
    } else {
      process.exitCode = EXIT.solved;
    }
  }
}
