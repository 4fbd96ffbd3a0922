import { Rational } from "../../exact/rational.js";
import { localMove, type RankTraffic } from "./traffic.js";
import { embeddingDim, rankLoads, type Workload } from "./workload.js";
import { ranksPerTower, towerCount } from "./world.js";

/**
 * What the peer permute moves (DMT, section 3.1.3): the looked-up `vectors`; the `ids`, where steps b and c are swapped; or
 * `nothing`, where a virtual process group has the ranks in peer order.
 */
export type Permute = "vectors" | "ids" | "nothing";

/**
 * Step c of SPTT: each rank puts the G blocks that it holds, one for the samples of each rank, into peer order: G·B·w_g·s
 * bytes of vectors, or the bytes that step a brought. All in its own memory.
 */
export function peerPermute(workload: Workload, permute: Permute): readonly RankTraffic[] {
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
export function towerTranspose({ world, towers, localBatch, elementBytes }: Workload): readonly RankTraffic[] {
  const perElement = BigInt(towerCount(world)) * BigInt(localBatch) * BigInt(elementBytes);
  return localMove(
    towers.flatMap((tower) =>
      new Array<Rational>(ranksPerTower(world)).fill(Rational.of(perElement * BigInt(embeddingDim(tower)))),
    ),
  );
}
