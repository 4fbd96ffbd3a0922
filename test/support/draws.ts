import { test } from "vitest";

/**
 * How many problems tests draw, and from where. A gate draws a tenth of what a test names, from a seed that is the commit's, so
 * that every commit looks elsewhere; `npm run test:deep` draws all, from the test's own first seed, the same every time.
 *
 * `vitest.config.ts` sets both and prints them; to repeat a run, give them: `DRAWS=0.1 DRAWS_SEED=123 npx vitest run FILE`. `DRAWS`
 * is the share of a test's problems: 1 for all, 10 for ten times as many. A problem that was ever answered wrongly is a fixed case in
 * test/regress, not a seed here.
 */
export interface Draws {
  /** How many to draw. */
  readonly amount: number;
  /** All, from the test's own seed: what is seen is then the same every time. */
  readonly isWhole: boolean;
  /** Where to begin: for `seededRandom`, or the first of {@link Draws.seeds}. Below 2³². */
  readonly seed: number;
  /** As many seeds as problems, from `seed` on. */
  readonly seeds: readonly number[];
  /** `seed` and `amount` for fast-check. */
  readonly parameters: { readonly seed: number; readonly numRuns: number };
  /**
   * What has to be seen at least of a kind that all draws from the test's own seed have `least` times. Fewer draws, or others,
   * have their share of it but for chance: 4.5 standard deviations, which one run of 300,000 goes below. What a draw has several times
   * comes in groups of geometric sizes.
   */
  atLeast(least: number): number;
  /** What may be seen at most of a kind that all draws may have `most` times, likewise. */
  atMost(most: number): number;
}

const share = Number(process.env.DRAWS ?? 0.1);
const offset = Number(process.env.DRAWS_SEED ?? 0);

/**
 * Draws of a test that names `all` problems, of which the first has the seed `first`; never fewer than `fewest`, where it names as
 * many.
 */
export function drawsOf(all: number, first: number, fewest = 10): Draws {
  const amount = Math.max(Math.ceil(all * share), Math.min(all, fewest));
  const seed = (first + offset) >>> 0;
  const isWhole = amount === all && offset === 0;
  const expected = (count: number) => (count * amount) / all;
  const deviation = (count: number) => Math.sqrt(expected(count) * Math.max(1, (2 * count) / all));
  return {
    amount,
    isWhole,
    seed,
    seeds: Array.from({ length: amount }, (_, k) => (seed + k) >>> 0),
    parameters: { seed: seed | 0, numRuns: amount },
    atLeast: (least) => (isWhole ? least : Math.max(0, Math.floor(expected(least) - 4.5 * deviation(least)))),
    atMost: (most) => (isWhole ? most : Math.ceil(expected(most) + 4.5 * deviation(most))),
  };
}

/** Some of a list that every commit takes others of: a tenth, at least `fewest`; all where all is drawn. `turn` takes still others. */
export function someOf<T>(all: readonly T[], fewest: number, turn = 0): readonly T[] {
  const amount = Math.min(all.length, Math.max(Math.ceil(all.length * share), fewest));
  return Array.from({ length: amount }, (_, k) => all[(offset + turn + k) % all.length] as T);
}

/**
 * Whether something of ten seconds and more that smaller ones stand beside is tried on this commit: one commit in four, each at its own;
 * always where all is drawn.
 */
export function isItsTurn(title: string): boolean {
  const place = [...title].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return share >= 1 || (offset + place) % 4 === 0;
}

/** A test that is tried where {@link isItsTurn}; its title says so, so that who reads what was skipped knows why. */
export function testInTurn(title: string, run: () => unknown, timeout?: number): void {
  test.skipIf(!isItsTurn(title))(`${title} (one commit in four)`, run, timeout);
}
