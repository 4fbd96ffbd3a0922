import type { BaseLadder } from "./base-tree/base-ladder.js";
import type { PlacementState } from "./placement-state.js";

/** What the tree over bases may take at once, as a share of all work: little at first, then more, in turn with the others. */
const BASE_SHARE = 0.1;
const MAX_BASE_SHARE = 0.4;

/** Beyond this part of the placement neither patterns nor trees on them close what relaxations left. */
const FAR = 0.005;

/** Turns of the tree over bases, as shares of all work: little at first, twice as much each time. */
export class BaseTurns {
  readonly #hasHosts: boolean;
  readonly #memoryBinds: boolean;
  readonly ladder: BaseLadder;
  #share = BASE_SHARE;
  #hasRaised = false;

  constructor(hasHosts: boolean, ladder: BaseLadder, memoryBinds: boolean) {
    this.ladder = ladder;
    this.#hasHosts = hasHosts;
    this.#memoryBinds = memoryBinds;
  }

  /**
   * Whether it has raised the bound or memory binds, on one host both, and has more to ask: bounds of patterns, and trees that rest
   * on them, know less. The same while relaxations of what has no bases have more to give; and once they have come to their end
   * far from the placement: no other bound comes nearer then, and better placements are what is left.
   */
  leads(bound: number, value: number): boolean {
    if (this.hasEnded && value - bound > FAR * value) return true;
    const isAhead = this.#hasHosts ? this.#hasRaised || this.#memoryBinds : this.#hasRaised && this.#memoryBinds;
    return (isAhead || this.isRelaxing) && this.ladder.applies(bound, value);
  }

  /** Whether memory binds and relaxations of what has no bases have more to give. */
  get isRelaxing(): boolean {
    return this.#memoryBinds && this.ladder.isRelaxing;
  }

  /** Whether memory binds and they have come to their end. */
  get hasEnded(): boolean {
    return this.#memoryBinds && this.ladder.hasEnded;
  }

  /**
   * Decides whether there are placements below limits, from the best placement downwards, and proves that there are
   * none.
   */
  async turn(search: PlacementState): Promise<void> {
    const shouldStop = search.work.slice(this.#share * search.all);
    // Relaxations go on from where they were at every turn, and better placements make fewer of them.
    if (!this.ladder.isRelaxing) this.#share = Math.min(2 * this.#share, MAX_BASE_SHARE);
    for (let isOver = false; !isOver; ) {
      const before = this.ladder.nodes;
      const [bound, value] = [search.bound.toNumber(), search.incumbent.value?.toNumber() as number];
      const answer = search.isSettled() ? null : await this.ladder.step(bound, value, shouldStop);
      search.nodes += this.ladder.nodes - before;
      if (answer?.kind === "found") search.incumbent.offer(search.built.pointOf(answer.placement));
      isOver = answer === null;
      if (answer?.kind === "bound") search.best.offer(answer.proof);
      else if (isOver && !this.#offerTold(search)) return;
      const isRaised = search.bound.toNumber() > bound;
      if (isRaised) this.#hasRaised = true;
      // What was refused would be asked again, and come to the same.
      if (!isRaised && (search.incumbent.value?.toNumber() as number) >= value) {
        this.ladder.giveUp();
        return;
      }
    }
  }

  /** Offers what the ladder came to, the best first, until one is accepted; whether there was any. */
  #offerTold({ best }: PlacementState): boolean {
    let told = this.ladder.told();
    const isAny = told !== null;
    for (; told !== null; told = this.ladder.told()) {
      const [before, spent] = [best.value, best.milliseconds];
      best.offer(told.proof);
      this.ladder.learnCheck(told, best.milliseconds - spent, best.value.compare(before) > 0);
    }
    return isAny;
  }
}
