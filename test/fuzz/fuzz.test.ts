import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CLASSES } from "./generators.js";
import { drawFrom } from "./oracle/draw.js";
import { type Outcome, tryCase } from "./try-case.js";

// `npm run fuzz -- --count 100000 --seed 1` sets these; without it the same programs are tried on every run.
const COUNT = Number(process.env.FUZZ_COUNT ?? 2600);
const SEED = Number(process.env.FUZZ_SEED ?? 0);
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 10);
const PER_CLASS = Math.ceil(COUNT / CLASSES.length);

describe.each(CLASSES.map((one, index) => ({ ...one, index })))("$name", ({ name, make, index }) => {
  test("no wrong claim, and hardly any left open", { timeout: 60_000 + PER_CLASS * SECONDS * 1000 }, async () => {
    const counts: Record<Outcome["kind"] | "unconfirmed", number> = {
      proved: 0,
      infeasible: 0,
      unfinished: 0,
      wrong: 0,
      unconfirmed: 0,
    };
    const reports: string[] = [];
    for (let k = 0; k < PER_CLASS; k++) {
      const seed = SEED + index * 1_000_003 + k;
      const outcome = await tryCase(make(drawFrom(seed)), SECONDS);
      counts[outcome.kind]++;
      if (outcome.unconfirmed) counts.unconfirmed++;
      if (outcome.kind === "wrong") reports.push(`seed ${seed}: ${outcome.report}`);
    }
    const { FUZZ_REPORT } = process.env;
    if (FUZZ_REPORT !== undefined) appendFileSync(FUZZ_REPORT, `${JSON.stringify({ name, ...counts })}\n`);
    expect(reports.join("\n")).toBe("");
    expect(counts.unfinished, "left open").toBeLessThanOrEqual(PER_CLASS * 0.02);
    expect(counts.unconfirmed, "not confirmed by the witness").toBeLessThanOrEqual(PER_CLASS * 0.05);
  });
});
