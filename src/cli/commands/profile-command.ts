import { type Command, InvalidArgumentError, Option } from "commander";
import { example } from "./example.js";
import { memoryBytes } from "./options.js";
import { DATA_TYPES, DIALECTS, FORMATS } from "./profile-words.js";
import { collected } from "./single-options.js";

const HELP = `
A log is text (.csv, .tsv, .txt, also with .gz or .zst; UTF-8 or --encoding) or .parquet; patterns ("logs/*.parquet") stand
for many files.
Either a line is one access (--row, --sample or --samples, perhaps --weight), or a line is one sample with the list of its
row ids (--row or --list): a LIST column in Parquet; in text, ids between blanks, | or ;, or in brackets, as JSON and
Python write lists. Columns are named by the header, or numbered from 1.

--out FILE.json holds the histogram for an instance's access: {histogram: …}; --out FILE.csv is a counts file for
access: {counts: {file: FILE.csv, samples: N}}, the shorter one to hand on where there are many distinct counts.

Several columns (--columns, --instance): a line is a sample, or --sample says; a line without a value has no access of that
column. --out FILE.yaml is then the whole instance, its counts in a folder beside it; of table-placement poolingFactor is
filled in too, and counts are by row id, for export --to remap. --plan FILE plans it too.
One file of (table, row, count): --table COLUMN --row COLUMN --weight COLUMN --samples N; equal ids of different tables are
different rows. A log of (sample, table, row): --table COLUMN --row COLUMN --sample COLUMN.

Where the log is on a cluster: --print-sql prints the aggregation, EVENTS being the table's name; run it there, and hand
its result (Parquet or CSV) to --from-aggregate FILE --samples N, of --columns to --merge. Parts of a log are counted by
--partial, each by itself, and added up by --merge.
`;

const EXAMPLE = example(`
$ printf 'sample,row\\n1,5\\n1,7\\n2,5\\n3,9\\n3,5\\n' | shardproof profile - --row row --sample sample --out profile.json
…
accesses         5
mean length      1.66667 accesses per sample
`);

/** Adds `shardproof profile`; its code is loaded when it runs. */
export function addProfileCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("profile")
    .description("build an access histogram from a log of accesses (CSV, TSV, Parquet)")
    .argument("[events...]", "files of the log, or patterns; - is standard input (CSV)")
    .option("--row <column>", "column of row ids, or of lists of them")
    .option(
      "--list <column>",
      "column of lists of row ids, where that does not show in the file; of --columns, several",
    )
    .option("--table <column>", "column that says which table a line is of: a log, or counts, of all tables in one")
    .option("--sample <column>", "column that says which sample an access belongs to")
    .option(
      "--samples <n>",
      "number of samples, where no column says; also counts those without an access",
      positiveInteger,
    )
    .option("--weight <column>", "column of the accesses that a line stands for (default: one)")
    .option(
      "--columns <names>",
      "several columns at once, COLUMN, COLUMN[] (lists) or TABLE=COLUMN between commas, or all: a line is a sample",
    )
    .option("--instance <file>", "an instance whose tables are counted: by default the columns of their names")
    .option("--preset <name>", "without --instance: the cluster, as shardproof init --list has them")
    .option("--dim <n>", "without --instance: elements per row", positiveInteger)
    .addOption(
      new Option("--data-type <type>", "without --instance: of an element (default: fp32)").choices(DATA_TYPES),
    )
    .option("--plan <file>", "plan the instance that --out writes, and write the plan")
    .option("--partial", "count a part of a log into --out FILE.parquet, for --merge")
    .option("--merge", "add up partial counts, or results of the printed SQL of --columns")
    .option("--rows <n>", "rows of the table: those not in the log are never read", positiveInteger)
    .option("--rank-file <file>", "write the row ids in falling order of accesses, one per line")
    .option("--out <file>", "write the profile as JSON, or as a counts file where the name ends in .csv")
    .option("--json", "machine-readable result on standard output")
    .option("--quiet", "no progress and no warnings")
    .addOption(new Option("--format <format>", "of the log (default: by its name)").choices(FORMATS))
    .option("--delimiter <text>", "between fields, such as :: (default: a comma; a tab in .tsv)", delimiter)
    .option("--null <text>", "a text that is no value, as \\N is; may be given again", collected)
    .option(
      "--skip <id>",
      "an id that is padding, or COLUMN=ID; null: missing entries of lists; may be given again",
      collected,
    )
    .option("--encoding <name>", "of a text log, such as latin-1, utf-16 or shift_jis (default: utf-8)")
    .option("--header", "the first line names the columns (default: if it looks so)")
    .option("--no-header", "the first line is data")
    .addOption(
      new Option("--ids <kind>", "what ids are (default: as most of the first thousand)").choices([
        "integers",
        "texts",
      ]),
    )
    .option(
      "--memory-limit <bytes>",
      "most memory for the database, such as 4GB (default: half of the machine's)",
      memoryBytes,
    )
    .option("--temp-directory <folder>", "where to put what memory does not hold (default: the system's)")
    .option("--from-aggregate <file...>", "read the result of the printed SQL instead of a log")
    .option("--print-sql", "print the aggregation for another database instead of running it")
    .addOption(new Option("--dialect <name>", "of the printed SQL").choices(DIALECTS))
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (events, options) => finish((await import("./profile.js")).runProfile(events, options)));
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
