import { z } from "zod";
import { seededRandom } from "../../exact/random.js";
import { positiveInteger } from "../../instance/schema/fields.js";
import { type Generated, normals, oneOf } from "./draws.js";
import {
  clusterOf,
  type DrawnTable,
  dims,
  gpusPerNode,
  hbmBytesPerGpu,
  nodes,
  tableCount,
  tightness,
} from "./table-fields.js";

/** Rows are lognormal: the logarithms' mean and deviation, and between which numbers they stay. */
const MEDIAN_ROWS = 2e5;
const SIGMA = 2.8;
const [FEWEST_ROWS, MOST_ROWS] = [100, 4e7];

const MOST_POOLING = 50;

/** Bytes of host memory per GPU. */
const HOST = 100e9;

export const torchrecOptions = z.strictObject({
  distribution: z
    .literal("torchrec")
    .describe("rows lognormal from 100 to 4e7, pooling log-uniform from 1 to 50, fp16 or fp32; TorchRec's cost model"),
  tables: tableCount.default(20),
  nodes,
  gpusPerNode: gpusPerNode(8),
  hbmBytesPerGpu: hbmBytesPerGpu(60e9),
  tightness: tightness.optional(),
  batchSize: positiveInteger("samples per GPU and iteration").default(4096),
  dims: dims([16, 32, 64, 128]),
});

/** A model as a planner meets it: every sharding type and kernel of TorchRec. */
export function generateTorchrec(options: z.output<typeof torchrecOptions>, seed: number): Generated {
  const random = seededRandom(seed);
  const tables = Array.from({ length: options.tables }, (_, t): DrawnTable & { readonly poolingFactor: number } => {
    const drawn = Math.exp(Math.log(MEDIAN_ROWS) + SIGMA * normals(random)[0]);
    const rows = Math.round(Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, drawn)));
    const dim = oneOf(random, options.dims);
    const poolingFactor = Math.round(MOST_POOLING ** random.next());
    return { name: `t${t}`, rows, dim, dataType: random.next() < 0.5 ? "fp16" : "fp32", poolingFactor };
  });
  return {
    name: `torchrec-${options.tables}-${options.nodes}x${options.gpusPerNode}-${seed}`,
    keys: {
      costModel: "torchrec",
      costUnit: "ms",
      cluster: { ...clusterOf(options, tables), hostBytesPerGpu: HOST },
      torchrec: { batch_size: options.batchSize },
      tables,
    },
  };
}
