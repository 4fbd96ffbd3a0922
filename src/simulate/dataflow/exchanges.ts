import type { ExchangeFeature } from "./exchange-problem.js";
import { bagBytes, lookUp, lookUpBlock, sendIds } from "./index-step.js";
import { type Packet, peerOrder, peersOf, type Shard, towerRanks } from "./layout.js";
import { assemble, type Block, bytesOf, everyRank, featuresOf, packetOf, type Run, sliced, transposed } from "./run.js";
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

const forward = { exchange: "sptt", pass: "forward" } as const;

/**
 * SPTT, rank by rank (DMT, figure 7): (a) ids to the owners, (b) look-up for the global batch, (c) blocks into peer order, (d)
 * an exchange inside each tower, after which a slot holds its tower's features for all its peers, (e) transpose to (peers,
 * features), the tower's module, (f) an all-to-all among the peers of each slot.
 */
export function spttForward(run: Run): Outputs {
  const { layout } = run;
  const inPeerOrder = lookUpInPeerOrder(run);
  // By rank, (e): what each of its peers shall get.
  const byPeer: Float32Array[][] = everyRank(run).map(() => []);
  for (let tower = 0; tower < layout.towers; tower++) {
    const ranks = towerRanks(layout, tower);
    const packets = ranks.map((rank) => chunks(run, inPeerOrder[rank] as readonly Block[]));
    const received = run.wires.allToAll({ ...forward, step: "d" }, ranks, packets);
    ranks.forEach((rank, slot) => {
      const byFeature = featuresByPeer(run, tower, received[slot] as readonly (readonly Block[])[]);
      run.wires.moveLocally({ ...forward, step: "e" }, rank, bytesOf(run, byFeature));
      byPeer[rank] = transposed(byFeature, layout.towers).map((vectors) => applyModule(run, tower, vectors));
    });
  }
  return exchangedByPeers(run, "forward", byPeer);
}

/** Step f: the peers of each slot send one another `byPeer`, by rank and tower; what comes back is by rank and tower, too. */
function exchangedByPeers(run: Run, pass: "forward" | "backward", byPeer: Outputs): Outputs {
  const received: Float32Array[][] = everyRank(run).map(() => []);
  for (let slot = 0; slot < run.layout.slots; slot++) {
    const peers = peersOf(run.layout, slot);
    const packets = peers.map((rank) =>
      (byPeer[rank] as readonly Float32Array[]).map((content) => ({
        content,
        bytes: content.length * run.elementBytes,
      })),
    );
    const arrived = run.wires.allToAll({ exchange: "sptt", pass, step: "f" }, peers, packets);
    peers.forEach((rank, k) => {
      received[rank] = arrived[k] as Float32Array[];
    });
  }
  return received;
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
  return featuresOf(run, tower).map((feature) =>
    Array.from({ length: towers }, (_, peer) =>
      assemble(run, feature, (owner) => bySlot[owner % slots]?.[peer] as Block),
    ),
  );
}

const backward = { exchange: "sptt", pass: "backward" } as const;

/** The backward pass: gradients go back by f, e and d, and c puts them into the order of ranks where it moved vectors. */
export function spttBackward(run: Run): ShardGradients {
  const { layout, data } = run;
  const received = exchangedByPeers(run, "backward", data.gradients);
  const gradients: (readonly Block[])[] = everyRank(run).map(() => []);
  for (let tower = 0; tower < layout.towers; tower++) {
    const ranks = towerRanks(layout, tower);
    const packets = ranks.map((rank) => {
      const byPeer = (received[rank] as readonly Float32Array[]).map((each) => moduleGradients(run, tower, each));
      run.wires.moveLocally({ ...backward, step: "e" }, rank, bytesOf(run, byPeer));
      const byFeature = transposed(byPeer, featuresOf(run, tower).length);
      return ranks.map((owner) => gradientPacket(run, tower, owner, byFeature));
    });
    const arrived = run.wires.allToAll({ ...backward, step: "d" }, ranks, packets);
    ranks.forEach((rank, slot) => {
      gradients[rank] = inRankOrder(run, rank, (arrived[slot] as (readonly Block[])[]).flat());
    });
  }
  return gradients;
}

/** What an owner needs of (features, peers): for each peer, the gradients of its shards. */
function gradientPacket(
  run: Run,
  tower: number,
  owner: number,
  byFeature: readonly (readonly Float32Array[])[],
): Packet<readonly Block[]> {
  const first = run.firstFeature[tower] as number;
  const content = Array.from({ length: run.layout.towers }, (_, peer) =>
    (run.byRank[owner] as readonly Shard[]).map((shard) =>
      sliced(shard, byFeature[shard.feature - first]?.[peer] as Float32Array, run.problem.localBatch),
    ),
  );
  return { content, bytes: bytesOf(run, content) };
}

/** Blocks in peer order, by source rank. It is a move only where step c was one of vectors. */
function inRankOrder(run: Run, rank: number, blocks: readonly Block[]): readonly Block[] {
  const { variant = "permute-vectors", peerOrder: key = "slot" } = run.problem;
  const isMove = variant === "permute-vectors";
  run.wires.moveLocally({ ...backward, step: "c" }, rank, isMove ? bytesOf(run, blocks) : 0);
  const bySource: Block[] = [];
  peerOrder(run.layout, key).forEach((source, place) => {
    bySource[source] = blocks[place] as Block;
  });
  return bySource;
}
