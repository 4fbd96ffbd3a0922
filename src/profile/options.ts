export type LogFormat = "csv" | "tsv" | "json" | "parquet" | "npy" | "arrow";

/** How a log of accesses is to be read, and what is wanted of it. Columns are named, or numbered from 1. */
export interface ProfileOptions {
  /** Default: by the names of the files. */
  readonly format?: LogFormat;
  /** The column with the row id of an access, or with the list of a sample's row ids. */
  readonly row?: string;
  /** The column with the list of a sample's row ids, where that does not show in the file. */
  readonly list?: string;
  /** The column that says which table an access is of, where one log is of several. */
  readonly table?: string;
  /** The column that says which sample an access belongs to. */
  readonly sample?: string;
  /** The column with the number of accesses that a line stands for: whole numbers. Default: one. */
  readonly weight?: string;
  /** Samples in the log, those without an access too. Needed where no column and no list says. */
  readonly samples?: number;
  /** Rows of the table; those that the log does not name are never read. */
  readonly rows?: number;
  /** Between the fields of a line. Default: a tab in .tsv files and where the first line has one, else a comma. */
  readonly delimiter?: string;
  /**
   * How text files are written, by a name of the Encoding Standard (`latin-1`, which is windows-1252, `utf-16`,
   * `shift_jis`, …); default UTF-8.
   */
  readonly encoding?: string;
  /** Texts that are no value, in text files where they stand without quotes; `\\N` is one there already. */
  readonly missing?: readonly string[];
  /** Ids that are padding, left out of the counts: `ID`, or `COLUMN=ID`; `null` is a missing entry of a list. */
  readonly skip?: readonly string[];
  /** Whether the first line names the columns. Default: whether it looks so. */
  readonly header?: boolean;
  /** Default in text files: integers, all of them, when most of the first thousand are. */
  readonly ids?: "integers" | "texts";
  /** The files are the output of {@link aggregateSql}: `row` and `weight` are its two columns, `samples` is needed. */
  readonly isAggregate?: boolean;
  /** Where to write the row ids in falling order of accesses, ties by id; one per line. */
  readonly rankFile?: string;
  /** In DuckDB's words: "4GB". */
  readonly memoryLimit?: string;
  /** Where what does not fit into memory is put, in a folder of its own that is removed at the end. */
  readonly temporaryFolder?: string;
  readonly threads?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProfileProgress) => void;
  /** Told what was left out or may have been meant otherwise, a sentence each. */
  readonly onNote?: (note: string) => void;
}

/** How one of a log's columns is read. */
export interface LogOptions extends ProfileOptions {
  /** Lines without a row id have no access: samples without that feature. Otherwise they are an error. */
  readonly mayBeMissing?: boolean;
  /** What named the column, for messages; default `--row` or `--list`. */
  readonly option?: string;
}

export interface ProfileProgress {
  readonly stage: "reading" | "accesses" | "samples" | "ranks";
  /** Of several, the column that is counted. */
  readonly column?: string;
  /** From 0 to 100; negative while that is not known. */
  readonly percentage: number;
}

/** What stands in the place of a column's name beside the number of samples. */
export const OF_SAMPLES = "*";

/** Columns that are to be counted, and of how many samples they are. */
export interface Counted {
  readonly files: readonly string[];
  readonly columns: readonly { readonly name: string; readonly log: Log }[];
  readonly samples: number;
}

/** A log whose files and columns are known, ready for SQL. */
export interface Log {
  readonly files: readonly string[];
  /**
   * What stands behind FROM: a query with the columns `row`, and `sample` and `weight` where the log has them. `strict`
   * is off where lines end in two ways, which is checked to be all that is wrong with them.
   */
  readonly from: (strict: boolean) => string;
  readonly list: "array" | "text" | undefined;
  readonly hasSample: boolean;
  readonly hasWeight: boolean;
  /** Of the ids: integers in type; texts that must be integers; texts; texts that are integers if all of them are. */
  readonly ids: "native" | "integers" | "texts" | "either";
  /** Throws `InputError` for the first thing that is wrong in the log; returns when nothing is found. */
  readonly findFault: () => Promise<void>;
}
