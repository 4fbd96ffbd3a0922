/** One way to make progress on the state of a search. */
export interface Strategy<State> {
  /** As it is switched off by, and as measurements name it. */
  readonly name: string;
  /** Whether there is anything for it to do now; asked before every run, and quick. */
  readonly applies: (state: State) => boolean;
  readonly run: (state: State) => void | Promise<void>;
}

/** What strategies work on: bound, incumbent and work done so far are the state's own. */
export interface Anytime {
  /** Whether the gap is closed, nothing is left to do, or time is up; asked before every strategy. */
  isSettled(): boolean;
}

/** Strategies left out of a search, by name. */
export type Without = ReadonlySet<string>;

/** Runs strategies once, in turn, until the state is settled. */
export async function runInTurn<State extends Anytime>(
  strategies: readonly Strategy<State>[],
  state: State,
  without: Without = new Set(),
): Promise<void> {
  for (const strategy of strategies) {
    if (state.isSettled()) return;
    if (!without.has(strategy.name) && strategy.applies(state)) await strategy.run(state);
  }
}
