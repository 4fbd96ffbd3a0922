/** A fractional column that may be branched on: its place among the program's columns, and its value. */
export interface Fractional {
  readonly column: number;
  readonly value: number;
}

/** By how much the relaxation's bound rises when a column is bounded, below its value or above it; `null`: no more is asked. */
export type Probe = (column: number, half: "below" | "above", at: number) => number | null;

/** Rises of a half that are known, of probes and of nodes, before their average is relied on. */
const RELIABLE = 8;

/** Columns that are probed in a row without a better one, before the best is taken. */
const MAX_WITHOUT_GAIN = 6;

const LEAST_RISE = 1e-6;

/** How often a half was seen to rise, and the sum of that. */
interface Rises {
  readonly count: number;
  readonly sum: number;
}

/** Average rises of a relaxation's bound per unit, of each column and half. */
export class ReliabilityBranching {
  readonly #known = { below: new Map<number, Rises>(), above: new Map<number, Rises>() };

  /**
   * The column whose halves promise the greatest product of rises: those with few probes so far are probed, most promising
   * first (Achterberg, Koch and Martin 2005). A column with a half that holds nothing is taken at once. `null` where there
   * is no candidate. Once a probe is refused what is known by now decides.
   */
  choose(candidates: readonly Fractional[], probe: Probe): Fractional | null {
    const ranked = candidates
      .map((candidate) => ({ candidate, score: this.#score(candidate) }))
      .sort((a, b) => b.score - a.score || a.candidate.column - b.candidate.column);
    let best: Fractional | null = null;
    let bestScore = Number.NEGATIVE_INFINITY;
    let without = 0;
    let isProbing = true;
    for (const { candidate, score } of ranked) {
      const { column, value } = candidate;
      let own = score;
      if (isProbing && !this.#isReliable(column) && without < MAX_WITHOUT_GAIN) {
        const below = probe(column, "below", Math.floor(value));
        const above = below === null ? null : probe(column, "above", Math.floor(value) + 1);
        if (below === Number.POSITIVE_INFINITY || above === Number.POSITIVE_INFINITY) return candidate;
        if (below !== null && above !== null) {
          this.learn(column, "below", below / (value - Math.floor(value)));
          this.learn(column, "above", above / (Math.floor(value) + 1 - value));
          own = product(below, above);
        } else isProbing = false;
      }
      if (own > bestScore) {
        best = candidate;
        bestScore = own;
        without = 0;
      } else without++;
    }
    return best;
  }

  /** What a half that was branched on rose by, a unit. */
  learn(column: number, half: "below" | "above", rise: number): void {
    const { count, sum } = this.#known[half].get(column) ?? { count: 0, sum: 0 };
    this.#known[half].set(column, { count: count + 1, sum: sum + rise });
  }

  #isReliable(column: number): boolean {
    return (this.#known.below.get(column)?.count ?? 0) >= RELIABLE;
  }

  #score({ column, value }: Fractional): number {
    const fraction = value - Math.floor(value);
    return product(fraction * this.#rise(column, "below"), (1 - fraction) * this.#rise(column, "above"));
  }

  /** Of a column that was never probed: the average of all. */
  #rise(column: number, half: "below" | "above"): number {
    const own = this.#known[half].get(column);
    if (own !== undefined) return own.sum / own.count;
    let all = 0;
    for (const { count, sum } of this.#known[half].values()) all += sum / count;
    return this.#known[half].size === 0 ? 1 : all / this.#known[half].size;
  }
}

function product(below: number, above: number): number {
  return Math.max(below, LEAST_RISE) * Math.max(above, LEAST_RISE);
}
