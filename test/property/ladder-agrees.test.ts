import fc from "fast-check";
import { expect, test } from "vitest";
import { buildRowTiers, type RowTiersModel } from "../../models/row-tiers/build.js";
import { Rational } from "../../src/exact/rational.js";
import { solveRowTiers } from "../../src/problems/row-tiers/solve/solve.js";
import { evaluate } from "../../src/program/evaluate.js";
import { programHash } from "../../src/program/hash.js";
import { evaluateLadder, type LadderPoint } from "../../src/program/ladder/evaluate.js";
import { checkCertificate } from "../../src/proof/check.js";
import { lagrangianBound } from "../../src/proof/kernel/bound.js";
import { ladderBound } from "../../src/proof/kernel/ladder/bound.js";
import { rootNode } from "../../src/proof/kernel/ladder/node.js";
import { viewOf } from "../../src/proof/kernel/view.js";
import { drawsOf } from "../support/draws.js";
import { randomCases } from "../support/random-instance.js";

// A ladder and the same program written out column by column must agree in everything.
const { parameters } = drawsOf(300, 11);
const cases = randomCases(20_000);
const multiplier = fc.tuple(fc.integer({ min: -60, max: 0 }), fc.integer({ min: 1, max: 4096 }));

function written({ counts, auxiliaries }: LadderPoint): readonly Rational[] {
  return [...[...counts].map(Rational.fromNumber), ...auxiliaries];
}

function pointOf(model: RowTiersModel, choose: (index: number) => number): LadderPoint {
  const { chains: rails, tiers } = model.ladder;
  const counts: number[] = [];
  for (const { units } of rails) {
    for (const count of units) {
      let left = count;
      for (let t = 0; t < tiers.length; t++) {
        const taken = t === tiers.length - 1 ? left : Math.min(left, choose(counts.length) % (count + 1));
        counts.push(taken);
        left -= taken;
      }
    }
  }
  return model.complete(Float64Array.from(counts));
}

test("values and violations of points", () => {
  fc.assert(
    fc.property(cases, fc.array(fc.nat(50), { minLength: 1, maxLength: 40 }), ({ instance, access }, choices) => {
      const model = buildRowTiers(instance, access);
      const point = pointOf(model, (index) => choices[index % choices.length] as number);
      const short = evaluateLadder(model.ladder, point);
      const long = evaluate(model.program, written(point));
      expect(short.objective.toString()).toBe(long.objective.toString());
      expect(short.violations.map(({ name, amount }) => `${name} ${amount}`)).toEqual(
        long.violations.map(({ name, amount }) => `${name} ${amount}`),
      );
    }),
    parameters,
  );
});

test("bounds for any multipliers", () => {
  fc.assert(
    fc.property(cases, fc.array(multiplier, { minLength: 8, maxLength: 8 }), ({ instance, access }, values) => {
      const { ladder, program } = buildRowTiers(instance, access);
      const { view: rounded, box } = viewOf(program);
      // A view rounds the sides of rows to what integers can reach; a ladder takes them as they are.
      const view = { ...rounded, crossed: false, rows: new Map(program.rows.entries()) };
      const rungs = program.rows.length - ladder.rows.length;
      const short = new Map<number, Rational>();
      const long = new Map<number, Rational>();
      ladder.rows.forEach((_, k) => {
        const [numerator, denominator] = values[k % values.length] as [number, number];
        const y = Rational.of(BigInt(numerator), BigInt(denominator) * 1_000_000n);
        short.set(k, y);
        long.set(rungs + k, y);
      });
      for (const purpose of ["bound", "infeasibility"] as const) {
        expect(ladderBound(ladder, rootNode(ladder), short, purpose).bound?.toString()).toBe(
          lagrangianBound(view, box, long, purpose).bound?.toString(),
        );
      }
    }),
    parameters,
  );
});

test("certificates of the exact method hold for the program written out", async () => {
  let held = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ instance, access }) => {
      const model = buildRowTiers(instance, access);
      const { certificate, verdict } = await solveRowTiers(model, { gap: Rational.zero, timeLimitSeconds: 30 });
      // Which groups may exchange units depends on what is decided around them: only such steps do not carry over.
      if (certificate.steps.some((step) => "exchange" in step)) return;
      held++;
      const long = checkCertificate(model.program, { ...certificate, program: programHash(model.program) });
      expect(long.bound?.toString()).toBe(verdict.bound?.toString());
    }),
    parameters,
  );
  expect(held).toBeGreaterThan(parameters.numRuns / 2);
});
