import type { CountsAccess } from "../instance/access.js";
import { countsFilesOf } from "../instance/access-of.js";
import type { PlacedTable, TablePlacementInstance } from "../instance/types/table-placement.js";
import { countsClasses } from "./counts/counts.js";

type Counted = Pick<TablePlacementInstance, "tables" | "torchrec" | "file">;

/**
 * The instance with its tables' files of counts read, those of the instance that it moves from too: as histograms, which say
 * where they are from. Throws `InputError` when one cannot be read, is malformed, or has more rows than its table.
 */
export async function withCounts(instance: TablePlacementInstance): Promise<TablePlacementInstance> {
  const { from } = instance;
  const old = from?.instance ?? null;
  const isCounted = [instance, old].some((one) => one !== null && countsFilesOf(one.tables).length > 0);
  if (!isCounted) return instance;
  const tables = await countedTables(instance);
  if (from === null || old === null) return { ...instance, tables };
  return { ...instance, tables, from: { ...from, instance: { ...old, tables: await countedTables(old) } } };
}

async function countedTables(instance: Counted): Promise<PlacedTable[]> {
  return Promise.all(
    instance.tables.map(async (table, t) => {
      const rows = rowsOf(instance, t);
      if (table.access?.kind !== "counts" || rows === null) return table;
      return { ...table, access: await histogramOf(table.access, rows, instance.file) };
    }),
  );
}

async function histogramOf(counts: CountsAccess, rows: number, file: string) {
  const classes = await countsClasses(counts, rows, file);
  const bins = Array.from(classes.rows, (own, k) => [own, classes.appearances[k] as number] as const);
  return { kind: "histogram", bins, counts } as const;
}

/** `null` where TorchRec's words have none, which its cost model refuses. */
function rowsOf({ tables, torchrec }: Counted, t: number): number | null {
  const { features } = tables[t] as PlacedTable;
  if (features !== null) return features.rows;
  const written = (
    torchrec?.value as { readonly tables?: readonly { readonly num_embeddings?: unknown }[] } | undefined
  )?.tables?.[t]?.num_embeddings;
  return Number.isSafeInteger(written) ? (written as number) : null;
}
