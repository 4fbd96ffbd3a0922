import {
  type ExchangeStep,
  embeddingDim,
  outputDim,
  ranksPerTower,
  towerCount,
} from "../../access/traffic/exchange.js";
import { Rational } from "../../exact/rational.js";
import { addBytes, groupExchange, localMove, peerGroupExchange, type RankTraffic, reversed } from "./traffic.js";
import { rankLoads, type Workload } from "./workload.js";

/** What a step of an exchange moves (b, the look-up, moves nothing between ranks). */
export interface StepTraffic extends ExchangeStep {
  /** Ranks that take part in one collective; 1 where it is a move in a rank's own memory. */
  readonly world: number;
  /** By rank. */
  readonly traffic: readonly RankTraffic[];
}

/**
 * Step a of both exchanges: every rank sends the ids of its B samples to the ranks that hold their tables, by a global
 * all-to-all (DMT, figures 4 and 7). With i_o bytes of ids and lengths per sample that owner o must be told, it receives
 * B·i_o from every rank: 8·B·Σh·(1 − 1/G) per rank where owners are alike and ids have eight bytes, and as many times more
 * as a column-wise table has shards. Ids of hot rows go to the rank of their tower that is the sample's own rank's peer, so that a rank
 * is told those of its T peers alone. It has no backward pass.
 */
function indexExchange(workload: Workload): readonly RankTraffic[] {
  const { world, localBatch } = workload;
  const batch = Rational.of(BigInt(localBatch));
  const loads = rankLoads(workload);
  const told = loads.map(({ indexBytes }) => indexBytes.multiply(batch));
  const all = reversed(groupExchange(world, world.ranks, told));
  if (loads.every(({ hotIndexBytes }) => hotIndexBytes.sign() === 0)) return all;
  const hotBytes = loads.map(({ hotIndexBytes }) => hotIndexBytes.multiply(batch));
  const hot = reversed(peerGroupExchange(world, hotBytes));
  return all.map(({ sent, received }, rank) => {
    const more = hot[rank] as RankTraffic;
    return { sent: addBytes([sent, more.sent]), received: addBytes([received, more.received]) };
  });
}

/**
 * Vectors that their owners looked up, inside groups of `groupSize` consecutive ranks, each of which gets them for the samples
 * of as many ranks as there are groups, n. With w_g elements per sample on rank g, it sends n·B·w_g·s bytes to each.
 *
 * Step c of the flat exchange is one of all ranks (DMT, figure 4): with u = B·ΣN·s and owners alike, u·(1 − 1/G) leave a rank,
 * u·(1 − L/G) of them its host. Partial vectors of row-wise shards are added by the rank that gets them.
 *
 * Step d of SPTT is one inside each tower, after which each slot holds the whole tower's vectors for its T peers (section
 * 3.1.1). Table- and column-wise: u·(1 − 1/M) leave a rank and u·(1 − 1/K) its host, with ranks alike. Row-wise: a
 * reduce-scatter whose partial vectors go straight to the slot that adds them, u·(M − 1) and u·(M − L); a ring sends as
 * much in all. Backward, row-wise: an all-gather of as many bytes.
 */
function vectorExchange(workload: Workload, groupSize: number): readonly RankTraffic[] {
  const { world, localBatch, elementBytes } = workload;
  const perElement = Rational.of(BigInt(world.ranks / groupSize) * BigInt(localBatch) * BigInt(elementBytes));
  const sent = rankLoads(workload).map(({ elements }) => perElement.multiply(Rational.fromNumber(elements)));
  return groupExchange(world, groupSize, sent);
}

/**
 * What the peer permute moves (DMT, section 3.1.3): the looked-up `vectors`; the `ids`, where steps b and c are swapped; or
 * `nothing`, where a virtual process group has the ranks in peer order.
 */
type Permute = "vectors" | "ids" | "nothing";

/**
 * Step c of SPTT: each rank puts the G blocks that it holds, one for the samples of each rank, into peer order: G·B·w_g·s
 * bytes of vectors, or the bytes that step a brought. All in its own memory.
 */
function peerPermute(workload: Workload, permute: Permute): readonly RankTraffic[] {
  const { world, localBatch, elementBytes } = workload;
  const samples = Rational.of(BigInt(world.ranks) * BigInt(localBatch));
  const perSample = {
    vectors: (elements: number) => Rational.fromNumber(elements).multiply(Rational.of(BigInt(elementBytes))),
    ids: (_: number, indexBytes: Rational) => indexBytes,
    nothing: () => Rational.zero,
  }[permute];
  return localMove(
    rankLoads(workload).map(({ elements, indexBytes }) => samples.multiply(perSample(elements, indexBytes))),
  );
}

/** Step e of SPTT: (features, peers) to (peers, features), T·B·ΣN_f·s bytes of the tower's vectors in each rank's memory. */
function towerTranspose(workload: Workload): readonly RankTraffic[] {
  const towers = BigInt(towerCount(workload.world));
  return localMove(bytesOfTowers(workload, embeddingDim).map((bytes) => bytes.multiply(Rational.of(towers))));
}

/**
 * Step f of SPTT: M all-to-alls side by side, each among the T ranks that have the same slot in their towers (DMT, section
 * 3.1.1). A rank of tower t sends B·O_t·s bytes to each peer, O_t = Σ N_f elements per sample or its module's output.
 * Peers are in different hosts: CR·u·(1 − 1/T) leave the host of every rank where towers are alike, u = B·ΣN·s of all features.
 */
export function peerExchange(workload: Workload): readonly RankTraffic[] {
  return peerGroupExchange(workload.world, bytesOfTowers(workload, outputDim));
}

/** By rank, the bytes of a batch's samples with as many elements as its tower has. */
function bytesOfTowers(workload: Workload, elementsOf: typeof outputDim): readonly Rational[] {
  const { world, towers, localBatch, elementBytes } = workload;
  return towers.flatMap((tower) => {
    const bytes = BigInt(localBatch) * BigInt(elementsOf(tower)) * BigInt(elementBytes);
    return new Array<Rational>(ranksPerTower(world)).fill(Rational.of(bytes));
  });
}

/** The flat exchange of one iteration (DMT, figure 4): ids out, vectors back, and their gradients the other way. */
export function flatSteps(workload: Workload): readonly StepTraffic[] {
  const { ranks } = workload.world;
  const vectors = vectorExchange(workload, ranks);
  return [
    { pass: "forward", step: "a", world: ranks, traffic: indexExchange(workload) },
    { pass: "forward", step: "c", world: ranks, traffic: vectors },
    { pass: "backward", step: "c", world: ranks, traffic: reversed(vectors) },
  ];
}

/**
 * SPTT's exchange of one iteration (DMT, figure 7), in the order in which it runs. Gradients take the way back step by step,
 * but where ids were permuted before the look-up: there gradients come as the look-ups lie, in peer order, and stay.
 */
export function spttSteps(workload: Workload, permute: Permute = "vectors"): readonly StepTraffic[] {
  const { world } = workload;
  const inTower = ranksPerTower(world);
  const steps: StepTraffic[] = [
    { pass: "forward", step: "a", world: world.ranks, traffic: indexExchange(workload) },
    { pass: "forward", step: "c", world: 1, traffic: peerPermute(workload, permute) },
    { pass: "forward", step: "d", world: inTower, traffic: vectorExchange(workload, inTower) },
    { pass: "forward", step: "e", world: 1, traffic: towerTranspose(workload) },
    { pass: "forward", step: "f", world: towerCount(world), traffic: peerExchange(workload) },
  ];
  const back = steps
    .filter(({ step }) => step !== "a")
    .reverse()
    .map(({ step, world, traffic }): StepTraffic => ({ pass: "backward", step, world, traffic: reversed(traffic) }));
  const unpermuted = peerPermute(workload, permute === "vectors" ? "vectors" : "nothing");
  return [...steps, ...back.map((each) => (each.step === "c" ? { ...each, traffic: unpermuted } : each))];
}
