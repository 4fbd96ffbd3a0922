import { type Command, Help, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../../errors/usage-error.js";
import { example } from "./example.js";
import { memoryBytes } from "./options.js";
import { DATA_TYPES, DIALECTS, FORMATS } from "./profile-words.js";
import { collected } from "./single-options.js";

const HELP = `
A log is text (.csv, .tsv, .txt, also with .gz or .zst; UTF-8 or --encoding), JSON lines, NumPy's .npy, .parquet, .arrow or
.feather; patterns ("logs/*.parquet") stand for many files. Columns are named by the header, or numbered from 1.

Where the log is on a cluster, profile sql prints the aggregation: run it there, and hand its result (Parquet or CSV) to
profile count --from-aggregate FILE --samples N, of several columns to profile merge.

Without a command, profile takes the options of all four, and --merge and --print-sql, as it did before there were commands.
`;

const EXAMPLE = example(`
$ printf 'sample,row\\n1,5\\n1,7\\n2,5\\n3,9\\n3,5\\n' > log.csv
$ shardproof profile count log.csv --row row --sample sample --out counts.csv
…
accesses         5
mean length      1.66667 accesses per sample
`);

const COUNT_HELP = `
A line is one access (--row, --sample or --samples, perhaps --weight), or a sample with the list of its row ids (--row or
--list): a LIST column; in text, ids between blanks, | or ;, or in brackets. FILE.json of --out goes into an instance as
access: {histogram: …}, FILE.csv as access: {counts: {file: FILE.csv, samples: N}}.
`;

const COLUMNS_HELP = `
A line is a sample, or --sample says; a line without a value has no access of that column. A log of (sample, table, row):
--table, --row and --sample COLUMN; one file of (table, row, count): --table, --row and --weight COLUMN, --samples N. --out
FILE.yaml is the whole instance, its counts in a folder beside it; of table-placement also poolingFactor, and counts are by
row id, for export --to remap.
`;

const READ_HELP = `
How files are read is said by --format, --delimiter, --null, --skip, --encoding, --header, --ids, --memory-limit and
--temp-directory, as of profile count.
`;

const EVENTS = "files of the log, or patterns; - is standard input (CSV)";

const LINES = ["--row", "--list", "--sample", "--weight"];
const INSTANCE = ["--instance", "--preset", "--dim", "--data-type", "--plan"];
const RESULT = ["--rank-file", "--out", "--json", "--quiet"];
/** How files are read: help lists them of `count` alone. */
const READING = [
  ...["--format", "--delimiter", "--null", "--skip", "--encoding", "--header", "--no-header", "--ids"],
  ...["--memory-limit", "--temp-directory"],
];

/** What of the options of `profile` each of its commands takes. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  count: [...LINES, "--samples", "--rows", "--from-aggregate", ...RESULT, ...READING],
  columns: [...LINES, "--samples", "--columns", "--table", "--partial", ...INSTANCE, ...RESULT, ...READING],
  merge: ["--samples", "--columns", ...INSTANCE, ...RESULT, ...READING],
  sql: [...LINES, "--columns", "--dialect"],
};

/** Adds `profile` and its commands. Their code is loaded when they run. */
export function addProfileCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  const one = async (events: readonly string[], command: Command, more = {}) =>
    finish((await import("./profile.js")).runProfile(events, { ...optionsOf(command), ...more }));
  const several = async (events: readonly string[], command: Command, more = {}) =>
    finish((await import("./profile-columns.js")).runProfileColumns(events, { ...optionsOf(command), ...more }));
  const profile = withAllOptions(program.command("profile"))
    .description("count a log of accesses: a histogram of one column, or an instance of several (CSV, TSV, Parquet)")
    .argument("[events...]", EVENTS)
    .addHelpText("after", HELP + EXAMPLE)
    .action((events, _, command) => one(events, command));
  profile.configureHelp({
    ...profile.configureHelp(),
    visibleOptions: (command) =>
      new Help().visibleOptions(command).filter(({ long = "" }) => {
        return long === "--help" || (command !== profile && (command.name() === "count" || !READING.includes(long)));
      }),
  });
  profile
    .command("count")
    .description("count one column: a histogram, or a counts file")
    .argument("[events...]", EVENTS)
    .addHelpText("after", COUNT_HELP)
    .action((events, _, command) => one(events, command));
  profile
    .command("columns")
    .description("count several columns, or tables, at once: an instance, and its plan")
    .argument("<events...>", "files of the log, or patterns")
    .addHelpText("after", COLUMNS_HELP + READ_HELP)
    .action((events, _, command) => several(events, command));
  profile
    .command("merge")
    .description("add up counts of parts of a log, or results of the SQL of several columns")
    .argument("<files...>", "of profile columns --partial, or of the SQL")
    .addHelpText("after", READ_HELP)
    .action((files, _, command) => several(files, command, { merge: true }));
  profile
    .command("sql")
    .description("print the SQL that counts in another database")
    .argument("[table]", "name of the log's table there (default: events)")
    .action((table, _, command) => one(table === undefined ? [] : [table], command, { printSql: true }));
  for (const command of profile.commands) {
    for (const option of profile.options) if (takes(command, option)) command.addOption(option);
  }
}

function takes(command: Command, { long }: Option): boolean {
  return TAKEN[command.name()]?.includes(long as string) ?? true;
}

/** The options that were given, in the end to `profile`, which knows those of all its commands. */
function optionsOf(command: Command): Record<string, unknown> {
  const given = command.optsWithGlobals();
  const other = command.parent?.options.find(
    (option) => given[option.attributeName()] !== undefined && !takes(command, option),
  );
  if (other === undefined) return given;
  const called = `profile ${command.name()}`;
  throw new UsageError(`${called} takes no ${other.long}; see shardproof ${called} --help`);
}

function withAllOptions(command: Command): Command {
  return command
    .option("--row <column>", "column of row ids, or of lists of them")
    .option("--list <column>", "column of lists of ids, where it does not show")
    .option("--sample <column>", "column that says which sample an access belongs to")
    .option("--weight <column>", "column of a line's accesses (default: one)")
    .option("--samples <n>", "how many, where no column says; also those without an access", positiveInteger)
    .option("--columns <names>", "COLUMN, COLUMN[] (lists) or TABLE=COLUMN between commas, or all")
    .option("--table <column>", "column that says which table a line is of")
    .option("--rows <n>", "rows of the table, those never read too", positiveInteger)
    .option("--from-aggregate <file...>", "result of the printed SQL, in place of a log")
    .option("--partial", "count a part of a log into --out FILE.parquet, for merge")
    .option("--merge", "as profile merge")
    .option("--print-sql", "as profile sql")
    .addOption(new Option("--dialect <name>", "of the printed SQL").choices(DIALECTS))
    .option("--instance <file>", "an instance whose tables are counted: by default the columns of their names")
    .option("--preset <name>", "without --instance: the cluster, as shardproof init --list has them")
    .option("--dim <n>", "without --instance: elements per row", positiveInteger)
    .addOption(
      new Option("--data-type <type>", "without --instance: of an element (default: fp32)").choices(DATA_TYPES),
    )
    .option("--plan <file>", "plan the instance that --out writes, and write the plan")
    .option("--rank-file <file>", "row ids in falling order; of several a folder")
    .option("--out <file>", "the result: JSON or .csv; of several an instance")
    .option("--json", "machine-readable result on standard output")
    .option("--quiet", "no progress and no warnings")
    .addOption(new Option("--format <format>", "of the log (default: by its name)").choices(FORMATS))
    .option("--delimiter <text>", "between fields, such as :: (default: a comma; a tab in .tsv)", delimiter)
    .option("--null <text>", "a text that is no value, as \\N is; repeatable", collected)
    .option("--skip <id>", "a padding id, or COLUMN=ID; null: missing entries of lists; may be given again", collected)
    .option("--encoding <name>", "of a text log, such as latin-1, utf-16 or shift_jis (default: utf-8)")
    .option("--header", "the first line names the columns (default: if it looks so)")
    .option("--no-header", "the first line is data")
    .addOption(
      new Option("--ids <kind>", "what ids are (default: as most of the first thousand)").choices([
        "integers",
        "texts",
      ]),
    )
    .option("--memory-limit <bytes>", "of the database, such as 4GB (default: half of the machine's)", memoryBytes)
    .option("--temp-directory <folder>", "where to put what memory does not hold (default: the system's)");
}

function positiveInteger(text: string): number {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!(value >= 1 && value <= Number.MAX_SAFE_INTEGER)) {
    throw new InvalidArgumentError("Expected an integer of at least 1.");
  }
  return value;
}

/** As many bytes as DuckDB takes. */
const MAX_DELIMITER = 4;

function delimiter(text: string): string {
  const value = text === "\\t" || text === "tab" ? "\t" : text;
  if (value === "" || Buffer.byteLength(value) > MAX_DELIMITER || /["\r\n]/.test(value)) {
    throw new InvalidArgumentError(`Expected one to ${MAX_DELIMITER} characters, none of them a quote.`);
  }
  return value;
}
