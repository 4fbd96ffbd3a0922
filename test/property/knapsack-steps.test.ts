import { expect, test } from "vitest";
import type { Rational } from "../../src/exact/rational.js";
import { linearForm } from "../../src/program/program.js";
import type { KnapsackStep } from "../../src/proof/certificate.js";
import { greatestBeyond } from "../../src/proof/kernel/knapsack.js";
import { viewOf } from "../../src/proof/kernel/view.js";
import { checkVipr } from "../../src/vipr/check.js";
import { ViprUnsupportedError, writeVipr } from "../../src/vipr/write.js";
import { drawFrom, ratio } from "../fuzz/oracle/draw.js";
import { tryEveryPoint } from "../fuzz/oracle/every-point.js";
import { cutAlone } from "../support/cut-programs.js";
import { drawsOf } from "../support/draws.js";
import { drawMultipliers, drawProgram } from "../unit/proof/support.js";

test("the best cut of a drawn form and a drawn sum of rows is proved, in VIPR too, and true", () => {
  const seen = { vipr: 0, wide: 0, boxes: 0, unwritten: 0 };
  const draws = drawsOf(300, 0);
  for (const seed of draws.seeds) {
    const draw = drawFrom(seed);
    const program = drawProgram(draw);
    const { view, box } = viewOf(program);
    if (view.crossed) continue;
    const multipliers = drawMultipliers(draw, view);
    const coefficients = view.columns.map((_, j) => [j, ratio(draw.int(-4, 4), draw.oneIn(4) ? 2 : 1)] as const);
    const form = linearForm(coefficients);
    const holds = (least: Rational) => {
      const greatest = greatestBeyond(view, box, form, least, multipliers);
      return greatest === "empty" || (greatest !== null && greatest.sign() < 0);
    };
    let best: Rational | null = null;
    for (let least = ratio(-60); holds(least) && least.compare(ratio(60)) < 0; least = least.add(ratio(1, 2)))
      best = least;
    if (best === null || form.columns.length === 0) continue;
    const named = (terms: Iterable<readonly [number, Rational]>, names: readonly { readonly name: string }[]) =>
      Object.fromEntries([...terms].map(([at, value]) => [names[at]?.name as string, value.toString()]));
    const step: KnapsackStep = {
      knapsack: "k",
      form: named(
        coefficients.filter(([, value]) => value.sign() !== 0),
        program.columns,
      ),
      least: best.toString(),
      rows: named(multipliers, program.rows),
    };
    const alone = cutAlone(program, [], step);
    const truth = tryEveryPoint(alone.program);
    if (truth.status !== "infeasible") expect(truth.value.compare(best), `seed ${seed}`).toBeGreaterThanOrEqual(0);
    try {
      expect(checkVipr(writeVipr(alone.program, alone.certificate, null)).claim, `seed ${seed}`).toEqual({
        kind: "range",
        lower: best,
        upper: null,
      });
    } catch (error) {
      if (!(error instanceof ViprUnsupportedError)) throw error;
      seen.unwritten++;
      continue;
    }
    seen.vipr++;
    if (
      view.columns.some((_, j) => (box.upper[j] as Rational).subtract(box.lower[j] as Rational).compare(ratio(1)) > 0)
    )
      seen.wide++;
    if (greatestBeyond(view, box, form, best, multipliers) === "empty") seen.boxes++;
  }
  expect(seen.unwritten).toBe(0);
  expect(Math.min(seen.wide, seen.boxes)).toBeGreaterThanOrEqual(draws.atLeast(15));
});
