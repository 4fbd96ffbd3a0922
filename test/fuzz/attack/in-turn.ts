import type { Step } from "../../../src/proof/certificate.js";
import type { Draw } from "../oracle/draw.js";
import type { Proposer } from "./extend-proof.js";

/** A proposer that can be asked for a step of one kind. */
export interface KindProposer<Kind extends string> extends Proposer {
  /** Kinds that leave their node open, and kinds that close it. */
  readonly goingOn: readonly Kind[];
  readonly closing: readonly Kind[];
  /** `null` where the subject has nothing for it. */
  stepOf(kind: Kind): Step | null;
}

/** All pairs and triples of kinds of which each but the last leaves its node open. */
export function sequencesOf<Kind extends string>({
  goingOn,
  closing,
}: Pick<KindProposer<Kind>, "goingOn" | "closing">): readonly (readonly Kind[])[] {
  const pairs = goingOn.flatMap((first) => [...goingOn, ...closing].map((second) => [first, second]));
  return [...pairs, ...goingOn.flatMap((first) => pairs.map((pair) => [first, ...pair]))];
}

/** Proposes steps of some kinds one after the other, and then whatever may close what is left. */
export class InTurn<Kind extends string> implements Proposer {
  readonly #inner: KindProposer<Kind>;
  readonly #kinds: readonly Kind[];
  readonly #draw: Draw;
  #taken = 0;

  constructor(inner: KindProposer<Kind>, kinds: readonly Kind[], draw: Draw) {
    [this.#inner, this.#kinds, this.#draw] = [inner, kinds, draw];
  }

  /** Whether the last step was tried, all before it taken in turn: of a false claim one that closes the only node is never taken. */
  get hasReachedLast(): boolean {
    return this.#taken >= this.#kinds.length - 1;
  }

  propose(refusals: number): Step {
    const kind = this.#kinds[this.#taken] ?? (this.#draw.oneIn(6) ? null : this.#draw.of(this.#inner.closing));
    return (kind === null ? null : this.#inner.stepOf(kind)) ?? this.#inner.propose(refusals);
  }

  take(step: Step): void {
    this.#inner.take(step);
    const kind = this.#kinds[this.#taken];
    if (kind !== undefined && kind in step) this.#taken++;
  }
}
