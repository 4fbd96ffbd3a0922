import { Rational } from "../../exact/rational.js";
import { groupExchange, type RankTraffic, reversed } from "./traffic.js";
import { rankLoads, type Workload } from "./workload.js";

/**
 * Step a of both exchanges: every rank sends the ids of its B samples to the ranks that hold their tables, by a global
 * all-to-all (DMT, figures 4 and 7). With i_o bytes of ids and lengths per sample that owner o must be told, it receives
 * B·i_o from every rank: 8·B·Σh·(1 − 1/G) per rank where owners are alike and ids have eight bytes, and as many times more
 * as a column-wise table has shards. It has no backward pass.
 */
export function indexExchange(workload: Workload): readonly RankTraffic[] {
  const { world, localBatch } = workload;
  const batch = Rational.of(BigInt(localBatch));
  const told = rankLoads(workload).map(({ indexBytes }) => indexBytes.multiply(batch));
  return reversed(groupExchange(world, world.ranks, told));
}
