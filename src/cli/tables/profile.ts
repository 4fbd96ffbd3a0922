import { InvalidArgumentError } from "commander";
import { type DataType, ELEMENT_BYTES } from "../../instance/data-type.js";
import { memoryBytes } from "./readers.js";
import { type CommandTable, collected } from "./table.js";

/** The formats of logs. */
export const FORMATS = ["csv", "tsv", "json", "parquet", "npy", "arrow"] as const;

const EVENTS = "files of the log, or patterns; - is standard input (CSV)";

/** How a line of the log is read. */
const LINES = {
  "--row <column>": "column of row ids, or of lists of them",
  "--list <column>": "column of lists of ids, where it does not show",
  "--sample <column>": "column that says which sample an access belongs to",
  "--weight <column>": "column of a line's accesses (default: one)",
} as const;

const SAMPLES = {
  "--samples <n>": ["how many, where no column says; also those without an access", positiveInteger],
} as const;

const COLUMNS = {
  "--columns <names>": "COLUMN, COLUMN[] (lists) or TABLE=COLUMN between commas, or all",
} as const;

const TABLE = { "--table <column>": "column that says which table a line is of" } as const;

const ONE = {
  "--rows <n>": ["rows of the table, those never read too", positiveInteger],
  "--from-aggregate <file...>": "result of the printed SQL, in place of a log",
} as const;

const PARTIAL = { "--partial": "count a part of a log into --out FILE.parquet, for merge" } as const;

const DIALECT = {
  "--dialect <name>": ["of the printed SQL", ["duckdb", "spark", "trino", "postgres", "clickhouse"]],
} as const;

/** The instance that is made of several columns. */
const INSTANCE = {
  "--instance <file>": "an instance whose tables are counted: by default the columns of their names",
  "--preset <name>": "without --instance: the cluster, as shardproof init --list has them",
  "--dim <n>": ["without --instance: elements per row", positiveInteger],
  "--data-type <type>": [
    "without --instance: of an element (default: fp32)",
    Object.keys(ELEMENT_BYTES) as readonly DataType[],
  ],
  "--plan <file>": "plan the instance that --out writes, and write the plan",
} as const;

const RESULT = {
  "--rank-file <file>": "row ids in falling order; of several a folder",
  "--out <file>": "the result: JSON or .csv; of several an instance",
  "--json": "machine-readable result on standard output",
  "--quiet": "no progress and no warnings",
} as const;

/** How files are read: help lists them of `count` alone. */
const READING = {
  "--format <format>": ["of the log (default: by its name)", FORMATS],
  "--delimiter <text>": ["between fields, such as :: (default: a comma; a tab in .tsv)", delimiter],
  "--null <text>": ["a text that is no value, as \\N is; repeatable", collected],
  "--skip <id>": ["a padding id, or COLUMN=ID; null: missing entries of lists; may be given again", collected],
  "--encoding <name>": "of a text log, such as latin-1, utf-16 or shift_jis (default: utf-8)",
  "--header": "the first line names the columns (default: if it looks so)",
  "--no-header": "the first line is data",
  "--ids <kind>": ["what ids are (default: as most of the first thousand)", ["integers", "texts"]],
  "--memory-limit <bytes>": ["of the database, such as 4GB (default: half of the machine's)", memoryBytes],
  "--temp-directory <folder>": "where to put what memory does not hold (default: the system's)",
} as const;

const READ_HELP = `
How files are read is said by --format, --delimiter, --null, --skip, --encoding, --header, --ids, --memory-limit and
--temp-directory, as of profile count.
`;

const ALL = {
  ...LINES,
  ...SAMPLES,
  ...COLUMNS,
  ...TABLE,
  ...ONE,
  ...PARTIAL,
  "--merge": "as profile merge",
  "--print-sql": "as profile sql",
  ...DIALECT,
  ...INSTANCE,
  ...RESULT,
  ...READING,
} as const;

export const PROFILE = {
  name: "profile",
  about: "count a log of accesses: a histogram of one column, or an instance of several (CSV, TSV, Parquet)",
  arguments: { "[events...]": EVENTS },
  options: ALL,
  hidden: Object.keys(ALL),
  help: `
A log is text (.csv, .tsv, .txt, also with .gz or .zst; UTF-8 or --encoding), JSON lines, NumPy's .npy, .parquet, .arrow or
.feather; patterns ("logs/*.parquet") stand for many files. Columns are named by the header, or numbered from 1.

Where the log is on a cluster, profile sql prints the aggregation: run it there, and hand its result (Parquet or CSV) to
profile count --from-aggregate FILE --samples N, of several columns to profile merge.

Without a command, profile takes the options of all four, and --merge and --print-sql, as it did before there were commands.
`,
  example: `
$ printf 'sample,row\\n1,5\\n1,7\\n2,5\\n3,9\\n3,5\\n' > log.csv
$ shardproof profile count log.csv --row row --sample sample --out counts.csv
…
accesses         5
mean length      1.66667 accesses per sample
`,
} as const satisfies CommandTable;

export const PROFILE_COUNT = {
  name: "count",
  about: "count one column: a histogram, or a counts file",
  arguments: { "[events...]": EVENTS },
  options: { ...LINES, ...SAMPLES, ...ONE, ...RESULT, ...READING },
  help: `
A line is one access (--row, --sample or --samples, perhaps --weight), or a sample with the list of its row ids (--row or
--list): a LIST column; in text, ids between blanks, | or ;, or in brackets. FILE.json of --out goes into an instance as
access: {histogram: …}, FILE.csv as access: {counts: {file: FILE.csv, samples: N}}.
`,
} as const satisfies CommandTable;

export const PROFILE_COLUMNS = {
  name: "columns",
  about: "count several columns, or tables, at once: an instance, and its plan",
  arguments: { "<events...>": "files of the log, or patterns" },
  options: { ...LINES, ...SAMPLES, ...COLUMNS, ...TABLE, ...PARTIAL, ...INSTANCE, ...RESULT, ...READING },
  hidden: Object.keys(READING),
  help: `
A line is a sample, or --sample says; a line without a value has no access of that column. A log of (sample, table, row):
--table, --row and --sample COLUMN; one file of (table, row, count): --table, --row and --weight COLUMN, --samples N. --out
FILE.yaml is the whole instance, its counts in a folder beside it; of table-placement also poolingFactor, and counts are by
row id, for export --to remap.
${READ_HELP}`,
} as const satisfies CommandTable;

export const PROFILE_MERGE = {
  name: "merge",
  about: "add up counts of parts of a log, or results of the SQL of several columns",
  arguments: { "<files...>": "of profile columns --partial, or of the SQL" },
  options: { ...SAMPLES, ...COLUMNS, ...INSTANCE, ...RESULT, ...READING },
  hidden: Object.keys(READING),
  help: READ_HELP,
} as const satisfies CommandTable;

export const PROFILE_SQL = {
  name: "sql",
  about: "print the SQL that counts in another database",
  arguments: { "[table]": "name of the log's table there (default: events)" },
  options: { ...LINES, ...COLUMNS, ...DIALECT },
} as const satisfies CommandTable;

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
