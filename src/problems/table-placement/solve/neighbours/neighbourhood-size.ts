/** Of what a question may take, the share below which it was easy, and the one below which it was hardly one. */
const EASY = 0.3;
const TRIVIAL = 0.03;

/** So many questions one after the other without a better point: the next may take more. */
const MOST_IN_VAIN = 6;

/** How much a neighbourhood holds, and how long it may be searched: as much as is searched to its end. */
export class NeighbourhoodSize {
  readonly #fewest: number;
  readonly #all: number;
  #count: number;
  #effort = 0;
  #vain = 0;

  constructor({ first, fewest, all }: { readonly first: number; readonly fewest: number; readonly all: number }) {
    this.#fewest = Math.min(fewest, all);
    this.#all = all;
    this.#count = Math.min(first, all);
  }

  get count(): number {
    return this.#count;
  }

  /** How often it was to take more. */
  get effort(): number {
    return this.#effort;
  }

  /** `share`: of what it might take. */
  learn(isEnded: boolean, share: number, isBetter: boolean): void {
    if (!isEnded) this.#count = Math.max(this.#fewest, this.#count - 1);
    else if (share < EASY) this.#count = Math.min(this.#all, this.#count + (share < TRIVIAL ? 2 : 1));
    this.#vain = isBetter ? 0 : this.#vain + 1;
    if (this.#vain >= MOST_IN_VAIN) [this.#effort, this.#vain] = [this.#effort + 1, 0];
  }
}
