/** What was tried and what came of it, by name; and what must not have come of anything. */
export class Tally {
  readonly counts = new Map<string, number>();
  /** False acceptances, wrong answers and crashes, each with what leads to it again. */
  readonly faults: string[] = [];
  /** By sequence of kinds of steps, how many walks came to the last of them. */
  readonly sequences = new Map<string, number>();

  add(name: string, count = 1): void {
    this.counts.set(name, this.of(name) + count);
  }

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  fault(report: string): void {
    this.faults.push(report);
  }

  /** `12 of 15 sequences …`, of those that were tried; empty where none was. */
  get reached(): string {
    const reached = [...this.sequences.values()].filter((walks) => walks > 0).length;
    return this.sequences.size === 0
      ? ""
      : `, ${reached} of ${this.sequences.size} sequences of steps tried to the last`;
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
