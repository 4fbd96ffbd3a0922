import { type ByLink, ranksPerTower, type World } from "../../access/traffic/exchange.js";
import { Rational } from "../../exact/rational.js";

/** Bytes by the kind of link that they cross. */
export type LinkBytes = ByLink<Rational>;

/** What one rank sends and receives. */
export interface RankTraffic {
  readonly sent: LinkBytes;
  readonly received: LinkBytes;
}

export const NO_BYTES: LinkBytes = {
  sameRank: Rational.zero,
  insideHost: Rational.zero,
  acrossHosts: Rational.zero,
};

/** The links that a collective can wait for. */
export const WIRES = ["insideHost", "acrossHosts"] as const;
export type Wire = (typeof WIRES)[number];

/** The same bytes on their way back: a backward pass returns a gradient for every vector. */
export function reversed(traffic: readonly RankTraffic[]): readonly RankTraffic[] {
  return traffic.map(({ sent, received }) => ({ sent: received, received: sent }));
}

/** Sums of bytes, link by link. */
export function addBytes(parts: readonly LinkBytes[]): LinkBytes {
  const sum = (link: keyof LinkBytes) => total(parts.map((bytes) => bytes[link]));
  return { sameRank: sum("sameRank"), insideHost: sum("insideHost"), acrossHosts: sum("acrossHosts") };
}

/** What each host's ranks send and receive together, by host: what they send across is what its network cards carry. */
export function hostTraffic({ gpusPerHost }: World, traffic: readonly RankTraffic[]): readonly RankTraffic[] {
  return Array.from({ length: traffic.length / gpusPerHost }, (_, host) => {
    const ranks = traffic.slice(host * gpusPerHost, (host + 1) * gpusPerHost);
    return {
      sent: addBytes(ranks.map(({ sent }) => sent)),
      received: addBytes(ranks.map(({ received }) => received)),
    };
  });
}

/** The most that any rank sends or receives over a kind of link: links carry both directions at once. */
export function busiest(traffic: readonly RankTraffic[], wire: Wire): Rational {
  return traffic
    .flatMap(({ sent, received }) => [sent[wire], received[wire]])
    .reduce((most, bytes) => (bytes.compare(most) > 0 ? bytes : most), Rational.zero);
}

/**
 * An all-to-all inside groups of consecutive ranks, where rank g sends `bytes[g]` to every member of its group, itself
 * among them. The group is a number of whole hosts.
 */
export function groupExchange(
  { gpusPerHost }: World,
  groupSize: number,
  bytes: readonly Rational[],
): readonly RankTraffic[] {
  const hosts = sums(bytes, gpusPerHost);
  const groups = sums(bytes, groupSize);
  const inHost = Rational.of(BigInt(gpusPerHost - 1));
  const inOthers = Rational.of(BigInt(groupSize - gpusPerHost));
  return bytes.map((own, rank) => {
    const host = hosts[Math.floor(rank / gpusPerHost)] as Rational;
    const group = groups[Math.floor(rank / groupSize)] as Rational;
    return {
      sent: { sameRank: own, insideHost: own.multiply(inHost), acrossHosts: own.multiply(inOthers) },
      received: { sameRank: own, insideHost: host.subtract(own), acrossHosts: group.subtract(host) },
    };
  });
}

/**
 * An all-to-all among peers, the ranks of the same slot of every tower: rank g sends `bytes[g]` to each of them, itself among
 * them. Peers are of different hosts.
 */
export function peerGroupExchange(world: World, bytes: readonly Rational[]): readonly RankTraffic[] {
  const slots = ranksPerTower(world);
  const others = Rational.of(BigInt(bytes.length / slots - 1));
  return bytes.map((own, rank) => {
    const toAll = total(bytes.filter((_, peer) => peer % slots === rank % slots));
    return {
      sent: { ...NO_BYTES, sameRank: own, acrossHosts: own.multiply(others) },
      received: { ...NO_BYTES, sameRank: own, acrossHosts: toAll.subtract(own) },
    };
  });
}

/** Bytes that every rank moves in its own memory. */
export function localMove(bytes: readonly Rational[]): readonly RankTraffic[] {
  return bytes.map((own) => {
    const moved = { ...NO_BYTES, sameRank: own };
    return { sent: moved, received: moved };
  });
}

function sums(values: readonly Rational[], size: number): readonly Rational[] {
  return Array.from({ length: values.length / size }, (_, k) => total(values.slice(k * size, (k + 1) * size)));
}

function total(values: readonly Rational[]): Rational {
  return values.reduce((sum, value) => sum.add(value), Rational.zero);
}
