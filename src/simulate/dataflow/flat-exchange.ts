import { assemble, type Block, packetOf, sliced } from "./blocks.js";
import type { ExchangeFeature } from "./exchange-problem.js";
import { lookUp, lookUpBlock, sendIds } from "./index-step.js";
import type { Shard } from "./layout.js";
import { everyRank, featuresOf, type Run } from "./run.js";
import { applyModule, moduleGradients } from "./tower-module.js";

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
  const lookedUp = sendIds(run, "flat", ranks).map((blocks, owner) =>
    blocks.map((bags) => lookUpBlock(run, owner, bags)),
  );
  const packets = lookedUp.map((blocks) => blocks.map((block) => packetOf(run, block)));
  const received = run.wires.allToAll({ exchange: "flat", pass: "forward", step: "c" }, ranks, packets);
  return outputsOf(run, (rank, feature) => assemble(run, feature, (owner) => received[rank]?.[owner] as Block));
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

/** What one machine with all tables would put out: the semantics that an exchange must preserve. */
export function lookedUpAtOnce(run: Run): Outputs {
  return outputsOf(run, (rank, feature) => {
    const { dim } = run.features[feature] as ExchangeFeature;
    const ids = run.data.ids[rank]?.[feature] as Int32Array;
    const whole = { firstRow: 0, firstColumn: 0, columns: dim };
    return lookUp(run.data.tables[feature] as Float32Array, dim, { ids, lengths: null }, run.problem.localBatch, whole);
  });
}

/** The gradients that each shard must get of each rank's samples. */
export function gradientsAtOnce(run: Run): ShardGradients {
  const bySource = everyRank(run).map((source) => vectorGradients(run, source));
  return run.byRank.map((shards) => bySource.map((gradients) => gradientsFor(run, shards, gradients)));
}

function outputsOf(run: Run, vectorsOf: (rank: number, feature: number) => Float32Array): Outputs {
  return everyRank(run).map((rank) =>
    run.problem.towers.map((_, tower) => {
      const vectors = featuresOf(run, tower).map((feature) => vectorsOf(rank, feature));
      return applyModule(run, tower, vectors);
    }),
  );
}

/** The gradients of a rank's samples for each feature: samples × dim, through the towers' modules. */
function vectorGradients(run: Run, source: number): Block {
  return run.problem.towers.flatMap((_, tower) =>
    moduleGradients(run, tower, run.data.gradients[source]?.[tower] as Float32Array),
  );
}

/** What of the gradients of all features belongs to the given shards; every row-wise shard needs the whole vector's. */
function gradientsFor(run: Run, shards: readonly Shard[], gradients: Block): Block {
  return shards.map((shard) => sliced(shard, gradients[shard.feature] as Float32Array, run.problem.localBatch));
}
