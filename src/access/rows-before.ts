import { resolveBeside } from "../instance/load.js";
import {
  type RowsBefore,
  type RowTiersInstance,
  type Table,
  type TableFrom,
  TIERS,
} from "../instance/types/row-tiers.js";
import { readRowCounts } from "./counts/counts.js";
import { groupedCounts, NEW_ROW, tiersBefore } from "./counts/tiers-before.js";

/**
 * Where the rows of every table were, in the order in which a plan of the instance counts them; `null` where the instance
 * has no plan to move from. Rows that are known by their counts are ordered by falling access, those that are read alike by
 * the tier that they were in, in the order of `TIERS`, new rows last, and then by row id. Throws `InputError` when a counts
 * file cannot be read.
 */
export async function rowsBefore({ from, tables, file }: RowTiersInstance): Promise<readonly RowsBefore[] | null> {
  if (from === undefined) return null;
  return Promise.all(
    tables.map(async (table, t) => {
      const was = from.tables[t] as TableFrom | null;
      if (was === null) return [{ rows: table.rows, tier: null }];
      return was.by === "counts" ? byCounts(table, was, file) : was.runs;
    }),
  );
}

async function byCounts(
  { access, rows }: Table,
  was: Extract<TableFrom, { readonly by: "counts" }>,
  instanceFile: string,
): Promise<RowsBefore> {
  if (access.kind !== "counts") throw new RangeError("rows are known by counts that are not there");
  const path = resolveBeside(instanceFile, access.file);
  const found = new Map<number, number[]>();
  for await (const { counts, groups: tiers } of groupedCounts(
    readRowCounts(path, rows),
    tiersBefore(was, rows),
    rows,
  )) {
    for (let k = 0; k < counts.length; k++) {
      const appearances = (counts[k] as number) / access.samples;
      let ofTiers = found.get(appearances);
      if (ofTiers === undefined) {
        ofTiers = new Array(NEW_ROW + 1).fill(0) as number[];
        found.set(appearances, ofTiers);
      }
      ofTiers[tiers[k] as number] = (ofTiers[tiers[k] as number] as number) + 1;
    }
  }
  return [...found]
    .sort(([a], [b]) => b - a)
    .flatMap(([, ofTiers]) =>
      ofTiers.flatMap((count, code) => (count === 0 ? [] : [{ rows: count, tier: TIERS[code] ?? null }])),
    );
}
