/** Limits nearer to each other than this part say nothing of how work grows. */
const LEAST_STEP = 1e-5;

/** A decision that is open after so much work takes at least so many times that. */
const OPEN_FACTOR = 2;

/**
 * What deciding a limit takes, by what lower ones took: units of work grow about exponentially with the limit, so that the
 * two highest limits decided say how fast.
 */
export class Reach {
  #decided: { readonly claim: number; readonly units: number }[] = [];
  #open = { claim: Number.NaN, units: 0 };

  get hasDecided(): boolean {
    return this.#decided.length > 0;
  }

  /** Units that the highest limit decided took; 0 where none was. */
  get lastUnits(): number {
    return this.#decided[0]?.units ?? 0;
  }

  /** A limit was decided with so many units. */
  learn(claim: number, units: number): void {
    this.#decided = [...this.#decided, { claim, units: Math.max(1, units) }].sort((a, b) => b.claim - a.claim);
  }

  /** A limit is still open after so many units. */
  learnOpen(claim: number, units: number): void {
    this.#open = { claim, units };
  }

  /** Whether it is the last one that was left open. */
  hasBegun(claim: number): boolean {
    return this.#open.claim === claim;
  }

  /** Units that a limit above all decided ones still takes, about; `null` where too little is known. */
  units(claim: number): number | null {
    const grown = this.#grown();
    if (grown === null) return null;
    const spent = this.hasBegun(claim) ? this.#open.units : 0;
    const all = grown.units * Math.exp(grown.rate * (claim - grown.claim));
    return Math.max(all, OPEN_FACTOR * spent) - spent;
  }

  /** The highest limit decided, and by how much the logarithm of work grows from there. */
  #grown(): { readonly claim: number; readonly units: number; readonly rate: number } | null {
    const [last, ...others] = this.#decided;
    const before = others.find(({ claim }) => last !== undefined && claim < last.claim * (1 - LEAST_STEP));
    if (last === undefined || before === undefined) return null;
    const rate = Math.max(0, Math.log(last.units / before.units)) / (last.claim - before.claim);
    return { ...last, rate };
  }
}
