import { describe, expect, test } from "vitest";
import { programHash } from "../../../src/program/hash.js";
import { checkVipr } from "../../../src/vipr/check.js";
import { readVipr } from "../../../src/vipr/read.js";
import { ViprUnsupportedError } from "../../../src/vipr/unsupported.js";
import { writeVipr } from "../../../src/vipr/write.js";
import { drawsOf, someOf } from "../../support/draws.js";
import { impliedProgram } from "./implied-program.js";
import { randomProgram } from "./random-program.js";
import { expectedClaim, expectSameProblem, type Solved, solve } from "./written-proofs.js";

describe("what solveExactly proves, the file proves", () => {
  test.for(
    someOf(
      Array.from({ length: 10 }, (_, batch) => batch),
      2,
    ),
  )(
    "random programs, batch %i",
    {
      timeout: 300_000,
    },
    async (batch) => {
      let written = 0;
      for (let seed = batch * 20 + 1; seed <= batch * 20 + 20; seed++) {
        const program = randomProgram(seed);
        const solution = await solve(program);
        const { verdict, certificate, point } = solution;
        if (verdict === null || certificate === null) continue;
        written++;
        const { claim, best, file } = checkVipr(writeVipr(program, certificate, point), `seed ${seed}`);
        expectSameProblem(file.program, program);
        expect({ seed, ...claim }).toEqual({ seed, ...expectedClaim(program, solution as Solved) });
        expect(best).toEqual(verdict.value?.subtract(program.objective.constant) ?? null);
      }
      expect(written).toBeGreaterThanOrEqual(17);
    },
  );

  test("the random programs are of every kind, and their proofs of every rule", { timeout: 300_000 }, async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 70; seed++) {
      const program = randomProgram(seed);
      const { certificate, point, verdict } = await solve(program);
      if (certificate === null || verdict === null) continue;
      seen.add(program.objective.sense).add(verdict.status);
      seen.add(program.columns.every((column) => column.integer) ? "pure" : "mixed");
      if (program.columns.some(({ lower }) => lower === null)) seen.add("free");
      for (const step of certificate.steps) seen.add(`step ${Object.keys(step)[0]}`);
      for (const [, rule] of writeVipr(program, certificate, point).matchAll(/\{ (\w+)/g)) seen.add(`rule ${rule}`);
    }
    const kinds = ["minimize", "maximize", "proved", "infeasible", "pure", "mixed", "free"];
    const steps = ["branch", "cut", "knapsack", "fix", "propagate", "bound", "infeasible"].map(
      (kind) => `step ${kind}`,
    );
    const rules = ["asm", "lin", "rnd", "uns"].map((rule) => `rule ${rule}`);
    expect([...seen].sort()).toEqual([...kinds, ...steps, ...rules].sort());
  });
});

test("continuous columns that are whole at some optimum, with costs of any sign, in several rows, with branchings on it", {
  timeout: 300_000,
}, async () => {
  let [written, branched, refused] = [0, 0, 0];
  const draws = drawsOf(180, 1);
  for (const seed of draws.seeds) {
    const own = impliedProgram(seed);
    for (const solved of [own, impliedProgram(seed, true)]) {
      const { certificate: found, point } = await solve(solved);
      // A lattice basis is one of the declared integers.
      if (found === null || (solved !== own && found.lattice !== undefined)) continue;
      // Nor are cuts by splits of such columns: they have no words in VIPR.
      if (solved !== own && found.steps.some((step) => "cut" in step)) continue;
      const { claim, steps } = found;
      if (steps.some((step) => "branch" in step && step.branch.startsWith("z"))) branched++;
      const text = writtenOrRefused(own, { ...found, program: programHash(own) }, point);
      if (text === null) {
        // What rests on the whole value of such a column, a cut or a fixing, is refused, rather than written wrong.
        refused++;
        continue;
      }
      const { file, claim: proved } = checkVipr(text);
      expectSameProblem(file.program, own);
      expect(proved.kind).toBe(claim.kind === "infeasible" ? "infeasible" : "range");
      if (proved.kind === "range" && claim.kind === "bound") {
        expect((own.objective.sense === "minimize" ? proved.lower : proved.upper)?.toString()).toBe(claim.bound);
      }
      written++;
    }
  }
  expect(written).toBeGreaterThanOrEqual(draws.atLeast(101));
  expect(branched).toBeGreaterThanOrEqual(draws.atLeast(6));
  expect(refused).toBeLessThanOrEqual(draws.atMost(4));
});

function writtenOrRefused(...[program, certificate, point]: Parameters<typeof writeVipr>): string | null {
  try {
    return writeVipr(program, certificate, point);
  } catch (error) {
    if (!(error instanceof ViprUnsupportedError)) throw error;
    expect(error.message).toMatch(/takes "z\d+" for an integer/);
    return null;
  }
}

test("every case distinction uses both of its assumptions", { timeout: 300_000 }, async () => {
  let distinctions = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const program = randomProgram(seed);
    const { certificate, point } = await solve(program);
    if (certificate === null) continue;
    const { constraints, derivations } = readVipr(writeVipr(program, certificate, point), `seed ${seed}`);
    const assumptions: ReadonlySet<number>[] = constraints.map(() => new Set());
    for (const { reason } of derivations) {
      const of = (line: number, without = -1) => [...(assumptions[line] as Set<number>)].filter((a) => a !== without);
      if (reason.rule === "asm") assumptions.push(new Set([assumptions.length]));
      else if (reason.rule === "uns") {
        distinctions++;
        const both = [reason.first, reason.second];
        for (const { line, assumption } of both) expect(of(line)).toContain(assumption);
        assumptions.push(new Set(both.flatMap(({ line, assumption }) => of(line, assumption))));
      } else {
        const used = "multipliers" in reason ? [...reason.multipliers.keys()] : [];
        assumptions.push(new Set(used.flatMap((line) => of(line))));
      }
    }
  }
  expect(distinctions).toBeGreaterThan(100);
});
