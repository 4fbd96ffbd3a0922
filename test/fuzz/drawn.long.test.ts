import { expect, test } from "vitest";
import { drawsOf } from "../support/draws.js";
import { Tally } from "./attack/tally.js";
import { jointTowers, rows, towers } from "./drawn/others.js";
import { placements } from "./drawn/placements.js";

// `npm run fuzz -- --kind placements --seed N --runs N` draws others.
const ALL = [
  { attack: placements, draws: drawsOf(2000, 0), open: 90 },
  { attack: towers, draws: drawsOf(1000, 0), open: 0 },
  { attack: rows, draws: drawsOf(1000, 0), open: 0 },
  { attack: jointTowers, draws: drawsOf(1000, 0), open: 10 },
];

test.each(ALL)(
  "$attack.name: $draws.amount drawn from seed $draws.seed are planned to gap 0 as by brute force, and verified",
  {
    timeout: 14_400_000,
  },
  async ({ attack, draws, open }) => {
    const tally = new Tally();
    for (const seed of draws.seeds) await attack.round(seed, tally);
    expect(tally.faults).toEqual([]);
    expect(tally.of("plans")).toBeGreaterThan(draws.amount / 2);
    expect(tally.of("verified")).toBe(tally.of("plans"));
    expect(tally.of("left open"), `${tally}`).toBeLessThanOrEqual(draws.atMost(open));
    expect(tally.of("infeasible")).toBeGreaterThanOrEqual(draws.atLeast(10));
  },
);
