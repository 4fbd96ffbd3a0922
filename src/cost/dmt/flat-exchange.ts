import { Rational } from "../../exact/rational.js";
import { groupExchange, type RankTraffic } from "./traffic.js";
import { rankLoads, type Workload } from "./workload.js";

/**
 * Step c of the flat exchange: every owner sends the vectors that it looked up to the ranks whose samples they are, by a
 * global all-to-all (DMT, figure 4). With w_g elements per sample on rank g, it sends B·w_g·s bytes to each rank: with
 * u = B·ΣN·s and owners alike, u·(1 − 1/G) leave a rank, u·(1 − L/G) of them its host. Partial vectors of row-wise shards are
 * added by the rank that gets them.
 */
export function flatExchange(workload: Workload): readonly RankTraffic[] {
  const { world, localBatch, elementBytes } = workload;
  const sent = rankLoads(workload).map(({ elements }) =>
    Rational.of(BigInt(localBatch) * BigInt(elementBytes)).multiply(Rational.fromNumber(elements)),
  );
  return groupExchange(world, world.ranks, sent);
}
