import type { Table } from "../instance/types/row-tiers.js";
import { countsClasses } from "./counts/counts.js";
import { knownClasses } from "./known-classes.js";
import type { RowClasses } from "./row-classes.js";

/**
 * The rows of a table, grouped by how often a sample reads them. Memory is that of the classes, never of the rows.
 *
 * `instanceFile` is the file that the table comes from, which the path of a counts file is relative to. Throws
 * `InputError` when a counts file cannot be read.
 */
export async function tableClasses(table: Table, instanceFile: string): Promise<RowClasses> {
  const { access, rows } = table;
  return access.kind === "counts" ? countsClasses(access, rows, instanceFile) : knownClasses(access, rows);
}
