import { type Block, besideOneAnother } from "./blocks.js";
import type { ExchangeFeature } from "./exchange-problem.js";
import { gradientsFor, type Outputs, type ShardGradients, vectorGradients } from "./flat-exchange.js";
import { lookUp } from "./look-up.js";
import { everyRank, featuresOf, type Run } from "./run.js";
import { applyModule } from "./tower-module.js";

/** What one machine with all tables would put out: the semantics that an exchange must preserve. */
export function lookedUpAtOnce(run: Run): Outputs {
  const samples = run.problem.localBatch;
  return everyRank(run).map((rank) =>
    run.problem.towers.map((_, tower) => {
      const vectors = featuresOf(run, tower).map((feature) => {
        const { dim } = run.features[feature] as ExchangeFeature;
        const ids = run.data.ids[rank]?.[feature] as Int32Array;
        const whole = { firstRow: 0, firstColumn: 0, columns: dim };
        return lookUp(run.data.tables[feature] as Float32Array, dim, { ids, lengths: null }, samples, whole);
      });
      return applyModule(run.data.modules[tower] ?? null, besideOneAnother(vectors, samples), samples);
    }),
  );
}

/** The gradients that each shard must get of each rank's samples. */
export function gradientsAtOnce(run: Run): ShardGradients {
  const bySource = everyRank(run).map((source) => vectorGradients(run, source));
  return run.byRank.map((shards) => bySource.map((gradients): Block => gradientsFor(run, shards, gradients)));
}
