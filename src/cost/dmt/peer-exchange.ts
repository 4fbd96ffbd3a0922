import { Rational } from "../../exact/rational.js";
import { NO_BYTES, type RankTraffic } from "./traffic.js";
import { outputDim, type Workload } from "./workload.js";
import { ranksPerTower } from "./world.js";

/**
 * Step f of SPTT: M all-to-alls side by side, each among the T ranks that have the same slot in their towers (DMT, section
 * 3.1.1). A rank of tower t sends B·O_t·s bytes to each peer, O_t = Σ N_f elements per sample or its module's output.
 * Peers are in different hosts: CR·u·(1 − 1/T) leave the host of every rank where towers are alike, u = B·ΣN·s of all features.
 */
export function peerExchange(workload: Workload): readonly RankTraffic[] {
  const { world, towers, localBatch, elementBytes } = workload;
  const toEach = towers.map((tower) => BigInt(localBatch) * BigInt(outputDim(tower)) * BigInt(elementBytes));
  const toAll = toEach.reduce((sum, bytes) => sum + bytes, 0n);
  return toEach.flatMap((bytes) => {
    const sameRank = Rational.of(bytes);
    const traffic = {
      sent: { ...NO_BYTES, sameRank, acrossHosts: Rational.of(bytes * BigInt(towers.length - 1)) },
      received: { ...NO_BYTES, sameRank, acrossHosts: Rational.of(toAll - bytes) },
    };
    return new Array<RankTraffic>(ranksPerTower(world)).fill(traffic);
  });
}
