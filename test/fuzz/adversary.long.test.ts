import { expect, test } from "vitest";
import { testInTurn } from "../support/draws.js";
import { certificates } from "./attack/certificates.js";
import { CLOSING } from "./attack/drawn-steps.js";
import { groupings } from "./attack/groupings.js";
import { ladders } from "./attack/ladders.js";
import { groupingSequences, ladderSequences, programSequences } from "./attack/sequences.js";
import { type Attack, Tally } from "./attack/tally.js";

// `npm run fuzz` makes as many attempts as one likes.

/** Runs an attack on the subjects of the first seeds: few of them prove too little to tell. */
async function attacked({ round }: Attack, runs: number): Promise<Tally> {
  const tally = new Tally();
  for (let seed = 0; seed < runs; seed++) await round(seed, tally);
  return tally;
}

test.each([
  { attack: certificates, runs: 30, proves: 0.6 },
  { attack: groupings, runs: 60, proves: 0.8 },
  { attack: ladders, runs: 60, proves: 0.6 },
])("$attack.name: no false claim is proved, and most true ones are", { timeout: 300_000 }, async (one) => {
  const tally = await attacked(one.attack, one.runs);
  expect(tally.faults).toEqual([]);
  expect(tally.of("checks of false claims")).toBeGreaterThan(1000);
  // An adversary that proves nothing at all would prove nothing false either.
  expect(tally.of("true claims proved")).toBeGreaterThan(5);
  expect(tally.of("true claims proved") / tally.of("true claims")).toBeGreaterThan(one.proves);
});

/** Rounds with each sequence that ends in an enumeration, which alone compares points: it needs more luck than the others. */
const ROUNDS_OF_ENUMERATIONS = 6;

testInTurn(
  "no two steps let a third prove a false claim",
  () => {
    const tally = new Tally();
    const { sequences, round } = programSequences;
    sequences.forEach((kinds, index) => {
      const [first, second, third] = kinds;
      if (third === undefined || first === second || kinds.slice(0, 2).includes("branch") || !isClosing(third)) return;
      const rounds = third === "enumerate" ? ROUNDS_OF_ENUMERATIONS : 1;
      for (let k = 0; k < rounds; k++) round(index + k * sequences.length, tally);
    });
    for (const { sequences: own, round: attack } of [ladderSequences, groupingSequences]) {
      for (let seed = 0; seed < 30; seed++) attack(seed * 11 + (seed % own.length), tally);
    }
    expect(tally.faults).toEqual([]);
    expect(tally.of("checks of false claims")).toBeGreaterThan(20_000);
    // An adversary whose first steps are refused tries no third.
    expect([...tally.sequences.values()].filter((walks) => walks > 0).length).toBeGreaterThan(150);
  },
  900_000,
);

function isClosing(kind: string): boolean {
  return CLOSING.some((one) => one === kind);
}
