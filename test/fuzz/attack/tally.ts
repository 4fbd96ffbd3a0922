/** What was tried and what came of it, by name; and what must not have come of anything. */
export class Tally {
  readonly counts = new Map<string, number>();
  /** False acceptances, wrong answers and crashes, each with what leads to it again. */
  readonly faults: string[] = [];

  add(name: string, count = 1): void {
    this.counts.set(name, this.of(name) + count);
  }

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  fault(report: string): void {
    this.faults.push(report);
  }

  /** `1,234 checks, 5 true claims proved`: in the order in which names came up. */
  toString(): string {
    return [...this.counts].map(([name, count]) => `${count.toLocaleString("en")} ${name}`).join(", ");
  }
}

/** One kind of attack: a round makes one subject of a seed, attacks it, and tells the tally. */
export interface Attack {
  readonly name: string;
  round(seed: number, tally: Tally): void | Promise<void>;
}
