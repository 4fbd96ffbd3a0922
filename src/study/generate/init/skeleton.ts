import { z } from "zod";
import { rowTiersSchema } from "../../../problems/row-tiers/instance/schema.js";
import { TABLE_PLACEMENT_SCHEMAS } from "../../../problems/table-placement/instance/schema.js";
import { towerPartitionSchema } from "../../../problems/tower-partition/instance/schema.js";
import { explainedYaml } from "./explained.js";
import { bandwidthOf, type Preset } from "./presets.js";

/** What TorchRec's default reservation keeps of HBM for the dense model and the batch. */
const RESERVED = 0.15;

const BATCH = 4096;
const HOST_BYTES_PER_GPU = 128 * 2 ** 30;

/** Milliseconds of a second: TorchRec's bandwidths are bytes per millisecond. */
const MILLISECONDS = 1000;

const HBM = `What is left for tables, not all of HBM: here ${100 * (1 - RESERVED)} % of it, as TorchRec's planner reserves ${100 * RESERVED} % by default. Better: what torch.cuda.max_memory_allocated says of a step without the tables, and that the network library takes, less from all`;

const REPLICA =
  "Per byte of weights: 1 for them, 1 for their gradient, 1 more where all-reduce has buckets of its own (DistributedDataParallel without gradient_as_bucket_view), and the optimizer's state: SGD 0, momentum or Adagrad 1, Adam 2, row-wise Adagrad 4 / (dim · bytes of an element); 2 more for weights of 16 bits with a copy of 32. Adam: 1 + 1 + 1 + 2 = 5. TorchRec's planner and FlexShard take 6, which FlexShard found too much";

const OTHERS = "what is planned: row-tiers, table-placement or tower-partition";

const MEASURED = "Rates of links are more than collectives reach: measure with nccl-tests at your message sizes";

/** The problems that a skeleton can be of. */
export const SKELETONS = ["row-tiers", "table-placement", "tower-partition"] as const;

export type SkeletonProblem = (typeof SKELETONS)[number];

/** An instance file to fill in: a cluster of a preset, tables or features that stand for one's own, every key explained. */
export function skeleton(problem: SkeletonProblem, preset: Preset): string {
  const { schema, values, more } = (PARTS.find((parts) => parts.problem === problem) as Parts).of(preset);
  const source = "cluster" in values ? { source: `Cluster: ${preset.source}` } : {};
  const all = { shardproof: 1, name: "my-model", problem, ...source, ...values };
  return explainedYaml(all, z.toJSONSchema(schema, { io: "input" }), { problem: OTHERS, ...more });
}

interface Parts {
  readonly problem: SkeletonProblem;
  readonly of: (preset: Preset) => Skeleton;
}

interface Skeleton {
  readonly schema: z.ZodType;
  readonly values: Readonly<Record<string, unknown>>;
  readonly more: Readonly<Record<string, string>>;
}

const PARTS: readonly Parts[] = [
  {
    problem: "row-tiers",
    of: (preset) => ({
      schema: rowTiersSchema,
      values: {
        cluster: { ...clusterOf(preset), bandwidth: bandwidthOf(preset) },
        training: { batchPerGpu: BATCH, replicaMemoryFactor: 6 },
        tiers: ["data_parallel", "flex", "row_wise"],
        budget: "memory-neutral",
        objective: "serial",
        tables: [
          {
            name: "item",
            rows: 1_000_000,
            dim: 128,
            dataType: "fp32",
            access: { zipfMandelbrot: { meanLength: 20, exponent: 1.1, shift: 100 } },
          },
        ],
      },
      more: {
        "cluster.hbmBytesPerGpu": HBM,
        "cluster.bandwidth": MEASURED,
        "training.replicaMemoryFactor": REPLICA,
        budget: "memory-neutral is the memory of the plan with every row row_wise",
        tiers: "column_wise and host are the others",
        "tables[].access":
          "shardproof profile columns LOG --instance FILE counts it from a log, for every table whose name is a column",
      },
    }),
  },
  {
    problem: "table-placement",
    of: (preset) => ({
      schema: TABLE_PLACEMENT_SCHEMAS.torchrec,
      values: {
        costModel: "torchrec",
        costUnit: "ms",
        cluster: { ...clusterOf(preset), hostBytesPerGpu: HOST_BYTES_PER_GPU },
        torchrec: {
          batch_size: BATCH,
          topology: { intra_host_bw: preset.nvlink / MILLISECONDS, inter_host_bw: preset.network / MILLISECONDS },
        },
        tables: [
          { name: "item", rows: 1_000_000, dim: 128, dataType: "fp32", poolingFactor: 20 },
          { name: "user", rows: 10_000_000, dim: 64, dataType: "fp16", poolingFactor: 1 },
        ],
      },
      more: {
        costModel: "torchrec computes costs as TorchRec's planner does; given, options, lookup, … are the others",
        "cluster.hbmBytesPerGpu": `${HBM}. With torchrec.reservation it is all of HBM, and TorchRec's reservation takes its part`,
        "torchrec.batch_size": "samples per GPU and iteration",
        "torchrec.topology.intra_host_bw": "bytes per millisecond between the GPUs of a host",
        "torchrec.topology.inter_host_bw": "bytes per millisecond between hosts",
        "tables[].rows": "rows of the table",
        "tables[].dim": "elements per row",
        "tables[].dataType": "type of an element: fp32, fp16, bf16, fp8 or int8",
        "tables[].poolingFactor": "mean look-ups per sample",
        tables:
          "shardproof profile columns LOG --instance FILE counts rows and poolingFactor, for every table whose name is a column",
      },
    }),
  },
  {
    problem: "tower-partition",
    of: () => ({
      schema: towerPartitionSchema,
      values: {
        towers: 2,
        sizeRatio: 1,
        strategy: "coherent",
        objective: "pairwise",
        features: ["user", "country", "item", "category"],
        interaction: [
          [1, 0.8, 0.3, 0.2],
          [0.8, 1, 0.2, 0.1],
          [0.3, 0.2, 1, 0.7],
          [0.2, 0.1, 0.7, 1],
        ],
      },
      more: {
        interaction: "shardproof interaction embeddings.npy makes it of a batch of embedding vectors",
        towers: "DMT gives each group of hosts one",
      },
    }),
  },
];

function clusterOf({ nodes, gpusPerNode, hbmBytes }: Preset) {
  return { nodes, gpusPerNode, hbmBytesPerGpu: Math.floor(hbmBytes * (1 - RESERVED)) };
}
