import { describe, expect, test } from "vitest";
import { drawsOf } from "../support/draws.js";
import { CLASSES } from "./generators.js";
import { drawFrom } from "./oracle/draw.js";
import { type Outcome, tryCase } from "./try-case.js";

// `npm run fuzz -- --kind solve` tries as many as one likes.
const PER_CLASS = 108;
const SECONDS = 10;

describe.each(CLASSES.map((one, index) => ({ ...one, index })))("$name", ({ name, make, index }) => {
  test("no wrong claim, and hardly any left open", { timeout: 300_000 + PER_CLASS * SECONDS * 1000 }, async () => {
    const counts: Record<Outcome["kind"] | "unconfirmed", number> = {
      proved: 0,
      infeasible: 0,
      unbounded: 0,
      unfinished: 0,
      wrong: 0,
      unconfirmed: 0,
    };
    const reports: string[] = [];
    const draws = drawsOf(PER_CLASS, index * 1_000_003);
    for (const seed of draws.seeds) {
      const outcome = await tryCase(make(drawFrom(seed)), SECONDS);
      counts[outcome.kind]++;
      if (outcome.unconfirmed) counts.unconfirmed++;
      if (outcome.kind === "wrong") reports.push(`${name}, seed ${seed}: ${outcome.report}`);
    }
    expect(reports.join("\n")).toBe("");
    expect(counts.unfinished, "left open").toBeLessThanOrEqual(draws.atMost(PER_CLASS * 0.02));
    expect(counts.unconfirmed, "not confirmed by the witness").toBeLessThanOrEqual(draws.atMost(PER_CLASS * 0.05));
  });
});
