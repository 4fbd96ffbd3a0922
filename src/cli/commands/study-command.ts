import { type Command, InvalidArgumentError, Option } from "commander";
import { example } from "./example.js";
import { MEMORY_LIMIT_TEXT, memoryBytes } from "./options.js";
import { SUBMIT_TARGETS } from "./submit-targets.js";

const HELP = `
Writes a folder with a job: a line for every plan, instances × varied keys × methods. shardproof study run FOLDER works the
lines that are not done yet, on as many processors as there are, and can be ended and started again at any time; study
collect FOLDER checks every result and writes tables and a page; study submit FOLDER writes a run for GNU parallel or Slurm.
docs/studies.md has the format of STUDY.yaml, and how a method of one's own is compared.

Exit status: 0 all is done and holds; 3 with --go: some plans are not done; 5 a result fails its check; 2 bad input or usage.
`;

const EXAMPLE = example(`
$ shardproof study instances/studies/tiny.yaml --out tiny-study --go
…
wrote tiny-study/results.csv
`);

const RUN_HELP = `
A line is done when its result is in the folder's results, whoever put it there: several runs may share a folder, and lines.
Ctrl-C ends the run at once; what is done stays, and the same command goes on.

Exit status: 0 all of these lines are done; 3 some failed, told on standard error; 130 Ctrl-C; 2 bad input or usage.
`;

const COLLECT_HELP = `
Every certificate is checked and every value computed again from the instance, as shardproof verify does. Writes results.csv
(and results.parquet where DuckDB is installed) and summary.md, tables in Markdown, which are the same bytes whoever ran the
lines; times.csv; and study.html.

Exit status: 0 all lines are done and hold; 3 some are not done; 5 a result fails its check, or a value is below a proved
bound; 2 bad input or usage.
`;

const SUBMIT_HELP = `
  local     a script that runs all lines on this machine
  parallel  a script for GNU parallel: --sshloginfile HOSTS in the place of this machine; the folder has to be there under the same path
  slurm     an array of tasks, each of which takes lines; sbatch options after --, such as -- --partition=cpu --time=2:00:00
`;

/** Adds `study` to the commands. Its code is loaded when it runs. */
export function addStudyCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  const study = program
    .command("study")
    .description(
      "many plans: instances × methods × varied keys, worked by many processors, checked, in tables and a page",
    )
    .argument("<study>", "the study's file (YAML or JSON)")
    .option("--out <folder>", "the job's folder (default: beside the study, its name with .study)")
    .option("--go", "also run and collect it")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (file, options) => finish((await import("./study.js")).runStudy(file, options)));
  withRunning(study);

  const run = study
    .command("run")
    .description("work the lines of a job that are not done")
    .argument("<folder>", "the job's folder")
    .option("--lines <a-b>", "these lines of the job file alone, from 1 (default: all)", lineRange)
    .addHelpText("after", RUN_HELP)
    .action(async (folder, _, command: Command) =>
      finish((await import("./study-run.js")).runStudyRun(folder, command.optsWithGlobals())),
    );
  withRunning(run);

  const collect = study
    .command("collect")
    .description("check every result, and write tables and a page")
    .argument("<folder>", "the job's folder")
    .addHelpText("after", COLLECT_HELP)
    .action(async (folder, _, command: Command) =>
      finish((await import("./study-collect.js")).runStudyCollect(folder, command.optsWithGlobals())),
    );
  withRunning(collect);

  study
    .command("submit")
    .description("write, and with --go start, a run on one machine, on several hosts, or in a queue")
    .argument("<folder>", "the job's folder")
    .argument("[options...]", "after --: options of sbatch or parallel")
    .addOption(new Option("--to <where>", "local, parallel or slurm").choices(SUBMIT_TARGETS).makeOptionMandatory())
    .option(
      "--tasks <n>",
      "tasks that the lines are shared among (default: one for 20 lines, 1000 at most)",
      atLeastOne,
    )
    .option("--workers <n>", "processors that a task uses (default: 1; local: all)", atLeastOne)
    .option("--go", "start it")
    .addHelpText("after", SUBMIT_HELP)
    .action(async (folder, more, _, command: Command) =>
      finish((await import("./study-submit.js")).runStudySubmit(folder, more, command.optsWithGlobals())),
    );
}

function withRunning(command: Command): void {
  command
    .option("--workers <n>", "threads (default: as many as the machine has processors)", atLeastOne)
    .option("--memory-limit <bytes>", MEMORY_LIMIT_TEXT, memoryBytes)
    .option("--quiet", "no progress");
}

function atLeastOne(text: string): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value >= 1) return value;
  throw new InvalidArgumentError("Expected an integer from 1 up to 999999.");
}

/** Lines from 1, both ends included. */
function lineRange(text: string): readonly [first: number, last: number] {
  const [, from, dash, to] = /^(\d{1,9})(?:(-)(\d{1,9})?)?$/.exec(text.trim()) ?? [];
  const first = Number(from);
  const last = dash === undefined ? first : to === undefined ? Number.POSITIVE_INFINITY : Number(to);
  if (first >= 1 && last >= first) return [first, last];
  throw new InvalidArgumentError("Expected lines such as 1-20, 21- or 7.");
}
