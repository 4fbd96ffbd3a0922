import { Rational } from "../../exact/rational.js";
import { addBytes, groupExchange, NO_BYTES, type RankTraffic, reversed } from "./traffic.js";
import { rankLoads, type Workload } from "./workload.js";
import { ranksPerTower, type World } from "./world.js";

/**
 * Step a of both exchanges: every rank sends the ids of its B samples to the ranks that hold their tables, by a global
 * all-to-all (DMT, figures 4 and 7). With i_o bytes of ids and lengths per sample that owner o must be told, it receives
 * B·i_o from every rank: 8·B·Σh·(1 − 1/G) per rank where owners are alike and ids have eight bytes, and as many times more
 * as a column-wise table has shards. Ids of hot rows go to the rank of their tower that is the sample's own rank's peer, so that a rank
 * is told those of its T peers alone. It has no backward pass.
 */
export function indexExchange(workload: Workload): readonly RankTraffic[] {
  const { world, localBatch } = workload;
  const batch = Rational.of(BigInt(localBatch));
  const loads = rankLoads(workload);
  const told = loads.map(({ indexBytes }) => indexBytes.multiply(batch));
  const all = reversed(groupExchange(world, world.ranks, told));
  if (loads.every(({ hotIndexBytes }) => hotIndexBytes.sign() === 0)) return all;
  const hot = fromPeers(
    world,
    loads.map(({ hotIndexBytes }) => hotIndexBytes.multiply(batch)),
  );
  return all.map(({ sent, received }, rank) => {
    const more = hot[rank] as RankTraffic;
    return { sent: addBytes([sent, more.sent]), received: addBytes([received, more.received]) };
  });
}

/** Every rank is sent `bytes[rank]` by each of its peers, the ranks of the same slot, itself among them. Peers are of other hosts. */
function fromPeers(world: World, bytes: readonly Rational[]): readonly RankTraffic[] {
  const slots = ranksPerTower(world);
  const others = Rational.of(BigInt(bytes.length / slots - 1));
  return bytes.map((own, rank) => {
    const ofPeers = bytes.filter((_, peer) => peer !== rank && peer % slots === rank % slots);
    const toPeers = ofPeers.reduce((sum, each) => sum.add(each), Rational.zero);
    return {
      sent: { ...NO_BYTES, sameRank: own, acrossHosts: toPeers },
      received: { ...NO_BYTES, sameRank: own, acrossHosts: own.multiply(others) },
    };
  });
}
