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
