/** Probes after which a switch is known. */
const RELIABLE = 4;

/** What splits on a switch have brought on average, for each half by how far its value was away. */
export class Gains {
  readonly #known = new Map<number, { low: number; high: number; count: number }>();

  learn(at: number, value: number, low: number, high: number): void {
    const known = this.#known.get(at) ?? { low: 0, high: 0, count: 0 };
    known.low += low / value;
    known.high += high / (1 - value);
    known.count++;
    this.#known.set(at, known);
  }

  /** What a split at a value may bring; `null` where too little is known. */
  of(at: number, value: number): { readonly low: number; readonly high: number } | null {
    const known = this.#known.get(at);
    if (known === undefined || known.count < RELIABLE) return null;
    return { low: (known.low / known.count) * value, high: (known.high / known.count) * (1 - value) };
  }
}
