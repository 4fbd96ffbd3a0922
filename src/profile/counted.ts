import type { Log } from "./opened-log.js";

/** What stands in the place of a column's name beside the number of samples. */
export const OF_SAMPLES = "*";

/** Columns that are to be counted, and of how many samples they are. */
export interface Counted {
  readonly files: readonly string[];
  readonly columns: readonly { readonly name: string; readonly log: Log }[];
  readonly samples: number;
}
