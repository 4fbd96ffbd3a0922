import { expect, test } from "vitest";
import { type Draws, drawsOf } from "../support/draws.js";
import { certificates } from "./attack/certificates.js";
import { groupings } from "./attack/groupings.js";
import { ladders } from "./attack/ladders.js";
import { type Attack, Tally } from "./attack/tally.js";

// `npm run fuzz` makes as many attempts as one likes.

/** Runs an attack on the subjects of some seeds. */
async function attacked({ round }: Attack, { seeds }: Draws): Promise<Tally> {
  const tally = new Tally();
  for (const seed of seeds) await round(seed, tally);
  return tally;
}

test.each([
  { attack: certificates, runs: 45, proves: 0.6 },
  { attack: groupings, runs: 60, proves: 0.8 },
  { attack: ladders, runs: 60, proves: 0.6 },
])("$attack.name: no false claim is proved, and most true ones are", { timeout: 300_000 }, async (one) => {
  const draws = drawsOf(one.runs, 0);
  const tally = await attacked(one.attack, draws);
  expect(tally.faults).toEqual([]);
  expect(tally.of("checks of false claims")).toBeGreaterThan(draws.atLeast(1000));
  // An adversary that proves nothing at all would prove nothing false either.
  expect(tally.of("true claims proved")).toBeGreaterThan(draws.atLeast(5));
  expect(tally.of("true claims proved") / tally.of("true claims")).toBeGreaterThan(draws.isWhole ? one.proves : 0);
});
