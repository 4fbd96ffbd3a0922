import { Command, CommanderError, Help } from "commander";
import { UsageError } from "../errors/usage-error.js";
import { wrongFileHint } from "./commands/wrong-file.js";
import { COMPARE, EXPLAIN, EXPORT, FRONTIER, IMPORT, PLAN, REPORT, SOLVE, VERIFY } from "./tables/answers.js";
import {
  COMPLETION,
  DELTA,
  GENERATE,
  INIT,
  INTERACTION,
  LEARN_COST,
  LEARN_POLICY,
  REPRODUCE,
  SCHEMA,
  SIMULATE,
} from "./tables/more.js";
import { PROFILE, PROFILE_COLUMNS, PROFILE_COUNT, PROFILE_MERGE, PROFILE_SQL } from "./tables/profile.js";
import { STUDY, STUDY_COLLECT, STUDY_RUN, STUDY_SUBMIT } from "./tables/study.js";
import { addCommand, type CommandTable, exampleText } from "./tables/table.js";
import { withEvidence } from "./terminal/contradiction-file.js";
import { failureOf } from "./terminal/failure.js";
import { helpAtWidth } from "./terminal/help-lines.js";
import { EXIT } from "./terminal/streams.js";
import { VERSION } from "./version.js";

/** Columns of help, where a terminal has not fewer. */
const MAX_COLUMNS = 80;

const HELP = `
More commands:
  to begin      init, generate, interaction, schema
  to go on      solve, frontier, delta, simulate, study, reproduce
  to learn      learn-cost, learn-policy
  in the shell  completion, for the Tab key

shardproof COMMAND --help says more of a command and shows an example.
`;

const EXAMPLE = `
$ shardproof plan instances/paper/flexshard-rm1.yaml
…
proved: no plan is better than 139.296 ms
`;

/** So many commands, those of a day, are listed in full by help; the others are named below them. */
const OF_A_DAY = 8;

/** What runs a command: its arguments, and the options of its table, make the exit status. */
type Run = (...given: never[]) => Promise<number>;

/** The commands, with the commands of each. What is not asked for is not loaded. */
const COMMANDS: readonly (readonly [CommandTable, () => Promise<Run>, ...Inner[]])[] = [
  [PLAN, async () => (await import("./commands/plan.js")).runPlan],
  [COMPARE, async () => (await import("./commands/compare.js")).runCompare],
  [VERIFY, async () => (await import("./commands/verify.js")).runVerify],
  [EXPLAIN, async () => (await import("./commands/explain.js")).runExplain],
  [REPORT, async () => (await import("./commands/report.js")).runReport],
  [IMPORT, async () => (await import("./commands/import.js")).runImport],
  [EXPORT, async () => (await import("./commands/export.js")).runExport],
  [
    PROFILE,
    async () => (await import("./commands/profile.js")).runProfile,
    [PROFILE_COUNT, async () => (await import("./commands/profile.js")).runProfile],
    [PROFILE_COLUMNS, async () => (await import("./commands/profile-columns.js")).runProfileColumns],
    [PROFILE_MERGE, async () => (await import("./commands/profile-columns.js")).runProfileMerge],
    [PROFILE_SQL, async () => (await import("./commands/profile.js")).runProfileSql],
  ],
  [INIT, async () => (await import("./commands/init.js")).runInit],
  [GENERATE, async () => (await import("./commands/generate.js")).runGenerate],
  [INTERACTION, async () => (await import("./commands/interaction.js")).runInteraction],
  [SCHEMA, async () => (await import("./commands/schema.js")).runSchema],
  [SOLVE, async () => (await import("./commands/solve.js")).runSolve],
  [FRONTIER, async () => (await import("./commands/frontier.js")).runFrontier],
  [DELTA, async () => (await import("./commands/delta.js")).runDelta],
  [SIMULATE, async () => (await import("./commands/simulate.js")).runSimulate],
  [
    STUDY,
    async () => (await import("./commands/study.js")).runStudy,
    [STUDY_RUN, async () => (await import("./commands/study-run.js")).runStudyRun],
    [STUDY_COLLECT, async () => (await import("./commands/study-collect.js")).runStudyCollect],
    [STUDY_SUBMIT, async () => (await import("./commands/study-submit.js")).runStudySubmit],
  ],
  [REPRODUCE, async () => (await import("./commands/reproduce.js")).runReproduce],
  [LEARN_COST, async () => (await import("./commands/learn-cost.js")).runLearnCost],
  [LEARN_POLICY, async () => (await import("./commands/learn-policy.js")).runLearnPolicy],
  [COMPLETION, async () => (await import("./completion/completion.js")).runCompletion],
];

type Inner = readonly [CommandTable, () => Promise<Run>];

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
    .addHelpText("after", HELP + exampleText(EXAMPLE));
  for (const [table, run, ...inner] of COMMANDS) {
    const command = addCommand(program, table, finished(run));
    for (const [innerTable, innerRun] of inner) addCommand(command, innerTable, finished(innerRun));
  }
  return program;
}

function helpColumns(): number {
  const { isTTY, columns } = process.stdout;
  return isTTY === true && columns > 0 ? Math.min(columns, MAX_COLUMNS) : MAX_COLUMNS;
}

function finished(load: () => Promise<Run>): (...given: readonly unknown[]) => Promise<void> {
  return async (...given) => {
    process.exitCode = await (await load())(...(given as never[]));
  };
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
