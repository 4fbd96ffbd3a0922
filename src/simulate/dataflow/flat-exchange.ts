import { apart, assemble, type Block, besideOneAnother, sliced } from "./blocks.js";
import type { ExchangeFeature } from "./exchange-problem.js";
import { lookUpBlock, sendIds } from "./index-step.js";
import { packetOf, partOf } from "./packets.js";
import { dimsOf, everyRank, featuresOf, type Run } from "./run.js";
import type { Shard } from "./shards.js";
import { applyModule, moduleGradient } from "./tower-module.js";

/** By rank and tower: samples × elements that the tower puts out. */
export type Outputs = readonly (readonly Float32Array[])[];

/** By owner and source rank, the gradients of the source's samples for each shard that the owner holds. */
export type ShardGradients = readonly (readonly Block[])[];

/**
 * The flat exchange, rank by rank (DMT, figure 4): (a) ids to the owners, (b) look-up for the global batch, (c) vectors back to
 * the ranks whose samples they are. Tower modules, where there are any, run where the samples are.
 */
export function flatForward(run: Run): Outputs {
  const ranks = everyRank(run);
  const samples = run.problem.localBatch;
  const lookedUp = sendIds(run, "flat", ranks).map((blocks, owner) =>
    blocks.map((bags) => lookUpBlock(run, owner, bags)),
  );
  const packets = lookedUp.map((blocks) => blocks.map((block) => packetOf(run, block)));
  const received = run.wires.allToAll({ exchange: "flat", pass: "forward", step: "c" }, ranks, packets);
  return received.map((blocks) =>
    run.problem.towers.map((_, tower) => {
      const vectors = featuresOf(run, tower).map((feature) => {
        const shards = run.byFeature[feature] as readonly Shard[];
        const parts = shards.map((shard) => partOf(run, blocks[shard.owner] as Block, shard));
        return assemble(shards, parts, samples, (run.features[feature] as ExchangeFeature).dim);
      });
      return applyModule(run.data.modules[tower] ?? null, besideOneAnother(vectors, samples), samples);
    }),
  );
}

/** Its backward pass: step c the other way round, with every vector's gradient. */
export function flatBackward(run: Run): ShardGradients {
  const ranks = everyRank(run);
  const packets = ranks.map((source) => {
    const gradients = vectorGradients(run, source);
    return run.byRank.map((shards) => packetOf(run, gradientsFor(run, shards, gradients)));
  });
  return run.wires.allToAll({ exchange: "flat", pass: "backward", step: "c" }, ranks, packets);
}

/** The gradients of a rank's samples for each feature: samples × dim, through the towers' modules. */
export function vectorGradients(run: Run, source: number): Block {
  const samples = run.problem.localBatch;
  return run.problem.towers.flatMap((_, tower) => {
    const dims = dimsOf(run, tower);
    const width = dims.reduce((sum, dim) => sum + dim, 0);
    const gradient = run.data.gradients[source]?.[tower] as Float32Array;
    return apart(moduleGradient(run.data.modules[tower] ?? null, gradient, samples, width), samples, dims);
  });
}

/** What of the gradients of all features belongs to the given shards; every row-wise shard needs the whole vector's. */
export function gradientsFor(run: Run, shards: readonly Shard[], gradients: Block): Block {
  return shards.map((shard) => sliced(shard, gradients[shard.feature] as Float32Array, run.problem.localBatch));
}
