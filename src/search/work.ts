/**
 * What pieces of search take, in units of work. A unit is about what one core does in a millisecond: measured once, so that
 * shares of a time limit can be given as shares of work, and the same on every machine.
 */
export const UNITS = {
  /** A step of annealing over placements. */
  move: 5e-4,
  /** A step of annealing of a packing. */
  annealing: 3e-4,
  /** A pair of sets of shards that a descent compares. */
  exchange: 5e-5,
  /** A shard that is put somewhere, by device. */
  placing: 2e-5,
  /** A shard of a plan that is evaluated in exact arithmetic and written. */
  writing: 1e-3,
  /** A shard that a published planner packs. */
  packing: 5e-4,
  /** Prices of a device's cost and memory that leave many of its partial patterns. */
  weights: 16,
  /** An option of a table in a relaxation of all devices as one. */
  option: 5e-3,
  /** A partial pattern that pricing looks at. */
  label: 7e-4,
  /** A row or a column of a growing linear program in an iteration of HiGHS. */
  pivot: 1.5e-4,
  /** An entry of a program in one iteration of a relaxation. */
  iteration: 1e-5,
  /** An iteration of a general solver's branch and cut, and an entry of the program in it. */
  branchAndCut: 0.2,
  branchAndCutEntry: 2e-5,
  /** An entry of a program at a node, in exact arithmetic. */
  node: 2.5e-3,
  /** An entry of a program in a bound by multipliers that are mostly 0, in exact arithmetic. */
  bound: 1.5e-4,
  /** An entry of a basis and its factors, for each digit of an exact solution. */
  digit: 5e-5,
  /** A set of items that a walk through groups looks at, and a partial partition made of listed groups. */
  set: 1.5e-4,
  partition: 1e-3,
  /** A set of tables that a cost network is asked about. */
  network: 5e-3,
  /** A set of tables or items, by table or item, in one look at all of them. */
  subset: 5e-6,
  /** A pair of items that pricing, a descent or a listed group of it looks at. */
  pair: 4e-5,
  /** n³ of one step of the semidefinite bound. */
  matrix: 2e-5,
  /** An entry of a program that is built. */
  building: 4e-3,
  /** An entry of a program that the checker goes through. */
  checking: 2e-3,
} as const;

/** Units in a second of a time limit. */
export const UNITS_PER_SECOND = 1000;

/** Asked now and then whether to stop, with the units of work done since it was last asked. */
export type ShouldStop = (units?: number) => boolean;

/**
 * Work done so far, which steers a search in place of the clock: the same input goes the same way on an idle machine and on a
 * busy one. Only `isOver`, the outermost limit, looks at the clock.
 */
export class Work {
  readonly #isOver: () => boolean;
  readonly #most: number;
  #done = 0;

  /** `most`: units after which it is over too. */
  constructor(isOver: () => boolean = () => false, most = Number.POSITIVE_INFINITY) {
    this.#isOver = isOver;
    this.#most = most;
  }

  /** Units so far. */
  get done(): number {
    return this.#done;
  }

  /** Counts work where there is nothing to ask. */
  spend(units: number): void {
    this.#done += units;
  }

  /** Counts work, and says whether all is over. */
  readonly ask = (units = 0): boolean => {
    this.#done += units;
    return this.#done >= this.#most || this.#isOver();
  };

  /** Ends after so many units from now on, or when all ends. */
  slice(units: number): ShouldStop {
    const end = this.#done + units;
    return (more = 0) => this.ask(more) || this.#done >= end;
  }
}

/** The same asked with how many pieces were done, which take so many units each. */
export function inPieces(shouldStop: ShouldStop, each: number): (pieces?: number) => boolean {
  return (pieces = 0) => shouldStop(pieces * each);
}
