import type {
  Partition,
  PlacementOption,
  PlacementProblem,
  PlacementTable,
  ShardNeed,
} from "../../models/table-placement/problem.js";
import type { Random } from "../../src/exact/random.js";
import { drawOf } from "../fuzz/oracle/draw.js";
import { withExtremeNumbers } from "./extreme-numbers.js";

/**
 * A tiny placement problem with options of every partition, and with each of the constraints now and then: devices of
 * unequal memory, host memory that limits (pooled or not), tables kept to devices, together or apart. Costs are eighths or
 * doubles with all their digits, or far apart; memory is sometimes tight enough that nothing fits, and now and then near 2^53 bytes: `farApart`.
 */
export function randomPlacementProblem(random: Random, { tables = 4, farApart = true } = {}): PlacementProblem {
  const [nodes, gpusPerNode] = pick(random, [
    [1, 2],
    [1, 3],
    [2, 1],
    [2, 2],
  ] as const);
  const devices = nodes * gpusPerNode;
  const fine = random.integer(3) === 0;
  const list = Array.from({ length: 1 + random.integer(tables) }, (_, t) =>
    randomTable(random, `t${t}`, nodes, gpusPerNode, fine),
  );
  const average = list.reduce((sum, { options }) => sum + largestBytes(options), 0) / devices;
  const slack = 0.6 + random.next();
  const capacity = () => Math.ceil(average * slack * (random.integer(4) === 0 ? 0.7 : 1)) + random.integer(10);
  const same = capacity();
  const equal = random.integer(2) === 0;
  const hasHost = random.integer(2) === 0;
  const indices = list.map((_, t) => t);
  const problem = {
    name: "random",
    nodes,
    gpusPerNode,
    hbmBytes: Array.from({ length: devices }, () => (equal ? same : capacity())),
    hostBytes: hasHost ? Array.from({ length: devices }, () => random.integer(40)) : null,
    hostIsPooled: hasHost && random.integer(2) === 0,
    tables: list,
    together: list.length > 1 && random.integer(4) === 0 ? [twoOf(random, indices)] : [],
    apart: list.length > 1 && random.integer(4) === 0 ? [twoOf(random, indices)] : [],
  };
  return farApart && random.integer(8) === 0 ? withExtremeNumbers(problem, drawOf(random)) : problem;
}

/** The same with a third memory: SSDs, often unequal, that hold about as much as all options need at most. */
export function withSsds(problem: PlacementProblem, random: Random): PlacementProblem {
  const tables = problem.tables.map((table) => ({
    ...table,
    options: table.options.map((option) => {
      const onSsd = random.integer(2) === 0;
      const alike = random.integer(50);
      const isEven = random.integer(2) === 0;
      const ssdBytes = () => (isEven ? alike : random.integer(50));
      // Equal shards stay one object where they stay equal, as the problem has them.
      const known = new Map<string, ShardNeed>();
      const own = (need: ShardNeed) => {
        const key = JSON.stringify(need);
        return known.get(key) ?? known.set(key, need).get(key) ?? need;
      };
      return { ...option, shards: option.shards.map((need) => own(onSsd ? { ...need, ssdBytes: ssdBytes() } : need)) };
    }),
  }));
  const most = tables.map(({ options }) =>
    Math.max(...options.map(({ shards }) => shards.reduce((sum, { ssdBytes = 0 }) => sum + ssdBytes, 0))),
  );
  const average = most.reduce((sum, bytes) => sum + bytes, 0) / problem.hbmBytes.length;
  const slack = 0.4 + random.next();
  return { ...problem, tables, ssdBytes: problem.hbmBytes.map(() => Math.ceil(average * slack) + random.integer(10)) };
}

/**
 * The same with hot rows: every table may have an option in which every device has a copy of some rows, and the others
 * cost and need less than without.
 */
export function withHotRows(problem: PlacementProblem, random: Random): PlacementProblem {
  const copies = problem.nodes * problem.gpusPerNode;
  const tables = problem.tables.map((table) => ({
    ...table,
    options: table.options.flatMap((option): PlacementOption[] => {
      const kept = random.integer(3) === 0 ? [] : [option];
      const left = random.integer(4) / 4;
      const less = new Map<ShardNeed, ShardNeed>();
      const cold = (need: ShardNeed) => {
        const part = {
          ...need,
          cost: need.cost * left,
          hbmBytes: Math.floor(need.hbmBytes * left),
          ...(need.phases === undefined ? {} : { phases: need.phases.map((phase) => phase * left) }),
        };
        return less.get(need) ?? less.set(need, part).get(need) ?? part;
      };
      const [own] = option.shards as [ShardNeed];
      const hot = (): ShardNeed => ({
        cost: random.integer(16) / 8,
        hbmBytes: random.integer(12),
        hostBytes: 0,
        ...(own.phases === undefined ? {} : { phases: own.phases.map(() => random.integer(8) / 8) }),
      });
      const alike = hot();
      const isEven = random.integer(3) > 0;
      const replicas = Array.from({ length: copies }, () => (isEven ? alike : hot()));
      const split = {
        ...option,
        shards: [...option.shards.map(cold), ...replicas],
        hot: { rows: 1, share: 1 - left, copies },
      };
      return kept.length > 0 && random.integer(3) === 0 ? kept : [...kept, split];
    }),
  }));
  return { ...problem, tables };
}

function randomTable(random: Random, name: string, nodes: number, gpusPerNode: number, fine: boolean): PlacementTable {
  const devices = nodes * gpusPerNode;
  const options = Array.from({ length: 1 + random.integer(3) }, () => randomOption(random, nodes, gpusPerNode, fine));
  const kept = Array.from({ length: devices }, (_, d) => d).filter(() => random.integer(3) > 0);
  return { name, options, devices: kept.length > 0 && random.integer(5) === 0 ? kept : null };
}

function randomOption(random: Random, nodes: number, gpusPerNode: number, fine: boolean): PlacementOption {
  const partitionBy = pick(random, ["device", "device", "uniform", "host", "multi_host"] as const);
  const rowWise = random.integer(2) === 0;
  const count: Record<Partition, number> = {
    device: 1 + random.integer(2),
    uniform: nodes * gpusPerNode,
    host: rowWise ? gpusPerNode : 1 + random.integer(2),
    // More groups than nodes go round them.
    multi_host: gpusPerNode * (1 + random.integer(2 * nodes)),
  };
  const shardingType = {
    device: count.device === 1 ? "table_wise" : "column_wise",
    uniform: "row_wise",
    host: rowWise ? "table_row_wise" : "table_column_wise",
    multi_host: "grid_shard",
  }[partitionBy];
  const onHost = random.integer(4) === 0;
  const need = (): ShardNeed => ({
    cost: fine ? random.next() * 10 : random.integer(40) / 8,
    hbmBytes: onHost ? random.integer(5) : random.integer(60),
    hostBytes: onHost ? random.integer(40) : 0,
  });
  const alike = need();
  const isEven = random.integer(2) === 0;
  const shards = Array.from({ length: count[partitionBy] }, () => (isEven ? alike : need()));
  return { shardingType, kernel: onHost ? "fused_uvm" : "fused", partitionBy, shards };
}

function largestBytes(options: readonly PlacementOption[]): number {
  return Math.max(...options.map(({ shards }) => shards.reduce((sum, { hbmBytes }) => sum + hbmBytes, 0)));
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)] as Item;
}

/** Two different ones, in rising order. */
function twoOf(random: Random, indices: readonly number[]): number[] {
  const first = random.integer(indices.length);
  const second = (first + 1 + random.integer(indices.length - 1)) % indices.length;
  return [first, second].sort((a, b) => a - b);
}
