import { placementProblem } from "../models/table-placement/from-instance.js";
import { type Random, seededRandom } from "../src/exact/random.js";
import type { TablePlacementInstance } from "../src/instance/types/table-placement.js";
import { parseInstance } from "../src/problems/planning/instances.js";
import { searchPlacement } from "../src/problems/table-placement/solve/local-search/index.js";

export interface Drift {
  readonly tables: number;
  readonly nodes: number;
  readonly gpus: number;
  readonly seed: number;
  /** Standard deviation of the logarithm of what a table's pooling factor is multiplied by; default 0.4. */
  readonly drift?: number;
  /** HBM of all GPUs over the bytes of all tables; default 1.3. */
  readonly memory?: number;
}

export interface DriftedPlacement {
  readonly old: string;
  /** A plan of `old`, with as much of a plan file as `from` reads. */
  readonly plan: string;
  /** Moves from `old-plan.json` beside it. */
  readonly now: string;
}

/** Rounds of the search that finds the old plan: it ends by these, and not by the clock. */
const ROUNDS = 60;

/**
 * Lognormal numbers of rows from 100 to 2e7, dimensions 32 to 256, FP16 or FP32, pooling from 1 to 50; table-wise,
 * column-wise and row-wise shards in HBM, under TorchRec's cost model; row-wise Adagrad. One table in twenty becomes four times
 * as hot, one in twenty a quarter.
 */
export function driftedPlacement({ tables, nodes, gpus, seed, drift = 0.4, memory = 1.3 }: Drift): DriftedPlacement {
  const random = seededRandom(seed);
  const drawn = Array.from({ length: tables }, (_, t) => {
    const rows = Math.round(Math.min(2e7, Math.max(100, Math.exp(Math.log(2e5) + 2.5 * normal(random)))));
    const dim = [32, 64, 128, 256][random.integer(4)] as number;
    const dtype = random.integer(2) === 0 ? "FP16" : "FP32";
    const pooling = 50 ** random.next();
    const event = random.integer(20);
    const factor = Math.exp(drift * normal(random)) * (event === 0 ? 4 : event === 1 ? 0.25 : 1);
    return { name: `t${t}`, rows, dim, dtype, pooling, later: pooling * factor };
  });
  const bytes = drawn.reduce((sum, { rows, dim, dtype }) => sum + rows * dim * (dtype === "FP16" ? 2 : 4), 0);
  const hbm = Math.ceil((memory * bytes) / (nodes * gpus) + 2e9);
  const text = (name: string, pooling: (one: (typeof drawn)[number]) => number, from = "") =>
    [
      "shardproof: 1",
      `name: ${name}-${tables}-${nodes}x${gpus}-${seed}`,
      "problem: table-placement",
      "costModel: torchrec",
      `cluster: {nodes: ${nodes}, gpusPerNode: ${gpus}, hbmBytesPerGpu: ${hbm}, hostBytesPerGpu: 1.0e+11}`,
      "torchrec: {batch_size: 4096}",
      ...(from === "" ? [] : [from]),
      "tables:",
      ...drawn.map((one) => {
        const { name: table, rows, dim, dtype } = one;
        const size = `num_embeddings: ${rows}, embedding_dim: ${dim}, dtype: ${dtype}, min_partition: ${dim / 2}`;
        const use = `pooling_factors: [${pooling(one).toFixed(2)}], optimizer: RowWiseAdagrad`;
        const how = "sharding_types: [table_wise, column_wise, row_wise], compute_kernels: [fused]";
        return `  - {name: ${table}, ${size}, ${use}, ${how}}`;
      }),
      "",
    ].join("\n");
  const old = text("before", ({ pooling }) => pooling);
  return { old, plan: planOf(old), now: text("drifted", ({ later }) => later, "from: {plan: old-plan.json}") };
}

function planOf(text: string): string {
  const problem = placementProblem(parseInstance(text, "old.yaml") as TablePlacementInstance);
  const { placement } = searchPlacement(problem, { seed: 0, maxRounds: ROUNDS });
  if (placement === null) throw new RangeError("the search finds no plan for the drawn model; give it more memory");
  const choices = problem.tables.map(({ name, options }, t) => {
    const { option, devices } = placement.choices[t] as { option: number; devices: readonly number[] };
    const { shardingType, kernel } = options[option] as { shardingType: string; kernel: string };
    return [name, { shardingType, kernel, ranks: devices }];
  });
  const devices = problem.hbmBytes.map(() => []);
  return `${JSON.stringify({ problem: "table-placement", devices, choices: Object.fromEntries(choices) })}\n`;
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
