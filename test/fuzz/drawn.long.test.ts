import { expect, test } from "vitest";
import { drawnRun } from "../support/drawn-run.js";
import { Tally } from "./attack/tally.js";
import { jointTowers, rows, towers } from "./drawn/others.js";
import { placements } from "./drawn/placements.js";

// `npm run fuzz -- --kind placements --seed N --runs N` draws others.
const ALL = [
  { attack: placements, ...drawnRun(5000), open: 0.05 },
  { attack: towers, ...drawnRun(1000), open: 0 },
  { attack: rows, ...drawnRun(1000), open: 0 },
  { attack: jointTowers, ...drawnRun(1000), open: 0.01 },
];

test.each(ALL)(
  "$attack.name: $runs drawn from seed $from are planned to gap 0 as by brute force, and verified",
  {
    timeout: 14_400_000,
  },
  async ({ attack, from, runs, open }) => {
    const tally = new Tally();
    for (let seed = from; seed < from + runs; seed++) await attack.round(seed, tally);
    expect(tally.faults).toEqual([]);
    expect(tally.of("plans")).toBeGreaterThan(runs / 2);
    expect(tally.of("verified")).toBe(tally.of("plans"));
    expect(tally.of("left open"), `${tally}`).toBeLessThanOrEqual(open * tally.of("plans"));
    expect(tally.of("infeasible")).toBeGreaterThan(runs / 100);
  },
);
