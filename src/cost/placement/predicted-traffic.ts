import { classesAfter } from "../../access/break-points.js";
import { knownClasses } from "../../access/known-classes.js";
import type { RowClasses } from "../../access/row-classes.js";
import type {
  LinkAmounts,
  PlacedFleet,
  PlacedPart,
  PlacedTable as PlacedRows,
} from "../../access/traffic/placed-table.js";
import { InputError } from "../../errors/input-error.js";
import type { PlacedTable, TableFeatures, TablePlacementInstance } from "../../instance/types/table-placement.js";
import type { ComputeKernel } from "../torchrec/kernels.js";
import { perfContext } from "../torchrec/perf/context.js";
import type { TorchrecProblem, TorchrecTable } from "../torchrec/problem.js";
import { readPlacedTorchrecProblem } from "../torchrec/read-problem.js";
import { omitsAbsentFeatures } from "../torchrec/release.js";
import type { ShardShape } from "../torchrec/shards.js";
import { intraGroupSize } from "../torchrec/topology.js";
import { type TableShapes, tableShapes } from "./table-shapes.js";
import { cachedRows, partOfTable, withCacheOf } from "./torchrec-variants.js";

/** A table as a plan has it. */
export interface PlacedAs {
  readonly shardingType: string;
  readonly kernel: string;
  /** Of the shards, the copies of hot rows apart. */
  readonly devices: readonly number[];
  /** Rows that every device has a copy of, and their share of the look-ups; absent: none. */
  readonly hot?: { readonly rows: number; readonly share: number } | undefined;
  /** Where the size of its cache was chosen. */
  readonly cache?: { readonly loadFactor: number } | undefined;
}

export interface ModelledTraffic {
  readonly fleet: PlacedFleet;
  readonly tables: readonly PlacedRows[];
  /** Samples of a device, where the cost model has none. */
  readonly assumedSamples: number | null;
}

/**
 * What the instance's cost model says of ids, vectors and misses of a plan, part by part. TorchRec's knows all of them; of the other
 * models rows looked up alone, for `samples` samples of every device.
 *
 * Throws `InputError` for a table of which nobody knows how many ids are looked up in it.
 */
export function modelledTraffic(
  instance: TablePlacementInstance,
  placed: readonly PlacedAs[],
  samples: number,
): ModelledTraffic {
  const shapes = tableShapes(instance);
  if (instance.torchrec !== null) {
    const problem = readPlacedTorchrecProblem(instance.torchrec);
    const { worldSize, localWorldSize } = problem.topology;
    return {
      fleet: { devices: worldSize, perHost: localWorldSize },
      tables: problem.tables.map((table, t) =>
        torchrecTable(problem, table, t, instance.tables[t] as PlacedTable, placed[t] as PlacedAs, shapes),
      ),
      assumedSamples: null,
    };
  }
  const { nodes, gpusPerNode } = instance.cluster;
  const fleet = { devices: nodes * gpusPerNode, perHost: gpusPerNode };
  const tables = instance.tables.map((table, t) =>
    plainTable(instance, table, t, placed[t] as PlacedAs, { shapes, samples, fleet }),
  );
  return { fleet, tables, assumedSamples: samples };
}

function torchrecTable(
  problem: TorchrecProblem,
  table: TorchrecTable,
  t: number,
  { access }: PlacedTable,
  as: PlacedAs,
  shapes: TableShapes,
): PlacedRows {
  const { topology, release, constants } = problem;
  const fleet = { devices: topology.worldSize, perHost: topology.localWorldSize };
  const group = Math.min(topology.worldSize, intraGroupSize(topology));
  const omits = table.isPooled && omitsAbsentFeatures(release);
  const classes = classesOf(access, table.rows);
  const parts = partsOf(as, table.rows, fleet.devices).map(({ kind, first, rows, share, own }) => {
    const cut = kind === "whole" ? table : partOfTable(table, rows, share);
    const { loadFactor } = own.cache ?? {};
    const cached = loadFactor === undefined ? cut : withCacheOf(problem, cut, classesAfter(classes, first), loadFactor);
    const shape = { shardingType: own.shardingType, shardCount: own.devices.length, rows };
    const { reduceScatterBytes, allToAllBytes, cacheFetches, inputs, outputs } = perfContext(
      problem,
      cached,
      own.kernel as ComputeKernel,
      shapes.rowNodes(shape),
    );
    const isScattered =
      (table.isPooled && own.shardingType === "row_wise") || /^(table_row_wise|grid_shard)$/.test(own.shardingType);
    const part = cutPart({
      ...{ kind, first, rows, shardingType: own.shardingType, devices: own.devices, groupSize: group },
      shapes: shapes.of(t, shape) ?? [],
      bytes: {
        id: constants.BIGINT_DTYPE,
        element: (isScattered ? reduceScatterBytes : allToAllBytes)[0],
        betweenGroups: allToAllBytes[0],
      },
      everyBag: cut.features.map(({ length }) => !omits || length >= 1),
      cachedRows: loadFactor === undefined ? null : cachedRows(cut, loadFactor),
    });
    const misses = loadFactor === undefined ? null : cacheFetches;
    return predicting(part, fleet, { inputs, outputs, isPooled: table.isPooled, misses });
  });
  return {
    name: table.name,
    ...{ classes, hasAccess: access !== undefined, isPooled: table.isPooled },
    features: table.features.map(({ length, poolings, batchSize }) => ({ length, bags: poolings * batchSize })),
    parts,
  };
}

function plainTable(
  { costModel, file }: TablePlacementInstance,
  { name, features, access }: PlacedTable,
  t: number,
  as: PlacedAs,
  { shapes, samples, fleet }: { shapes: TableShapes; samples: number; fleet: ModelledTraffic["fleet"] },
): PlacedRows {
  if (features === null || features.poolingFactor === null) {
    const advice = "add its keys rows, dim and poolingFactor to the instance and plan again";
    throw new InputError(
      `table ${name}: expected its ids per sample (poolingFactor), for which look-ups are drawn, received none; ${advice}`,
      file,
    );
  }
  const { rows, poolingFactor } = features;
  const parts = partsOf(as, rows, fleet.devices).map(({ kind, first, rows: own, share, own: placed }) => {
    const shape = { shardingType: placed.shardingType, shardCount: placed.devices.length, rows: own };
    const part = cutPart({
      ...{ kind, first, rows: own, shardingType: placed.shardingType, devices: placed.devices },
      groupSize: fleet.perHost,
      shapes: costModel.kind === "options" ? (shapes.of(t, shape) ?? []) : equalColumns(features, shape),
      bytes: { id: 8, element: features.elementBytes, betweenGroups: features.elementBytes },
      everyBag: [false],
      cachedRows: null,
    });
    const inputs = samples * poolingFactor * share;
    return predicting(part, fleet, { inputs, outputs: null, isPooled: true, misses: null });
  });
  return {
    ...{ name, classes: classesOf(access, rows), hasAccess: access !== undefined, isPooled: true },
    features: [{ length: poolingFactor, bags: samples }],
    parts,
  };
}

/** Copies of the hot rows are a table of their own, sharded data_parallel. */
function partsOf(as: PlacedAs, rows: number, devices: number) {
  const { hot } = as;
  if (hot === undefined) return [{ kind: "whole", first: 0, rows, share: 1, own: as } as const];
  const everywhere = Array.from({ length: devices }, (_, d) => d);
  const copies: PlacedAs = { shardingType: "data_parallel", kernel: "dense", devices: everywhere };
  return [
    { kind: "hot", first: 0, rows: hot.rows, share: hot.share, own: copies },
    { kind: "cold", first: hot.rows, rows: rows - hot.rows, share: 1 - hot.share, own: as },
  ] as const;
}

/** Of a table without an access distribution all rows are read alike, as models that know none divide what is looked up. */
function classesOf(access: PlacedTable["access"], rows: number): RowClasses {
  if (access !== undefined) {
    const classes = knownClasses(access, rows);
    if (classes.appearances.some((mean) => mean > 0)) return classes;
  }
  return { rows: Float64Array.of(rows), appearances: Float64Array.of(1) };
}

function equalColumns(
  { dim }: TableFeatures,
  { shardingType, shardCount, rows }: { shardingType: string; shardCount: number; rows: number },
) {
  const columns = shardingType === "data_parallel" ? dim : dim / shardCount;
  return Array.from({ length: shardCount }, (_, k) => ({
    offsets: [0, shardingType === "data_parallel" ? 0 : k * columns] as const,
    sizes: [rows, columns] as const,
  }));
}

type CutPart = Omit<PlacedPart, "predicted">;

type Cut = Omit<CutPart, "exchange" | "blocks" | "shards"> & {
  readonly shardingType: string;
  readonly devices: readonly number[];
  readonly shapes: readonly ShardShape[];
};

/** A part of which TorchRec's shards have these shapes: blocks of columns outside, blocks of rows inside. */
function cutPart({ shardingType, devices, shapes, ...part }: Cut): CutPart {
  const isCopied = shardingType === "data_parallel";
  const rowBlocks = shapes.filter(({ offsets }) => offsets[1] === shapes[0]?.offsets[1]).map(({ sizes }) => sizes[0]);
  const blocks = isCopied ? [part.rows] : rowBlocks;
  const isGrouped = shardingType === "table_row_wise" || shardingType === "grid_shard";
  return {
    ...part,
    exchange: isCopied ? "none" : isGrouped ? "grouped" : "all-to-all",
    blocks,
    shards: shapes.map(({ sizes }, k) => ({
      block: k % blocks.length,
      columns: sizes[1],
      device: devices[k] as number,
    })),
  };
}

/** Of one device's samples: ids, and outputs where the cost model knows them; and what is fetched of the whole batch. */
interface Quantities {
  readonly inputs: number;
  readonly outputs: number | null;
  readonly isPooled: boolean;
  readonly misses: number | null;
}

/** A part with what the cost model says of it: look-ups divide evenly among the blocks; what a shard gets and sends is every device's alike. */
function predicting(part: CutPart, { devices, perHost }: PlacedFleet, quantities: Quantities): PlacedPart {
  const { exchange, groupSize, blocks, shards, bytes } = part;
  const { inputs, outputs, isPooled, misses } = quantities;
  const isCopied = exchange === "none";
  const lookups = inputs * devices;
  const lookupsOfShard = (isCopied ? inputs : lookups) / blocks.length;
  const nothing = { own: 0, inside: 0, between: 0 };
  const ids = isCopied ? nothing : amongAll(shards.length * lookupsOfShard * bytes.id, devices, perHost);
  const known = { lookups, lookupsOfShard, ids, misses };
  if (isCopied || outputs === null) return { ...part, predicted: { ...known, outputs: null, vectors: null } };
  const columns = shards.reduce((sum, shard) => sum + shard.columns, 0);
  const sent = columns * devices * (isPooled ? outputs : outputs / blocks.length) * bytes.element;
  const inGroup = exchange === "grouped" ? amongAll(sent, groupSize, Math.min(perHost, groupSize)) : null;
  const groups = Math.max(1, Math.floor(devices / groupSize));
  const onwards = groups === 1 ? 0 : columns * outputs * groups * bytes.betweenGroups;
  const vectors =
    inGroup === null
      ? amongAll(sent, devices, perHost)
      : {
          own: inGroup.own + onwards / groups,
          inside: inGroup.inside,
          between: inGroup.between + (onwards / groups) * (groups - 1),
        };
  return { ...part, predicted: { ...known, outputs: outputs * devices, vectors } };
}

/** Bytes that a device exchanges with all of so many devices alike, itself among them. */
function amongAll(bytes: number, devices: number, perHost: number): LinkAmounts {
  return {
    own: bytes / devices,
    inside: (bytes / devices) * (perHost - 1),
    between: (bytes / devices) * (devices - perHost),
  };
}
