import { expect, test } from "vitest";
import { certificates } from "./attack/certificates.js";
import { groupings } from "./attack/groupings.js";
import { ladders } from "./attack/ladders.js";
import { type Attack, Tally } from "./attack/tally.js";

// The same attempts on every run; `npm run fuzz` makes as many as one likes.

/** Runs an attack on the subjects of the first seeds. */
async function attacked({ round }: Attack, runs: number): Promise<Tally> {
  const tally = new Tally();
  for (let seed = 0; seed < runs; seed++) await round(seed, tally);
  return tally;
}

test.each([
  { attack: certificates, runs: 45, proves: 0.6 },
  { attack: groupings, runs: 60, proves: 0.8 },
  { attack: ladders, runs: 60, proves: 0.6 },
])("$attack.name: no false claim is proved, and most true ones are", { timeout: 120_000 }, async (one) => {
  const tally = await attacked(one.attack, one.runs);
  expect(tally.faults).toEqual([]);
  expect(tally.of("checks of false claims")).toBeGreaterThan(1000);
  // An adversary that proves nothing at all would prove nothing false either.
  expect(tally.of("true claims proved")).toBeGreaterThan(5);
  expect(tally.of("true claims proved") / tally.of("true claims")).toBeGreaterThan(one.proves);
});
