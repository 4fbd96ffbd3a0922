import { assemble, type Block, besideOneAnother, transposed } from "./blocks.js";
import type { ExchangeFeature } from "./exchange-problem.js";
import type { Outputs } from "./flat-exchange.js";
import { bagBytes, lookUpBlock, sendIds } from "./index-step.js";
import { peerOrder, peersOf, towerRanks } from "./layout.js";
import { bytesOf, partOf } from "./packets.js";
import { everyRank, featuresOf, type Run } from "./run.js";
import type { Shard } from "./shards.js";
import { applyModule } from "./tower-module.js";
import type { Packet } from "./wire.js";

const forward = { exchange: "sptt", pass: "forward" } as const;

/**
 * SPTT, rank by rank (DMT, figure 7): (a) ids to the owners, (b) look-up for the global batch, (c) blocks into peer order, (d)
 * an exchange inside each tower, after which a slot holds its tower's features for all its peers, (e) transpose to (peers,
 * features), the tower's module, (f) an all-to-all among the peers of each slot.
 */
export function spttForward(run: Run): Outputs {
  const { layout, problem, data } = run;
  const samples = problem.localBatch;
  const outputs: Float32Array[][] = everyRank(run).map(() => []);
  const inPeerOrder = lookUpInPeerOrder(run);
  // By rank, (e): what each of its peers shall get.
  const byPeer: Packet<Float32Array>[][] = everyRank(run).map(() => []);
  for (let tower = 0; tower < layout.towers; tower++) {
    const ranks = towerRanks(layout, tower);
    const packets = ranks.map((rank) => chunks(run, inPeerOrder[rank] as readonly Block[]));
    const received = run.wires.allToAll({ ...forward, step: "d" }, ranks, packets);
    ranks.forEach((rank, slot) => {
      const byFeature = featuresByPeer(run, tower, received[slot] as readonly (readonly Block[])[]);
      run.wires.moveLocally({ ...forward, step: "e" }, rank, bytesOf(run, byFeature));
      byPeer[rank] = transposed(byFeature, layout.towers).map((vectors) => {
        const content = applyModule(data.modules[tower] ?? null, besideOneAnother(vectors, samples), samples);
        return { content, bytes: content.length * run.elementBytes };
      });
    });
  }
  for (let slot = 0; slot < layout.slots; slot++) {
    const peers = peersOf(layout, slot);
    const packets = peers.map((rank) => byPeer[rank] as readonly Packet<Float32Array>[]);
    const received = run.wires.allToAll({ ...forward, step: "f" }, peers, packets);
    peers.forEach((rank, k) => {
      outputs[rank] = received[k] as Float32Array[];
    });
  }
  return outputs;
}

/** Steps a to c in the order of the variant: by rank, its blocks in peer order. */
function lookUpInPeerOrder(run: Run): readonly (readonly Block[])[] {
  const { variant = "permute-vectors", peerOrder: key = "slot" } = run.problem;
  const order = peerOrder(run.layout, key);
  const name = { ...forward, step: "c" } as const;
  if (variant === "virtual-group") {
    // The group's ranks are in peer order, so what arrives is.
    const byPlace = sendIds(run, "sptt", order);
    for (const rank of order) run.wires.moveLocally(name, rank, 0);
    const byRank = everyRank(run).map((rank) => byPlace[order.indexOf(rank)] as (typeof byPlace)[number]);
    return byRank.map((blocks, owner) => blocks.map((bags) => lookUpBlock(run, owner, bags)));
  }
  const arrived = sendIds(run, "sptt", everyRank(run));
  return arrived.map((blocks, owner) => {
    if (variant === "permute-ids") {
      const bytes = blocks.reduce((sum, bags) => sum + bagBytes(run, bags), 0);
      run.wires.moveLocally(name, owner, bytes);
      return order.map((source) => lookUpBlock(run, owner, blocks[source] as (typeof blocks)[number]));
    }
    const lookedUp = blocks.map((bags) => lookUpBlock(run, owner, bags));
    run.wires.moveLocally(name, owner, bytesOf(run, lookedUp));
    return order.map((source) => lookedUp[source] as Block);
  });
}

/** Of blocks in peer order, one chunk per slot: those of the slot's peers, as many as there are towers. */
function chunks(run: Run, blocks: readonly Block[]): Packet<readonly Block[]>[] {
  const { slots, towers } = run.layout;
  return Array.from({ length: slots }, (_, slot) => {
    const content = blocks.slice(slot * towers, (slot + 1) * towers);
    return { content, bytes: bytesOf(run, content) };
  });
}

/** (features, peers): a tower's vectors, put together from what its slots sent; shards by rows are added here. */
function featuresByPeer(run: Run, tower: number, bySlot: readonly (readonly Block[])[]): Block[] {
  const { slots, towers } = run.layout;
  return featuresOf(run, tower).map((feature) => {
    const shards = run.byFeature[feature] as readonly Shard[];
    const { dim } = run.features[feature] as ExchangeFeature;
    return Array.from({ length: towers }, (_, peer) => {
      const parts = shards.map((shard) => partOf(run, bySlot[shard.owner % slots]?.[peer] as Block, shard));
      return assemble(shards, parts, run.problem.localBatch, dim);
    });
  });
}
