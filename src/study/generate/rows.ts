import { z } from "zod";
import { type Random, seededRandom } from "../../exact/random.js";
import { type DataType, ELEMENT_BYTES } from "../../instance/data-type.js";
import { notNegative, positive, positiveInteger } from "../../instance/schema/fields.js";
import { ROW_TIERS_OBJECTIVES } from "../../instance/types/row-tiers.js";
import { type Generated, logUniform, oneOf, range, rounded, uniform } from "./draws.js";

/**
 * FlexShard's models RM-1 to RM-4: laws with an exponent and a shift in these ranges are within 1.2 per cent of all accesses
 * of its published shares (table 5), and tables 4 and 5 have the other numbers.
 */
const EXPONENT = [0.9, 1.2] as const;
const SHIFT = [1.5e-5, 1.4e-3] as const;
const ROWS = [10_000_000, 30_000_000] as const;
const MEAN_LENGTH = [470, 960] as const;

/** Bytes per second per GPU that the times of FlexShard's table 6 imply. */
const BANDWIDTH = { allToAllGlobal: 25.3e9, allToAllIntra: 79e9, allReduceGlobal: 75e9, allReduceCross: 12e9 };

const dataTypes = z.array(z.enum(Object.keys(ELEMENT_BYTES) as [DataType, ...DataType[]])).min(1);

export const rowsOptions = z.strictObject({
  distribution: z
    .literal("zipf-mandelbrot")
    .default("zipf-mandelbrot")
    .describe("row r of a table is read in proportion to (r + shift)^-exponent"),
  tables: positiveInteger("number of tables").default(1),
  rows: range(positiveInteger("rows"), "rows of a table, uniform in the logarithm").default([...ROWS]),
  dims: z.array(positiveInteger("elements per row")).min(1).default([256]).describe("elements per row, one drawn"),
  dataTypes: dataTypes.default(["fp32"]).describe("types of an element, one drawn"),
  meanLength: range(positive("accesses"), "accesses per sample, uniform in the logarithm").default([...MEAN_LENGTH]),
  exponent: range(notNegative("exponent"), "of the law, uniform").default([...EXPONENT]),
  shift: range(positive("share"), "of the law, as a share of the rows, uniform in the logarithm").default([...SHIFT]),
  nodes: positiveInteger("number of nodes").default(4),
  gpusPerNode: positiveInteger("GPUs of one node").default(8),
  batchPerGpu: positiveInteger("samples per GPU and iteration").default(4096),
  replicaMemoryFactor: positive("memory of a data-parallel parameter as a multiple of its size").default(6),
  objective: z.enum(ROW_TIERS_OBJECTIVES).default("serial").describe("what a plan minimises"),
});

/** Row tiers as FlexShard has them: tables whose accesses follow Zipf–Mandelbrot laws, on its cluster. */
export function generateRows(options: z.output<typeof rowsOptions>, seed: number): Generated {
  const random = seededRandom(seed);
  const { tables, nodes, gpusPerNode, batchPerGpu, replicaMemoryFactor, objective } = options;
  return {
    name: `zipf-mandelbrot-${tables}-${nodes}x${gpusPerNode}-${seed}`,
    keys: {
      cluster: { nodes, gpusPerNode, bandwidth: BANDWIDTH },
      training: { batchPerGpu, replicaMemoryFactor },
      objective,
      tables: Array.from({ length: tables }, (_, t) => drawnTable(random, `t${t}`, options)),
    },
  };
}

function drawnTable(random: Random, name: string, options: z.output<typeof rowsOptions>): object {
  const rows = Math.round(logUniform(random, options.rows));
  return {
    name,
    rows,
    dim: oneOf(random, options.dims),
    dataType: oneOf(random, options.dataTypes),
    access: {
      zipfMandelbrot: {
        meanLength: rounded(logUniform(random, options.meanLength)),
        exponent: rounded(uniform(random, options.exponent)),
        shift: rounded(rows * logUniform(random, options.shift)),
      },
    },
  };
}
