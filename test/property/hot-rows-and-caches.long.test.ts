import { expect, test } from "vitest";
import { placementProblem } from "../../models/table-placement/from-instance.js";
import type { Placement, PlacementProblem } from "../../models/table-placement/problem.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { parseWith } from "../../src/instance/parse.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import { solvePlacement } from "../../src/problems/table-placement/solve/solve.js";
import { bruteForcePlacement, combinations } from "../support/brute-force-placement.js";
import { drawsOf } from "../support/draws.js";

const draws = drawsOf(60, 81);
const MAX_COMBINATIONS = 10_000;

/** Which of the two may be chosen. */
interface Freedoms {
  readonly hotRows: boolean;
  readonly caches: boolean;
}

/** Two tables of TorchRec's, or of a formula, with skewed access and little memory, for each choice of freedoms. */
function drawn(random: Random): (freedoms: Freedoms) => PlacementProblem {
  const nodes = 1 + random.integer(2);
  const gpusPerNode = nodes === 2 ? 1 : 2;
  const isFormula = random.integer(4) === 0;
  const tables = [0, 1].map((t) => {
    const rows = 2000 * (1 + random.integer(50));
    const hot = 1 + random.integer(rows / 20);
    const warm = 1 + random.integer(rows / 4);
    const colds = rows - hot - warm;
    const cold = random.integer(3) === 0 ? 0 : 1;
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
    return placementProblem(parseWith([tablePlacementReader], JSON.stringify(instance), "drawn.json"));
  };
}

test(`hot rows and caches of ${draws.amount} random instances: brute force agrees, and no freedom makes anything worse`, {
  timeout: 3_600_000,
}, async () => {
  const random = seededRandom(draws.seed);
  const seen = { infeasible: 0, split: 0, cached: 0, both: 0, betterThanSplits: 0, betterThanCaches: 0 };
  for (let k = 0; k < draws.amount; ) {
    const problemWith = drawn(random);
    const problem = problemWith({ hotRows: true, caches: true });
    if (combinations(problem) > MAX_COMBINATIONS) continue;
    k++;
    const best = bruteForcePlacement(problem);
    const gap = Rational.of(1n, 10n ** 9n);
    const { verdict, placement } = await solvePlacement(problem, { gap, timeLimitSeconds: 120, seed: 0 });
    if (best === null) {
      seen.infeasible++;
      expect(verdict?.status, `instance ${k}`).toBe("infeasible");
      continue;
    }
    expect(verdict?.status, `instance ${k}`).toBe("proved");
    expect(verdict?.value?.toNumber(), `instance ${k}`).toBe(best.largest.toNumber());
    const taken = (placement as Placement).choices.map(({ option }, t) => problem.tables[t]?.options[option]);
    const isSplit = taken.some((option) => option?.hot !== undefined);
    const isCached = taken.some((option) => option?.cache !== undefined && !option.cache.isPublished);
    if (isSplit) seen.split++;
    if (isCached) seen.cached++;
    if (isSplit && isCached) seen.both++;
    const splitsAlone = bruteForcePlacement(problemWith({ hotRows: true, caches: false }));
    const cachesAlone = bruteForcePlacement(problemWith({ hotRows: false, caches: true }));
    for (const [alone, key] of [
      [splitsAlone, "betterThanSplits"],
      [cachesAlone, "betterThanCaches"],
    ] as const) {
      if (alone !== null) expect(best.largest.compare(alone.largest), `instance ${k}`).toBeLessThanOrEqual(0);
      if (alone === null || best.largest.compare(alone.largest) < 0) seen[key]++;
    }
  }
  for (const number of Object.values(seen)) expect(number).toBeGreaterThanOrEqual(draws.atLeast(1));
});
