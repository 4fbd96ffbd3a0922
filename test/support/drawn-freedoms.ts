import type { Random } from "../../src/exact/random.js";
import { parseWith } from "../../src/instance/parse.js";
import type { TablePlacementInstance } from "../../src/instance/types/table-placement.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";

/** Which of the two may be chosen. */
export interface Freedoms {
  readonly hotRows: boolean;
  readonly caches: boolean;
}

/** Two tables of TorchRec's, or of a formula, with skewed access and little memory, for each choice of freedoms. */
export function drawnFreedoms(random: Random): (freedoms: Freedoms) => TablePlacementInstance {
  const nodes = 1 + random.integer(2);
  const gpusPerNode = nodes === 2 ? 1 : 2;
  const isFormula = random.integer(4) === 0;
  const tables = [0, 1].map((t) => {
    const rows = 2000 * (1 + random.integer(50));
    const hot = 1 + random.integer(rows / 20);
    const warm = 1 + random.integer(rows / 4);
    const colds = rows - hot - warm;
    const cold = [0, 1, 1, 1, 5e-17, 1e-300][random.integer(6)] as number;
    const histogram = [
      [hot, 60 + random.integer(100)],
      [warm, 2 + random.integer(10)],
      [colds, cold],
    ];
    const plain = { name: `t${t}`, rows, dim: 32 * (1 + random.integer(4)), poolingFactor: 1 + random.integer(20) };
    const access = { access: { histogram } };
    if (isFormula) return { ...plain, ...access };
    const words = {
      name: plain.name,
      num_embeddings: rows,
      embedding_dim: plain.dim,
      pooling_factors: [plain.poolingFactor],
    };
    const types = [["table_wise", "row_wise"], ["table_wise"], ["row_wise", "data_parallel"]][random.integer(3)];
    const kernels = ["fused", "fused_uvm_caching", "dense"];
    return { ...words, ...access, sharding_types: types, compute_kernels: kernels };
  });
  const bytes = tables.reduce((sum, one) => {
    const {
      rows = 0,
      dim = 0,
      num_embeddings = rows,
      embedding_dim = dim,
    } = one as unknown as Record<string, number | undefined>;
    return sum + 4 * num_embeddings * embedding_dim;
  }, 0);
  const hbmBytesPerGpu = Math.floor((bytes * (0.1 + random.next())) / 2) + 1_000_000;
  return ({ hotRows, caches }) => {
    const splits = hotRows ? { splits: { hotRows: { maxPoints: 2 } } } : {};
    const sizes = { caches: caches ? { maxPoints: 2 } : { loadFactors: [0.2] } };
    const instance = {
      ...{ shardproof: 1, name: "drawn", problem: "table-placement" },
      cluster: { nodes, gpusPerNode, hbmBytesPerGpu, hostBytesPerGpu: 1e9 },
      ...(isFormula
        ? { costModel: "lookup", ...splits }
        : { costModel: "torchrec", torchrec: { batch_size: 64 }, ...splits, ...sizes }),
      tables,
    };
    return parseWith([tablePlacementReader], JSON.stringify(instance), "drawn.json");
  };
}
