import { InvalidArgumentError } from "commander";
import { MEMORY_LIMIT_TEXT, memoryBytes } from "./readers.js";
import type { CommandTable } from "./table.js";

const RUNNING = {
  "--workers <n>": ["threads (default: as many as the machine has processors)", atLeastOne],
  "--memory-limit <bytes>": [MEMORY_LIMIT_TEXT, memoryBytes],
  "--quiet": "no progress",
} as const;

const FOLDER = "the job's folder";

export const STUDY = {
  name: "study",
  about: "many plans: instances × methods × varied keys, worked by many processors, checked, in tables and a page",
  arguments: { "<study>": "the study's file (YAML or JSON)" },
  options: {
    "--out <folder>": "the job's folder (default: beside the study, its name with .study)",
    "--go": "also run and collect it",
    ...RUNNING,
  },
  help: `
Writes a folder with a job: a line for every plan, instances × varied keys × methods. shardproof study run FOLDER works the
lines that are not done yet, on as many processors as there are, and can be ended and started again at any time; study
collect FOLDER checks every result and writes tables and a page; study submit FOLDER writes a run for GNU parallel or Slurm.
docs/studies.md has the format of STUDY.yaml, and how a method of one's own is compared.

Exit status: 0 all is done and holds; 3 with --go: some plans are not done; 5 a result fails its check; 2 bad input or usage.
`,
  example: `
$ shardproof study instances/studies/tiny.yaml --out tiny-study --go
…
wrote tiny-study/results.csv
`,
} as const satisfies CommandTable;

export const STUDY_RUN = {
  name: "run",
  about: "work the lines of a job that are not done",
  arguments: { "<folder>": FOLDER },
  options: {
    "--lines <a-b>": ["these lines of the job file alone, from 1 (default: all)", lineRange],
    ...RUNNING,
  },
  help: `
A line is done when its result is in the folder's results, whoever put it there: several runs may share a folder, and lines.
Ctrl-C ends the run at once; what is done stays, and the same command goes on.

Exit status: 0 all of these lines are done; 3 some failed, told on standard error; 130 Ctrl-C; 2 bad input or usage.
`,
} as const satisfies CommandTable;

export const STUDY_COLLECT = {
  name: "collect",
  about: "check every result, and write tables and a page",
  arguments: { "<folder>": FOLDER },
  options: RUNNING,
  help: `
Every certificate is checked and every value computed again from the instance, as shardproof verify does. Writes results.csv
(and results.parquet where DuckDB is installed) and summary.md, tables in Markdown, which are the same bytes whoever ran the
lines; times.csv; and study.html.

Exit status: 0 all lines are done and hold; 3 some are not done; 5 a result fails its check, or a value is below a proved
bound; 2 bad input or usage.
`,
} as const satisfies CommandTable;

export const STUDY_SUBMIT = {
  name: "submit",
  about: "write, and with --go start, a run on one machine, on several hosts, or in a queue",
  arguments: { "<folder>": FOLDER, "[options...]": "after --: options of sbatch or parallel" },
  options: {
    "--to <where>": ["local, parallel or slurm", ["local", "parallel", "slurm"]],
    "--tasks <n>": ["tasks that the lines are shared among (default: one for 20 lines, 1000 at most)", atLeastOne],
    "--workers <n>": ["processors that a task uses (default: 1; local: all)", atLeastOne],
    "--go": "start it",
  },
  mandatory: ["to"],
  help: `
  local     a script that runs all lines on this machine
  parallel  a script for GNU parallel: --sshloginfile HOSTS in the place of this machine; the folder has to be there under the same path
  slurm     an array of tasks, each of which takes lines; sbatch options after --, such as -- --partition=cpu --time=2:00:00
`,
} as const satisfies CommandTable;

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
