import { Rational } from "../../exact/rational.js";
import { groupExchange, type RankTraffic } from "./traffic.js";
import { rankLoads, type Workload } from "./workload.js";
import { ranksPerTower, towerCount } from "./world.js";

/**
 * Step d of SPTT: inside its tower, every rank sends slot s the vectors for the samples of slot s's T peers, so that each
 * slot then holds the whole tower's for its peers (DMT, section 3.1.1). With w_g elements per sample on rank g, it sends
 * T·B·w_g·s bytes to each of the M slots.
 *
 * Table- and column-wise: u·(1 − 1/M) leave a rank and u·(1 − 1/K) its host, with u = B·ΣN·s and ranks alike. Row-wise: a
 * reduce-scatter whose partial vectors go straight to the slot that adds them, u·(M − 1) and u·(M − L); a ring sends as
 * much in all. Backward, row-wise: an all-gather of as many bytes.
 */
export function towerExchange(workload: Workload): readonly RankTraffic[] {
  const { world, localBatch, elementBytes } = workload;
  const perElement = Rational.of(BigInt(towerCount(world)) * BigInt(localBatch) * BigInt(elementBytes));
  const sent = rankLoads(workload).map(({ elements }) => perElement.multiply(Rational.fromNumber(elements)));
  return groupExchange(world, ranksPerTower(world), sent);
}
