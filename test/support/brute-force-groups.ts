import { placementProblem } from "../../models/table-placement/from-instance.js";
import type { PlacementOption, PlacementProblem, ShardNeed } from "../../models/table-placement/problem.js";
import type { Random } from "../../src/exact/random.js";
import { parseWith } from "../../src/instance/parse.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import { bruteForcePlacement, combinations } from "./brute-force-placement.js";

/** A drawn instance of groups, in the words of its file. */
export interface DrawnGroups {
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly hbmBytesPerGpu: number;
  readonly batchSize: number;
  readonly groups: {
    readonly sizes: "all" | readonly number[];
    readonly layout: "contiguous" | "strided";
    readonly syncEvery: number;
    readonly optimizerState?: boolean;
    readonly memory: "replicated" | "fully-sharded";
    readonly bandwidth?: { readonly intraHost: number; readonly interHost: number };
  };
  readonly splits?: object;
  readonly caches?: object;
  readonly tables: readonly DrawnTable[];
}

interface DrawnTable {
  readonly name: string;
  readonly num_embeddings: number;
  readonly embedding_dim: number;
  readonly dtype: "FP32" | "FP16";
  readonly pooling_factors: readonly number[];
  readonly sharding_types: readonly string[];
  readonly compute_kernels: readonly string[];
  readonly optimizer?: "Adam" | "RowWiseAdagrad" | "SGD";
  readonly access?: object;
}

/** The text of an instance file: of the drawn cluster in groups, or of one plain cluster of other devices. */
export function textOf(
  drawn: DrawnGroups,
  plain?: { readonly nodes: number; readonly gpusPerNode: number; readonly hbm?: number },
): string {
  const { nodes, gpusPerNode, hbmBytesPerGpu, batchSize, groups, splits, caches, tables } = drawn;
  return JSON.stringify({
    ...{ shardproof: 1, name: "drawn", problem: "table-placement", costModel: "torchrec" },
    cluster: {
      nodes: plain?.nodes ?? nodes,
      gpusPerNode: plain?.gpusPerNode ?? gpusPerNode,
      hbmBytesPerGpu: plain?.hbm ?? hbmBytesPerGpu,
      hostBytesPerGpu: 1e9,
    },
    torchrec: { batch_size: batchSize },
    ...(plain === undefined ? { groups } : {}),
    ...(splits === undefined ? {} : { splits }),
    ...(caches === undefined ? {} : { caches }),
    tables,
  });
}

/** A tiny instance of groups; now and then with hot rows or caches, memory that binds, and every layout and strategy. */
export function drawGroups(random: Random): DrawnGroups {
  const pick = <T>(list: readonly T[]): T => list[random.integer(list.length)] as T;
  const oneIn = (n: number) => random.integer(n) === 0;
  const [nodes, gpusPerNode] = pick([
    [1, 2],
    [2, 1],
    [1, 3],
    [2, 2],
    [1, 4],
    [4, 1],
    [3, 1],
  ] as const);
  const isFullySharded = oneIn(4);
  const layout = pick(["contiguous", "strided"] as const);
  const isHot = oneIn(4);
  const isCached = !isHot && oneIn(4);
  const types = ["table_wise", "row_wise", "column_wise", "table_row_wise", "data_parallel"];
  const tables = Array.from({ length: 1 + random.integer(3) }, (_, t): DrawnTable => {
    const rows = pick([10, 1000, 50_000, 300_000]);
    const own = types.filter((type) => type === "table_wise" || oneIn(3));
    const kernels = isCached
      ? ["fused", "fused_uvm_caching", "dense"]
      : pick([
          ["fused", "dense"],
          ["fused", "fused_uvm", "dense"],
        ]);
    const optimizer = pick([undefined, "Adam", "RowWiseAdagrad", "SGD"] as const);
    return {
      name: `t${t}`,
      num_embeddings: rows,
      embedding_dim: pick([32, 64, 256]),
      dtype: pick(["FP32", "FP16"] as const),
      pooling_factors: [pick([1, 3, 20])],
      sharding_types: own,
      compute_kernels: kernels,
      ...(optimizer === undefined ? {} : { optimizer }),
      ...((isHot || isCached) && rows >= 1000
        ? { access: { zipfMandelbrot: { meanLength: 10, exponent: 1.1, shift: 5 } } }
        : {}),
    };
  });
  const hasAccess = tables.some(({ access }) => access !== undefined);
  const devices = nodes * gpusPerNode;
  const fit = evenSizes({ nodes, gpusPerNode }, layout);
  const some = fit.filter(() => oneIn(2));
  const whole = tables.reduce(
    (sum, { num_embeddings, embedding_dim, dtype }) =>
      sum + num_embeddings * embedding_dim * (dtype === "FP32" ? 4 : 2),
    0,
  );
  return {
    ...{ nodes, gpusPerNode, batchSize: pick([64, 512]), tables },
    hbmBytesPerGpu: Math.ceil(1e7 + (whole * pick([0.1, 0.4, 0.8, 1.5, 3, 4])) / pick([1, devices])),
    groups: {
      sizes: oneIn(3) && some.length > 0 ? some : "all",
      ...{ layout, memory: isFullySharded ? "fully-sharded" : "replicated" },
      syncEvery: isFullySharded ? 1 : pick([1, 10, 100, 1000]),
      ...(isFullySharded || oneIn(2) ? {} : { optimizerState: oneIn(2) }),
      ...(oneIn(3) ? { bandwidth: { intraHost: pick([1e11, 1e12]), interHost: pick([1e10, 1e12]) } } : {}),
    },
    ...(isHot && hasAccess ? { splits: { hotRows: { maxPoints: 1 } } } : {}),
    ...(isCached && hasAccess ? { caches: { loadFactors: [0.2, 0.5] } } : {}),
  };
}

/** Sizes whose groups are whole hosts or whole parts of hosts, or have one device of each of several. */
export function evenSizes(
  { nodes, gpusPerNode }: { readonly nodes: number; readonly gpusPerNode: number },
  layout: "contiguous" | "strided",
): readonly number[] {
  const all = nodes * gpusPerNode;
  return Array.from({ length: all }, (_, k) => k + 1).filter((size) => {
    if (all % size !== 0) return false;
    const counts = ranksByHost(groupRanks(all, layout, size), gpusPerNode);
    const copies = ranksByHost(copyRanks(all, layout, size), gpusPerNode);
    return new Set(counts).size === 1 && new Set(copies).size === 1;
  });
}

/** The ranks of the first group, as `DMPCollection` makes it. */
function groupRanks(all: number, layout: "contiguous" | "strided", size: number): readonly number[] {
  return Array.from({ length: size }, (_, k) => (layout === "contiguous" ? k : k * (all / size)));
}

/** The ranks that hold a copy of what rank 0 holds. */
function copyRanks(all: number, layout: "contiguous" | "strided", size: number): readonly number[] {
  return Array.from({ length: all / size }, (_, k) => (layout === "contiguous" ? k * size : k));
}

/** How many of the ranks are on each host that has some. */
function ranksByHost(ranks: readonly number[], gpusPerNode: number): readonly number[] {
  const counts = new Map<number, number>();
  for (const rank of ranks) {
    const host = Math.floor(rank / gpusPerNode);
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return [...counts.values()];
}

/** The best plan with groups of a size, by trying all; `null`: nothing fits. */
export interface BruteForceSize {
  readonly size: number;
  readonly optimum: number | null;
}

/** More ways than this are not tried. */
const MAX_WAYS = 4_000;

/**
 * Every size's optimum by trying every placement on its devices. Costs and bytes are those of an instance without groups on so
 * many devices; what copies change is added here, anew. `null` where there are too many ways.
 */
export function bruteForceGroups(drawn: DrawnGroups, maxWays = MAX_WAYS): readonly BruteForceSize[] | null {
  const { sizes, layout } = drawn.groups;
  const all = sizes === "all" ? evenSizes(drawn, layout) : [...sizes].sort((a, b) => a - b);
  const problems = all.map((size) => problemOf(drawn, size));
  if (problems.some((problem) => combinations(problem) > maxWays)) return null;
  return problems.map((problem, k) => ({
    size: all[k] as number,
    optimum: bruteForcePlacement(problem)?.largest.toNumber() ?? null,
  }));
}

function read(text: string): PlacementProblem {
  return placementProblem(parseWith([tablePlacementReader], text, "drawn.yaml"));
}

function problemOf(drawn: DrawnGroups, size: number): PlacementProblem {
  const all = drawn.nodes * drawn.gpusPerNode;
  const { layout } = drawn.groups;
  const [onHost = 1] = ranksByHost(groupRanks(all, layout, size), drawn.gpusPerNode);
  const shape = { nodes: size / onHost, gpusPerNode: onHost };
  // Without a limit while costs are read: what is short is for the search to find.
  const plain = read(textOf(drawn, shape));
  const whole = read(textOf(drawn, { nodes: drawn.nodes, gpusPerNode: drawn.gpusPerNode }));
  const tables = plain.tables.map((table, t) => ({
    ...table,
    options: table.options.map((option) => {
      const own = new Map<string, ShardNeed>();
      const shards = option.shards.map((need, k) => {
        const changed = withCopy(drawn, size, shape, t, option, k, need, whole);
        const key = JSON.stringify(changed);
        return own.get(key) ?? own.set(key, changed).get(key) ?? changed;
      });
      return { ...option, shards };
    }),
  }));
  return { ...plain, tables };
}

function withCopy(
  drawn: DrawnGroups,
  size: number,
  { gpusPerNode }: { readonly gpusPerNode: number },
  t: number,
  { shardingType, kernel, hot, shards }: PlacementOption,
  k: number,
  need: ShardNeed,
  whole: PlacementProblem,
): ShardNeed {
  const table = drawn.tables[t] as DrawnTable;
  const all = drawn.nodes * drawn.gpusPerNode;
  const copies = all / size;
  const cold = shards.length - (hot?.copies ?? 0);
  if (k >= cold || shardingType === "data_parallel") {
    // Gradients of such rows are added up over all ranks in every iteration: the cost is that on the whole cluster.
    const options = whole.tables[t]?.options ?? [];
    const same = options.find((one) =>
      k >= cold ? one.hot?.rows === hot?.rows : one.hot === undefined && one.shardingType === shardingType,
    );
    return { ...need, cost: same?.shards.at(-1)?.cost as number };
  }
  const { groups } = drawn;
  const rows = table.num_embeddings - (hot?.rows ?? 0);
  const element = table.dtype === "FP32" ? 4 : 2;
  const blocks = shardingType === "row_wise" ? size : shardingType === "table_row_wise" ? gpusPerNode : 1;
  const step = Math.ceil(rows / blocks);
  const held = blocks === 1 ? rows : Math.max(0, Math.min(step, rows - k * step));
  const columns = shardingType === "column_wise" && cold > 1 ? table.embedding_dim / cold : table.embedding_dim;
  const state = groups.optimizerState ?? groups.memory === "replicated";
  const perElement = state && table.optimizer === "Adam" ? 8 : 0;
  const perRow = state && table.optimizer === "RowWiseAdagrad" ? 4 : 0;
  const bytes = held * columns * (element + perElement) + held * perRow;
  const byHost = ranksByHost(copyRanks(all, groups.layout, size), drawn.gpusPerNode);
  // TorchRec's defaults, per second.
  const intra = groups.bandwidth?.intraHost ?? 600 * 1024 ** 3;
  const inter = groups.bandwidth?.interHost ?? 12.5 * 1024 ** 3;
  const slowest = byHost.length === 1 ? intra : Math.min(intra, inter * (byHost[0] as number));
  const milliseconds = ((2 * (copies - 1)) / copies) * (bytes / slowest) * (1000 / groups.syncEvery);
  const isScattered = groups.memory === "fully-sharded" && kernel === "fused";
  const scattered = isScattered ? (held * columns - Math.ceil((held * columns) / copies)) * element : 0;
  return { ...need, cost: need.cost + milliseconds, hbmBytes: need.hbmBytes - scattered };
}
