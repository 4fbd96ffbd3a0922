import {
  type Feature,
  ranksPerTower,
  type Sharding,
  type Tower,
  towerCount,
  type World,
} from "../../access/traffic/exchange.js";
import { Rational } from "../../exact/rational.js";

/** A feature of which every rank of its tower may have the hottest rows, and reads them for its peers' samples. */
export interface HotFeature extends Feature {
  /** What those rows take; `sharding` is that of the others. Absent: there are none. */
  readonly hot?: {
    /** Share of the feature's ids. */
    readonly idShare: number;
    /** Vectors per sample that the other rows still send: a sample whose ids are all hot needs none of them. */
    readonly vectors: number;
  };
}

/** What one iteration's embedding exchange has to move. */
export interface Workload {
  readonly world: World;
  /** One per tower of the world; they may differ in everything. */
  readonly towers: readonly Tower<HotFeature>[];
  /** B: samples per rank. */
  readonly localBatch: number;
  /** s: bytes of an element on the wire. */
  readonly elementBytes: number;
  /** Bytes of an id on the wire. */
  readonly idBytes: number;
  /** Bytes of a bag's length, sent to every shard of a row-wise table and to every part of one with hot rows (elsewhere hotness says it). */
  readonly lengthBytes: number;
}

/** What a rank's shards make of one sample. */
export interface RankLoad {
  /** Elements that it looks up and sends (a row-wise shard pools a vector of full width). */
  readonly elements: number;
  /** Bytes of ids and lengths that it must be told. */
  readonly indexBytes: Rational;
  /** Of hot rows: those of its peers' samples alone. */
  readonly hotIndexBytes: Rational;
}

/**
 * The load of every rank, by rank. Ids of a row-wise table go to the shard that holds the row: as many as its share of the
 * table's rows, which is exact where rows are read equally often and the expectation where ids are uniform.
 *
 * Throws `RangeError` where towers are not as many as the world has, a slot is none of its tower's, or columns do not add up.
 */
export function rankLoads(workload: Workload): readonly RankLoad[] {
  const { world, towers, idBytes, lengthBytes } = workload;
  if (towers.length !== towerCount(world)) {
    throw new RangeError(`${towers.length} towers are given, the world has ${towerCount(world)}`);
  }
  const slots = ranksPerTower(world);
  return towers.flatMap(({ features }) => {
    const elements = new Array<number>(slots).fill(0);
    const indexBytes = new Array<Rational>(slots).fill(Rational.zero);
    let hotIndexBytes = Rational.zero;
    for (const feature of features) {
      const { hot } = feature;
      const all = Rational.fromNumber(feature.hotness).multiply(Rational.fromNumber(idBytes));
      const share = Rational.fromNumber(hot?.idShare ?? 0);
      const ids = all.multiply(Rational.one.subtract(share));
      if (hot !== undefined)
        hotIndexBytes = hotIndexBytes.add(all.multiply(share)).add(Rational.fromNumber(lengthBytes));
      const hasLengths = hot !== undefined || feature.sharding.kind === "rows";
      for (const shard of shardsOf(feature)) {
        const { slot } = shard;
        if (!(Number.isInteger(slot) && slot >= 0 && slot < slots)) {
          throw new RangeError(`slot ${slot} is none of the tower's ${slots}`);
        }
        const lengths = Rational.fromNumber(hasLengths ? lengthBytes : 0);
        elements[slot] = (elements[slot] as number) + shard.elements * (hot?.vectors ?? 1);
        indexBytes[slot] = (indexBytes[slot] as Rational).add(ids.multiply(shard.idShare)).add(lengths);
      }
    }
    return elements.map((count, slot) => ({
      elements: count,
      indexBytes: indexBytes[slot] as Rational,
      hotIndexBytes,
    }));
  });
}

interface Shard {
  readonly slot: number;
  /** Elements of its vector per sample. */
  readonly elements: number;
  /** Share of the feature's ids that it is sent. */
  readonly idShare: Rational;
}

function shardsOf({ dim, sharding }: Feature): readonly Shard[] {
  switch (sharding.kind) {
    case "table":
      return [{ slot: sharding.slot, elements: dim, idShare: Rational.one }];
    case "columns": {
      const columns = sharding.shards.reduce((sum, shard) => sum + shard.columns, 0);
      if (columns !== dim) throw new RangeError(`shards of ${columns} columns do not make up a vector of ${dim}`);
      return sharding.shards.map(({ slot, columns }) => ({ slot, elements: columns, idShare: Rational.one }));
    }
    case "rows": {
      const rows = sharding.shards.reduce((sum, shard) => sum + shard.rows, 0);
      return sharding.shards.map((shard) => ({
        slot: shard.slot,
        elements: dim,
        idShare: Rational.of(BigInt(shard.rows), BigInt(rows)),
      }));
    }
  }
}

/**
 * Column-wise shards that spread the given tables over `slots` slots as evenly as whole columns allow (within one): the
 * columns are dealt in order, slot k getting those from ⌈k·n/slots⌉ on. It is what TorchRec's column-wise factor is for where
 * there are more GPUs than tables.
 */
export function evenColumns(dims: readonly number[], slots: number): readonly Sharding[] {
  const all = dims.reduce((sum, dim) => sum + dim, 0);
  const startOf = (slot: number) => Math.ceil((slot * all) / slots);
  let first = 0;
  return dims.map((dim) => {
    const end = first + dim;
    const shards: { slot: number; columns: number }[] = [];
    for (let slot = Math.floor((first * slots) / all); slot < slots && startOf(slot) < end; slot++) {
      const columns = Math.min(end, startOf(slot + 1)) - Math.max(first, startOf(slot));
      if (columns > 0) shards.push({ slot, columns });
    }
    first = end;
    return { kind: "columns", shards };
  });
}
