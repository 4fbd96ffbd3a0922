import { groupedRanks } from "../../access/counts/count-ranks.js";
import { readRowCounts } from "../../access/counts/counts.js";
import type { RankSource, RowRanks } from "../../access/counts/row-ranks.js";
import { groupedCounts, NEW_ROW, TierCodes, tiersBefore } from "../../access/counts/tiers-before.js";
import { rowsBefore } from "../../access/rows-before.js";
import { InputError } from "../../errors/input-error.js";
import { resolveBeside } from "../../instance/load.js";
import type { Run } from "../../instance/types/assignment.js";
import { type RowsBefore, type Table, type TableFrom, TIERS, tierCode } from "../../instance/types/row-tiers.js";
import type { ExportablePlan } from "../exportable.js";
import { tierTables } from "../tier-tables.js";
import { rowBlockCount } from "../torchrec/sharding.js";
import type { RemapManifest } from "./manifest.js";
import {
  checkRankFiles,
  type RanksChunk,
  type RemapOptions,
  type RemapSource,
  requireOrder,
  writeRemapFiles,
} from "./remap-files.js";
import { RowDelta } from "./row-delta.js";
import { RowPlacement } from "./row-placement.js";
import { tableRanks } from "./table-ranks.js";

export type { RemapOptions };

/**
 * Writes a plan as a remap into a folder, which is made where there is none: for every row id of every table the tier
 * that it goes to and its index inside that tier's own embedding table, and a manifest (see {@link RemapManifest}).
 *
 * The order of rows by access, which the plan's runs follow, comes from a rank file where one is given, from a table's
 * counts file (falling appearances, equal ones by rising row id, as the plan's classes have it), or else row ids are
 * taken to be ranks, row 0 the hottest.
 *
 * Memory is that of chunks and of the distinct counts, not of the rows (a rank file: 4 bytes per row, at most 256 MiB;
 * Parquet: DuckDB holds a table's rows until they are all there, on disk where they do not fit).
 *
 * Where the instance has a plan to move from, the rows that change their tier are written too (see {@link RowDelta}).
 *
 * Throws as {@link writeRemapFiles} does, and `InputError` when a counts or rank file cannot be read or is malformed.
 */
export async function writeRemap(
  plan: ExportablePlan,
  folder: string,
  options: RemapOptions = {},
): Promise<RemapManifest> {
  const { instance, assignment } = plan;
  const { indexOrder = "falling", rankFiles = new Map() } = options;
  checkRankFiles(
    instance.tables.map(({ name }) => name),
    rankFiles,
  );
  const parts = tierTables(instance, assignment);
  const before = await rowsBefore(instance);
  const sources = instance.tables.map((table, t): RemapSource => {
    const runs = assignment[t] as readonly Run[];
    const from = instance.from?.tables[t] ?? null;
    const { order, ranks } = ranksOf(table, instance.file, from, rankFiles.get(table.name));
    // All rows in one tier are in it in whatever order.
    if (order === "identity" && runs.length > 1) requireOrder(table.name, options, instance.file);
    const placed = runs.map(({ rows, tier }) => {
      return { rows, code: tierCode(tier), blocks: rowBlockCount(tier, instance.cluster) };
    });
    return {
      ...{ name: table.name, rows: table.rows, order, placement: new RowPlacement(placed, indexOrder) },
      embeddingTables: [...(parts[t] as (typeof parts)[number])],
      chunks: before === null ? plain(ranks) : codesBefore(table, from, ranks),
      delta: async (into, name) =>
        before === null ? null : RowDelta.create(into, name, before[t] as RowsBefore, runs),
    };
  });
  const head = {
    instance: { name: instance.name, sha256: instance.sha256, file: instance.file },
    plan: { method: plan.method, status: plan.status, digest: plan.digest },
    tierCodes: Object.fromEntries(TIERS.map((tier) => [tier, tierCode(tier)])),
  };
  return writeRemapFiles(head, sources, folder, options);
}

function ranksOf(
  { name, access, rows }: Table,
  instanceFile: string,
  from: TableFrom | null,
  rankFile: string | undefined,
): { order: RankSource; ranks: RowRanks } {
  if (from?.by === "counts" && access.kind === "counts") {
    if (rankFile !== undefined) {
      const advice = "leave its rank file out";
      throw new InputError(
        `expected the order of the counts of "${name}", by which its rows move; ${advice}`,
        rankFile,
      );
    }
    const path = resolveBeside(instanceFile, access.file);
    const open = () => groupedCounts(readRowCounts(path, rows), tiersBefore(from, rows), rows);
    return { order: "counts", ranks: groupedRanks(open, access.samples, rows, path) };
  }
  return tableRanks({ rows, access, instanceFile }, rankFile);
}

/** Without a plan that rows move from. */
export async function* plain(ranks: RowRanks): AsyncGenerator<RanksChunk> {
  for await (const chunk of ranks) yield { ranks: chunk, before: null };
}

/** Beside the ranks of rows the tiers that they were in: by row id, or where their order is the same, by rank. */
async function* codesBefore({ rows }: Table, from: TableFrom | null, ranks: RowRanks): AsyncGenerator<RanksChunk> {
  if (from?.by === "counts") {
    for await (const { counts: chunk, groups } of groupedCounts(ranks, tiersBefore(from, rows), rows)) {
      yield { ranks: chunk, before: groups };
    }
    return;
  }
  const then = from === null ? null : new TierCodes(from.runs);
  for await (const chunk of ranks) {
    yield { ranks: chunk, before: Uint8Array.from(chunk, (rank) => then?.at(rank) ?? NEW_ROW) };
  }
}
