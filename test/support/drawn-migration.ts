import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placementProblem } from "../../models/table-placement/from-instance.js";
import type { PlacementChoice, PlacementOption } from "../../models/table-placement/problem.js";
import { requireInstance } from "../../src/instance/reader.js";
import type { TablePlacementInstance } from "../../src/instance/types/table-placement.js";
import type { ExportablePlacement } from "../../src/interop/exportable.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import type { Draw } from "../fuzz/oracle/draw.js";

/** A cluster in short. */
export interface Hosts {
  readonly nodes: number;
  readonly gpusPerNode: number;
}

/** A table as it is drawn: fp16, small enough to lay out its elements one by one. */
export interface DrawnTable {
  readonly name: string;
  readonly rows: number;
  readonly dim: number;
}

/** An option as instances write it. */
export interface DrawnOption {
  readonly shardingType: string;
  readonly kernel: string;
  readonly partitionBy: string;
  readonly shards: readonly (readonly [1, { cost: number; hbmBytes: number; hostBytes: number; ssdBytes?: number }])[];
}

export interface DrawnChoice {
  readonly shardingType: string;
  readonly kernel: string;
  readonly ranks: readonly number[];
}

/** An old plan with its instance, and an instance whose tables move from it. */
export interface DrawnMigration {
  readonly old: { readonly hosts: Hosts; readonly tables: readonly DrawnTable[] };
  readonly choices: Readonly<Record<string, DrawnChoice>>;
  readonly now: { readonly hosts: Hosts; readonly tables: readonly DrawnTable[] };
  readonly options: readonly (readonly DrawnOption[])[];
  readonly optimizer: string | null;
  readonly instance: TablePlacementInstance;
}

export const ELEMENT = 2;

/** Bytes of optimizer state by element and by row of a shard, of the optimizers that are drawn. */
export const STATE: Readonly<Record<string, readonly [cell: number, row: number]>> = {
  none: [0, 0],
  RowWiseAdagrad: [0, 4],
  Adagrad: [4, 0],
  PartialRowWiseAdam: [4, 4],
};

const SHAPES = [
  [1, 1],
  [1, 2],
  [1, 3],
  [2, 1],
  [2, 2],
  [3, 1],
] as const;

/** Some other cluster, tables dropped, added, grown and cut otherwise, in all the ways that TorchRec cuts them. */
export function drawMigration(draw: Draw): DrawnMigration {
  const hosts = (): Hosts => {
    const [nodes, gpusPerNode] = draw.of(SHAPES);
    return { nodes, gpusPerNode };
  };
  const before = hosts();
  const now = draw.oneIn(2) ? before : hosts();
  const table = (k: number): DrawnTable => ({ name: `t${k}`, rows: draw.int(1, 9), dim: draw.of([4, 8, 16]) });
  const oldTables = Array.from({ length: draw.int(1, 4) }, (_, k) => table(k));
  const kept = oldTables.filter((_, k) => k === 0 || !draw.oneIn(4));
  const changed = kept.map((one) =>
    draw.oneIn(3) ? { ...one, rows: draw.int(1, 12), dim: draw.oneIn(3) ? draw.of([4, 8, 16]) : one.dim } : one,
  );
  const tables = draw.oneIn(3) ? [...changed, table(9)] : changed;
  const optimizer = draw.of(Object.keys(STATE));
  const choices = Object.fromEntries(
    oldTables.map((one) => {
      const option = draw.of(optionsOf(one, before));
      const { shardingType, kernel } = option;
      return [one.name, { shardingType, kernel, ranks: ranksOf(draw, option, before) }];
    }),
  );
  const all = tables.map((one) => draw.shuffled(optionsOf(one, now)));
  const options = all.map((own) => own.slice(0, draw.int(1, 4)));
  const oldOptions = oldTables.map((one) => optionsOf(one, before));
  return {
    ...{ old: { hosts: before, tables: oldTables }, now: { hosts: now, tables }, choices, options },
    optimizer: optimizer === "none" ? null : optimizer,
    instance: read(document(before, oldTables, oldOptions), document(now, tables, options), {
      problem: "table-placement",
      devices: Array.from({ length: before.nodes * before.gpusPerNode }, () => []),
      choices,
      optimizer,
    }),
  };
}

/** The old plan, and a plan of the instance that is drawn, ready for a delta between them. */
export function drawSides(draw: Draw): { drawn: DrawnMigration; old: ExportablePlacement; now: ExportablePlacement } {
  const drawn = drawMigration(draw);
  const { instance, choices } = drawn;
  const before = instance.from?.instance as TablePlacementInstance;
  const side = (
    of: TablePlacementInstance,
    choose: (name: string, options: readonly PlacementOption[]) => PlacementChoice,
  ) => {
    const problem = placementProblem(of);
    const placement = { choices: problem.tables.map(({ name, options }) => choose(name, options)) };
    return { instance: of, problem, placement, method: "drawn", status: "heuristic", digest: "" };
  };
  return {
    drawn,
    old: side(before, (name, options) => {
      const { shardingType, kernel, ranks } = choices[name] as DrawnChoice;
      const option = options.findIndex((one) => one.shardingType === shardingType && one.kernel === kernel);
      return { option, devices: ranks };
    }),
    now: side(instance, (_, options) => {
      const option = draw.int(0, options.length - 1);
      return { option, devices: ranksOf(draw, options[option] as PlacementOption, drawn.now.hosts) };
    }),
  };
}

/** All ways to cut a table; what it needs is what it keeps. */
function optionsOf({ rows, dim }: DrawnTable, { nodes, gpusPerNode }: Hosts): readonly DrawnOption[] {
  const kinds: (readonly [type: string, by: string, count: number])[] = [
    ["table_wise", "device", 1],
    ["row_wise", "uniform", nodes * gpusPerNode],
    ["data_parallel", "uniform", nodes * gpusPerNode],
    ["table_row_wise", "host", gpusPerNode],
    ["grid_shard", "multi_host", gpusPerNode * (dim / 4)],
    ...(dim > 4 ? ([["column_wise", "device", dim / 4]] as const) : []),
    ...(dim > 8 ? ([["table_column_wise", "host", 2]] as const) : []),
  ];
  return kinds.flatMap(([shardingType, partitionBy, count]) =>
    (shardingType === "data_parallel" ? ["dense"] : ["fused", "fused_uvm", "key_value"]).map((kernel): DrawnOption => {
      const shards = Array.from({ length: count }, (_, k) => {
        const [r0, r1, c0, c1] = extentOf({ shardingType, count, k }, { rows, dim }, { nodes, gpusPerNode });
        const bytes = (r1 - r0) * (c1 - c0) * ELEMENT;
        const need = { cost: k + 1, hbmBytes: 0, hostBytes: 0 };
        const where = { fused_uvm: "hostBytes", key_value: "ssdBytes" }[kernel] ?? "hbmBytes";
        return [1, { ...need, [where]: bytes }] as const;
      });
      return { shardingType, kernel, partitionBy, shards };
    }),
  );
}

function ranksOf(
  draw: Draw,
  { partitionBy, shards }: { readonly partitionBy: string; readonly shards: readonly unknown[] },
  { nodes, gpusPerNode }: Hosts,
): readonly number[] {
  const node = draw.int(0, nodes - 1) * gpusPerNode;
  const order = draw.shuffled(Array.from({ length: nodes }, (_, k) => k));
  return shards.map((_, k) => {
    if (partitionBy === "uniform") return k;
    if (partitionBy === "device") return draw.int(0, nodes * gpusPerNode - 1);
    if (partitionBy === "host") return node + (shards.length === gpusPerNode ? k : draw.int(0, gpusPerNode - 1));
    return (order[Math.floor(k / gpusPerNode) % nodes] as number) * gpusPerNode + (k % gpusPerNode);
  });
}

/** Rows from and to, columns from and to, of a shard: written anew, so that it can be held against the program's. */
export function extentOf(
  { shardingType, count, k }: { readonly shardingType: string; readonly count: number; readonly k: number },
  { rows, dim }: Pick<DrawnTable, "rows" | "dim">,
  { gpusPerNode }: Hosts,
): readonly [number, number, number, number] {
  const rowsOf = (parts: number, part: number): readonly [number, number] => {
    const block = Math.ceil(rows / parts);
    return [Math.min(rows, part * block), Math.min(rows, (part + 1) * block)];
  };
  const columnsOf = (parts: number, part: number): readonly [number, number] => [
    (dim / parts) * part,
    (dim / parts) * (part + 1),
  ];
  switch (shardingType) {
    case "row_wise":
    case "table_row_wise":
      return [...rowsOf(count, k), 0, dim];
    case "column_wise":
    case "table_column_wise":
      return [0, rows, ...columnsOf(count, k)];
    case "grid_shard":
      return [...rowsOf(gpusPerNode, k % gpusPerNode), ...columnsOf(count / gpusPerNode, Math.floor(k / gpusPerNode))];
    default:
      return [0, rows, 0, dim];
  }
}

function document({ nodes, gpusPerNode }: Hosts, tables: readonly DrawnTable[], options: readonly unknown[]): object {
  return {
    ...{ shardproof: 1, name: "drawn", problem: "table-placement", costModel: "options" },
    cluster: { nodes, gpusPerNode },
    tables: tables.map((one, t) => ({ ...one, dataType: "fp16", options: options[t] })),
  };
}

function read(
  old: object,
  now: object,
  { optimizer, ...plan }: { readonly optimizer: string; readonly [key: string]: unknown },
): TablePlacementInstance {
  const folder = mkdtempSync(join(tmpdir(), "migration-"));
  try {
    writeFileSync(join(folder, "old.json"), JSON.stringify(old));
    writeFileSync(join(folder, "plan.json"), JSON.stringify(plan));
    const from = { plan: "plan.json", instance: "old.json", ...(optimizer === "none" ? {} : { optimizer }) };
    const text = JSON.stringify({ ...now, from });
    return requireInstance(tablePlacementReader, parseInstance(text, join(folder, "new.json")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
