import { countRanks } from "../../access/counts/count-ranks.js";
import { readRowCounts } from "../../access/counts/counts.js";
import { identityRanks, type RankSource, type RowRanks } from "../../access/counts/row-ranks.js";
import type { Access } from "../../instance/access.js";
import { resolveBeside } from "../../instance/load.js";
import { fileRanks } from "./file-ranks.js";

/** A table whose rows are to be ranked, and the file that the paths of its counts are relative to. */
export interface RankedTable {
  readonly rows: number;
  readonly access: Access | undefined;
  readonly instanceFile: string;
}

/**
 * The order of a table's rows by access: from a rank file where one is given, else from the file of counts that its access is
 * from (falling appearances, equal ones by rising row id, as its classes have it), else row ids are taken to be ranks.
 */
export function tableRanks(
  { rows, access, instanceFile }: RankedTable,
  rankFile: string | undefined,
): { readonly order: RankSource; readonly ranks: RowRanks } {
  if (rankFile !== undefined) return { order: "rank-file", ranks: fileRanks(rankFile, rows) };
  const counts = access?.kind === "histogram" ? access.counts : access;
  if (counts?.kind !== "counts") return { order: "identity", ranks: identityRanks(rows) };
  const path = resolveBeside(instanceFile, counts.file);
  return { order: "counts", ranks: countRanks(() => readRowCounts(path, rows), counts.samples, rows, path) };
}
