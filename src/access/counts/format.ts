import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";

const FORMATS = ["csv", "npy", "parquet"] as const;

/** What is said of a file of counts that has no order of rows, where one is wanted. */
export const NO_ORDER =
  "received a histogram; write the counts of the rows, or give their order with --rank-file TABLE=FILE";

export type CountsFormat = (typeof FORMATS)[number];

/** The format that a counts file's name says. Throws `InputError` for another one. */
export function countsFormat(path: string): CountsFormat {
  const format = FORMATS.find((name) => path.toLowerCase().endsWith(`.${name}`));
  if (format !== undefined) return format;
  throw new InputError("expected a .csv, .npy or .parquet file of counts; convert it to one of these", path);
}

/** A file cut short to nothing is a mistake; rows that were never read are left out by many exports. */
export function requireSome(rows: number, tableRows: number, path: string): void {
  if (rows > 0) return;
  throw new InputError(`expected counts of up to ${tableRows} rows, received an empty file`, path);
}

/** An error of the file system as an `InputError`; any other as it is. */
export function countsFailure(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof InputError || code === undefined) return error;
  return fileError(error, path, "a file of counts that can be read", { advice: "check the path" });
}
