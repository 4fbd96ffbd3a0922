import { withoutCopies } from "../../../models/table-placement/hot-rows.js";
import type { PlacementOption } from "../../../models/table-placement/problem.js";
import { coldName, hotName } from "../../../models/table-placement/shard-names.js";
import { instanceCosts } from "../../cost/placement/table-costs.js";
import { tableShapes } from "../../cost/placement/table-shapes.js";
import { InputError } from "../../errors/input-error.js";
import type { TableFeatures } from "../../instance/types/table-placement.js";
import type { ExportablePlacement } from "../exportable.js";
import { PARTS, type RemapManifest } from "./manifest.js";
import { checkRankFiles, type RemapOptions, type RemapSource, requireOrder, writeRemapFiles } from "./remap-files.js";
import { RowPlacement } from "./row-placement.js";
import { tableRanks } from "./table-ranks.js";
import { plain } from "./write-remap.js";

/**
 * Writes the remap of a placement's tables with hot rows on every device: for every row id whether it is one of them, and its index in the
 * table of its part, `NAME_hot` or `NAME_cold`, as the exported sharding plan calls them. Tables without hot rows have none.
 *
 * The order of rows by access comes from a rank file or from the table's counts, or row ids are said to be ranks, row 0 the
 * hottest (`idsAreRanks`). With `spread` the other rows are dealt to the blocks that their option cuts them into.
 *
 * Throws as {@link writeRemapFiles} does, and `InputError` where no table has hot rows, or a rank or counts file cannot be read, or has no order.
 */
export async function writePlacementRemap(
  plan: ExportablePlacement,
  folder: string,
  options: RemapOptions = {},
): Promise<RemapManifest> {
  const { instance, problem, placement, method, status, digest } = plan;
  const { indexOrder = "falling", rankFiles = new Map() } = options;
  const { tables: costs } = instanceCosts(instance);
  const shapes = tableShapes(instance);
  const sources = problem.tables.flatMap(({ name, options: known }, t): RemapSource[] => {
    const { option, devices } = placement.choices[t] as { option: number; devices: readonly number[] };
    const own = known[option] as PlacementOption;
    const features = costs[t]?.features;
    if (own.hot === undefined || features === null || features === undefined) return [];
    const rows = { hot: own.hot.rows, cold: features.rows - own.hot.rows };
    const shardCount = withoutCopies(own, devices).length;
    // Training deals ids by even blocks, whatever the planner's.
    const cut = shapes.of(t, { shardingType: own.shardingType, shardCount, rows: rows.cold }) ?? [];
    const blocks = cut.filter(({ offsets }) => offsets[1] === 0).length || 1;
    const placed = PARTS.map((part, code) => ({ rows: rows[part], code, blocks: part === "hot" ? 1 : blocks }));
    const ranked = { rows: features.rows, access: instance.tables[t]?.access, instanceFile: instance.file };
    const { order, ranks } = tableRanks(ranked, rankFiles.get(name));
    if (order === "identity") requireOrder(name, options, instance.file);
    return [
      {
        ...{ name, rows: features.rows, placement: new RowPlacement(placed, indexOrder) },
        embeddingTables: PARTS.map((part) => embeddingTable(name, part, rows[part], features)),
        order,
        chunks: plain(ranks),
        delta: async () => null,
      },
    ];
  });
  if (sources.length === 0) {
    const advice = "each table's own row ids are those of the plan";
    throw new InputError(`expected a plan with hot rows to remap, received one without; ${advice}`, instance.file);
  }
  checkRankFiles(
    sources.map(({ name }) => name),
    rankFiles,
  );
  const head = {
    instance: { name: instance.name, sha256: instance.sha256, file: instance.file },
    plan: { method, status, digest },
    tierCodes: Object.fromEntries(PARTS.map((part, code) => [part, code])),
  };
  return writeRemapFiles(head, sources, folder, options);
}

function embeddingTable(
  table: string,
  tier: (typeof PARTS)[number],
  rows: number,
  { dim, dataType, elementBytes }: TableFeatures,
): RemapManifest["tables"][number]["embeddingTables"][number] {
  const name = tier === "hot" ? hotName(table) : coldName(table);
  return { name, table, tier, rows, dim, dataType, bytes: rows * dim * elementBytes };
}
