import { breakPoints, classesAfter, expectedDistinctRows } from "../../src/access/break-points.js";
import { knownClasses } from "../../src/access/known-classes.js";
import type { RowClasses } from "../../src/access/row-classes.js";
import { ranksPerTower } from "../../src/access/traffic/exchange.js";
import { bandwidthAt } from "../../src/cost/dmt/collective-seconds.js";
import { Rational } from "../../src/exact/rational.js";
import type { TowerJoint, TowerTable } from "../../src/instance/types/tower-partition.js";
import type { PlacementOption, ShardNeed } from "../table-placement/problem.js";
import { secondsPerElement, slowestWire } from "./element-seconds.js";
import { speedsOf, type TowerShape, worldOf } from "./setting.js";

/** Whether tables have more choices than to be whole, by columns or by rows. */
export function hasFreedoms({ hotRows, caches }: Pick<TowerJoint, "hotRows" | "caches">): boolean {
  return hotRows !== undefined || caches !== undefined;
}

/**
 * The ways to lay a table on the GPUs of a tower: whole on one GPU, by columns in 2, 4, 8, … parts, or by rows over all of
 * them; then each of these with hot rows on every GPU of the tower, with a cache, and with both, where the instance allows
 * it. The plain ways come first. What they cost is in README.md beside this file, in elements per sample.
 */
export function optionsOf(joint: TowerJoint, shape: TowerShape, table: TowerTable): readonly PlacementOption[] {
  const devices = ranksPerTower(worldOf(joint, shape));
  const plain = optionsOfPart(joint, wholeTable(table), devices, null);
  const { access } = table;
  if (!hasFreedoms(joint) || access === undefined) return plain;
  const weights = weightsOf(joint, shape);
  const classes = knownClasses(access, table.rows);
  const lookups = table.poolingFactor * joint.batchPerGpu * joint.cluster.nodes * joint.cluster.gpusPerNode;
  const cached = (part: TablePart, of: RowClasses) =>
    cachesOf(joint, of, part.rows).flatMap((size) => {
      const missed = expectedDistinctRows(of, lookups * part.share, size.rows);
      const distinct = expectedDistinctRows(of, lookups * part.share);
      const missRate = distinct === 0 ? 0 : Math.min(1, missed / distinct);
      return optionsOfPart(joint, part, devices, { ...size, missRate, cost: missed * weights.missedByte });
    });
  const splits = joint.hotRows === undefined || devices === 1 ? [] : breakPoints(classes, joint.hotRows.maxPoints);
  return [
    ...plain,
    ...cached(wholeTable(table), classes),
    ...splits.flatMap(({ rows, share }) => {
      const rest: TablePart = {
        ...wholeTable(table),
        ...{ rows: table.rows - rows, share: 1 - share, vectors: vectorsBeside(table, share) },
      };
      const bytes = rows * table.dim * table.elementBytes;
      const copy = needOf(joint, { cost: bytes * weights.copiedByte, fetch: 0, hbmBytes: bytes, hostBytes: 0 });
      const copies = new Array<ShardNeed>(devices).fill(copy);
      const cold = [...optionsOfPart(joint, rest, devices, null), ...cached(rest, classesAfter(classes, rows))];
      return cold.map((option): PlacementOption => {
        return { ...option, shards: [...option.shards, ...copies], hot: { rows, share, copies: devices } };
      });
    }),
  ];
}

/**
 * Vectors per sample that the other rows of a table send where hot rows take this share of its ids: one for each sample with an
 * id among them, of which there are at most as many as such ids.
 */
export function vectorsBeside({ poolingFactor }: Pick<TowerTable, "poolingFactor">, share: number): number {
  return Math.min(1, poolingFactor * (1 - share));
}

/** The plain ways alone, which come first. */
export function plainOptions(options: readonly PlacementOption[]): readonly PlacementOption[] {
  return options.filter(({ hot, cache }) => hot === undefined && cache === undefined);
}

/** A table, or what is left of it without its hot rows. */
interface TablePart {
  readonly rows: number;
  readonly dim: number;
  readonly elementBytes: number;
  /** Of the table's look-ups. */
  readonly share: number;
  /** Per sample: a sample whose ids are all hot sends no vector of the other rows. */
  readonly vectors: number;
}

function wholeTable({ rows, dim, elementBytes }: TowerTable): TablePart {
  return { rows, dim, elementBytes, share: 1, vectors: 1 };
}

/** A cache of a part of a table, and what a byte of all its rows costs that are missed. */
interface Cache {
  readonly rows: number;
  readonly loadFactor: number;
  readonly missRate: number;
  readonly cost: number;
}

function optionsOfPart(
  joint: TowerJoint,
  part: TablePart,
  devices: number,
  cache: Cache | null,
): readonly PlacementOption[] {
  const { rows, dim, elementBytes, vectors } = part;
  const need = (ofRows: number, columns: number): ShardNeed => {
    const rowBytes = columns * elementBytes;
    const share = ofRows / rows;
    return needOf(joint, {
      cost: columns * vectors,
      fetch: cache === null ? 0 : cache.cost * share * rowBytes,
      hbmBytes: (cache === null ? ofRows : Math.ceil(cache.rows * share)) * rowBytes,
      hostBytes: cache === null ? 0 : ofRows * rowBytes,
    });
  };
  const option = (shardingType: string, partitionBy: "device" | "uniform", shards: readonly ShardNeed[]) => ({
    ...{ shardingType, kernel: cache === null ? "fused" : "fused_uvm_caching", partitionBy, shards },
    ...(cache === null
      ? {}
      : { cache: { loadFactor: cache.loadFactor, missRate: cache.missRate, isPublished: false } }),
  });
  const byColumns = (columns: number) => need(rows, columns);
  const byRows = (count: number) => need(count, dim);
  const options = [option("table_wise", "device", [byColumns(dim)])];
  for (let parts = 2; parts <= mostParts(dim, devices); parts *= 2) {
    options.push(option("column_wise", "device", evenParts(dim, parts).map(byColumns)));
  }
  if (devices > 1 && rows >= devices) options.push(option("row_wise", "uniform", evenParts(rows, devices).map(byRows)));
  return options;
}

/** With caches what a GPU exchanges and what it fetches are two phases: the exchange waits for all fetches. */
function needOf(
  { caches }: TowerJoint,
  { cost, fetch, hbmBytes, hostBytes }: ShardNeed & { readonly fetch: number },
): ShardNeed {
  if (caches === undefined) return { cost, hbmBytes, hostBytes };
  return { cost: cost + fetch, hbmBytes, hostBytes, phases: [cost, fetch] };
}

function cachesOf(
  { caches }: TowerJoint,
  classes: RowClasses,
  rows: number,
): readonly { readonly rows: number; readonly loadFactor: number }[] {
  if (caches === undefined) return [];
  if ("loadFactors" in caches) {
    return [...new Set(caches.loadFactors)].map((loadFactor) => ({ loadFactor, rows: Math.floor(loadFactor * rows) }));
  }
  return breakPoints(classes, caches.maxPoints).map((point) => ({ loadFactor: point.rows / rows, rows: point.rows }));
}

/** Elements per sample that take as long to exchange as a byte of hot rows takes to be synchronised, and one of misses to be read. */
function weightsOf(joint: TowerJoint, shape: TowerShape): { readonly copiedByte: number; readonly missedByte: number } {
  const perElement = secondsPerElement(joint, shape);
  if (perElement.sign() === 0) return { copiedByte: 0, missedByte: 0 };
  const ranks = ranksPerTower(worldOf(joint, shape));
  const { bandwidth } = speedsOf(joint)[slowestWire(joint, shape)];
  // A ring all-reduce sends and receives so much of what it adds up.
  const copied = Rational.of(2n * BigInt(ranks - 1), BigInt(ranks)).divide(bandwidthAt(bandwidth, ranks));
  // In doubles, defined: what a byte weighs is this double, in the plan and in the program.
  const inElements = (seconds: Rational) => seconds.divide(perElement).toNumber();
  const { host } = joint.cluster;
  return {
    copiedByte: inElements(copied),
    missedByte: host === undefined ? 0 : inElements(Rational.one.divide(Rational.fromNumber(host.bytesPerSecond))),
  };
}

/** The most parts that a table of so many columns is split into on so many GPUs, a power of two. */
export function mostParts(dim: number, devices: number): number {
  let parts = 1;
  while (2 * parts <= Math.min(devices, dim)) parts *= 2;
  return parts;
}

/** Integers that differ by at most one and add up to `whole`, the larger first. */
export function evenParts(whole: number, parts: number): readonly number[] {
  const least = Math.floor(whole / parts);
  return Array.from({ length: parts }, (_, k) => (k < whole - least * parts ? least + 1 : least));
}
