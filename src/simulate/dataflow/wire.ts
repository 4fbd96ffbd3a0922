import type { ByLink, ExchangeStep } from "../../traffic/exchange.js";
import { type Layout, linkBetween } from "./layout.js";

/** Which part of an iteration moves bytes. */
export interface StepName extends ExchangeStep {
  readonly exchange: "flat" | "sptt";
}

/** The bytes of a step, as they were moved. */
export interface StepBytes extends StepName {
  /** By rank. */
  readonly sent: readonly ByLink<number>[];
  readonly received: readonly ByLink<number>[];
  /** Of all ranks together. */
  readonly total: ByLink<number>;
}

/** What a rank sends in one block: an array, with the bytes that an item of it has on the wire. */
export interface Packet<T> {
  readonly content: T;
  readonly bytes: number;
}

type Link = keyof ByLink<number>;
type Counted = Record<Link, number>;

/** Moves blocks between ranks, and counts every byte of them. */
export class Wires {
  readonly #layout: Layout;
  readonly #steps = new Map<string, { name: StepName; sent: Counted[]; received: Counted[] }>();

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /**
   * An all-to-all in a group of ranks: `packets[i][j]` goes from the group's i-th rank to its j-th. What comes back is, for
   * each rank, what it got from each, by the sender's place in the group.
   */
  allToAll<T>(name: StepName, group: readonly number[], packets: readonly (readonly Packet<T>[])[]): T[][] {
    const counted = this.#counters(name);
    return group.map((to, j) =>
      group.map((from, i) => {
        const { content, bytes } = (packets[i] as readonly Packet<T>[])[j] as Packet<T>;
        const link = linkBetween(this.#layout, from, to);
        (counted.sent[from] as Counted)[link] += bytes;
        (counted.received[to] as Counted)[link] += bytes;
        return content;
      }),
    );
  }

  /** A move inside a rank's own memory. */
  moveLocally(name: StepName, rank: number, bytes: number): void {
    const counted = this.#counters(name);
    (counted.sent[rank] as Counted).sameRank += bytes;
    (counted.received[rank] as Counted).sameRank += bytes;
  }

  /** All steps so far, in the order in which they first ran. */
  steps(): readonly StepBytes[] {
    return [...this.#steps.values()].map(({ name, sent, received }) => ({ ...name, sent, received, total: sum(sent) }));
  }

  #counters(name: StepName) {
    const key = `${name.exchange} ${name.pass} ${name.step}`;
    const known = this.#steps.get(key);
    if (known !== undefined) return known;
    const none = () =>
      Array.from({ length: this.#layout.ranks }, () => ({ sameRank: 0, insideHost: 0, acrossHosts: 0 }));
    const counted = { name, sent: none(), received: none() };
    this.#steps.set(key, counted);
    return counted;
  }
}

function sum(ranks: readonly ByLink<number>[]): ByLink<number> {
  const of = (link: Link) => ranks.reduce((total, bytes) => total + bytes[link], 0);
  return { sameRank: of("sameRank"), insideHost: of("insideHost"), acrossHosts: of("acrossHosts") };
}
