import { apart, type Block, sliced, transposed } from "./blocks.js";
import type { ShardGradients } from "./flat-exchange.js";
import { peerOrder, peersOf, towerRanks } from "./layout.js";
import { bytesOf } from "./packets.js";
import { dimsOf, everyRank, type Run } from "./run.js";
import type { Shard } from "./shards.js";
import { moduleGradient } from "./tower-module.js";
import type { Packet } from "./wire.js";

const backward = { exchange: "sptt", pass: "backward" } as const;

/** The backward pass: gradients go back by f, e and d, and c puts them into the order of ranks where it moved vectors. */
export function spttBackward(run: Run): ShardGradients {
  const { layout, problem, data } = run;
  const samples = problem.localBatch;
  const received: Float32Array[][] = everyRank(run).map(() => []);
  for (let slot = 0; slot < layout.slots; slot++) {
    const peers = peersOf(layout, slot);
    const packets = peers.map((rank) =>
      (data.gradients[rank] as readonly Float32Array[]).map((content) => ({
        content,
        bytes: content.length * run.elementBytes,
      })),
    );
    const arrived = run.wires.allToAll({ ...backward, step: "f" }, peers, packets);
    peers.forEach((rank, k) => {
      received[rank] = arrived[k] as Float32Array[];
    });
  }
  const gradients: (readonly Block[])[] = everyRank(run).map(() => []);
  for (let tower = 0; tower < layout.towers; tower++) {
    const ranks = towerRanks(layout, tower);
    const dims = dimsOf(run, tower);
    const width = dims.reduce((sum, dim) => sum + dim, 0);
    const packets = ranks.map((rank) => {
      const byPeer = (received[rank] as readonly Float32Array[]).map((gradient) =>
        apart(moduleGradient(data.modules[tower] ?? null, gradient, samples, width), samples, dims),
      );
      run.wires.moveLocally({ ...backward, step: "e" }, rank, bytesOf(run, byPeer));
      const byFeature = transposed(byPeer, dims.length);
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
