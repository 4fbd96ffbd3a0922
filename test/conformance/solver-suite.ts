import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { linearForm, makeProgram, type Program, ProgramError } from "../../src/program/program.js";
import type { Solver } from "../../src/solvers/claim.js";
import type { Case } from "./case.js";
import { checkDuals, checkPoint, near } from "./check-claim.js";
import { integerCases } from "./integer-cases.js";
import { linearCases } from "./linear-cases.js";
import { written } from "./written-program.js";

/** What a backend can do beside answering; each absence with its reason, which becomes the name of the skipped test. */
export interface Traits {
  readonly withoutMixedIntegerBound?: string;
  readonly withoutStart?: string;
  readonly withoutInteriorPoint?: string;
}

/** The suite that every solver backend passes. */
export function solverSuite(name: string, open: () => Promise<Solver>, traits: Traits = {}): void {
  describe(`solver ${name}`, () => {
    let solver: Solver;
    beforeAll(async () => {
      solver = await open();
    });
    afterAll(() => solver.close());

    const unless = (reason: string | undefined) => (title: string, run: () => Promise<void>) =>
      reason === undefined ? it(title, run) : it.skip(`${title} — skipped: ${reason}`, run);

    for (const one of [...linearCases, ...integerCases]) {
      unless(one.skip?.[name])(one.title, () => checkCase(solver, one));
    }

    it("bears its own name", async () => {
      expect(solver.name).toBe(name);
      expect((await solver.solve(written({ columns: { x: ["0", "1"] } }))).solver).toBe(name);
    });

    it("refuses a coefficient that solvers would drop, naming its row and column", async () => {
      const program = written({
        maximize: "tiny",
        rows: ["1e20 big + 1e-20 tiny <= 1"],
        columns: { big: ["0", "1"], tiny: ["0", "1"] },
        integers: ["big", "tiny"],
      });
      await expect(solver.solve(program)).rejects.toMatchObject({
        kind: "unsupported",
        message: expect.stringMatching(/row0.*tiny/),
      });
    });

    it("refuses a bound that solvers take for infinite, naming its column", async () => {
      const program = written({ minimize: "far", columns: { far: ["-1e25", "1e25"] } });
      await expect(solver.solve(program)).rejects.toMatchObject({
        kind: "unsupported",
        message: expect.stringMatching(/far/),
      });
    });

    it("never sees duplicate names: makeProgram refuses them", () => {
      const column = { name: "x", lower: null, upper: null, integer: false };
      expect(() => makeProgram({ columns: [column, column], rows: [] })).toThrow(ProgramError);
    });

    it("answers solves begun together one after the other", async () => {
      const values = await Promise.all(
        [1, 2, 3, 4].map(async (bound) => {
          const program = written({ maximize: "x", columns: { x: ["0", String(bound)] } });
          return (await solver.solve(program)).primalBound;
        }),
      );
      expect(values).toEqual([1, 2, 3, 4]);
    });

    it("gives the same claim again for the same seed", async () => {
      const program = hardProgram(2, 12);
      const { seconds: _first, ...first } = await solver.solve(program, { seed: 3, timeLimitSeconds: 20 });
      const { seconds: _second, ...second } = await solver.solve(program, { seed: 3, timeLimitSeconds: 20 });
      expect(first.status).toBe("optimal");
      expect(second).toEqual(first);
    });

    it("claims no gap wider than was asked for", async () => {
      const claim = await solver.solve(hardProgram(2, 14), { relativeGap: 0.5, timeLimitSeconds: 20 });
      expect(claim.status).toBe("optimal");
      const best = await solver.solve(hardProgram(2, 14), { timeLimitSeconds: 20 });
      expect(best.status).toBe("optimal");
      expect(claim.primalBound as number).toBeLessThanOrEqual(2 * (best.primalBound as number) + 1e-6);
    });

    unless(traits.withoutMixedIntegerBound)("bounds a mixed-integer program when it is done", async () => {
      const claim = await solver.solve(written(integerCases[0] as Case));
      expect(claim.primalBound).toBe(220);
      expect(claim.dualBound).toBeCloseTo(220, 6);
      expect(claim.nodes).toBeGreaterThanOrEqual(0);
    });

    unless(traits.withoutStart)(
      "begins from a start: one that search does not find proves itself optimal",
      async () => {
        const program = hardProgram(4, 40, (j) => j % 3 === 0);
        const start = new Float64Array(program.columns.length);
        for (let j = 0; j < 40; j += 3) start[j] = 1;
        const without = await solver.solve(program, { timeLimitSeconds: 1 });
        expect(without.status).not.toBe("optimal");
        const claim = await solver.solve(program, { start, timeLimitSeconds: 10 });
        expect(claim).toMatchObject({ status: "optimal", primalBound: 0 });
        expect(claim.point).toEqual(start);
      },
    );

    unless(traits.withoutInteriorPoint)("solves by the interior point when asked to", async () => {
      for (const one of linearCases.filter(({ duals, skip }) => duals && !skip?.[name])) {
        const program = written(one);
        const claim = await solver.solve(program, { method: "interior-point" });
        expect(claim.status, one.title).toBe("optimal");
        const objective = checkPoint(program, claim, false);
        expect(near(objective, Rational.parse(one.value as string)), one.title).toBe(true);
        checkDuals(program, claim, objective);
      }
    });

    it("stops near its time limit with a claim that says so", async () => {
      const program = hardProgram(4, 40);
      const claim = await solver.solve(program, { timeLimitSeconds: 1 });
      expect(claim.limitReached).toBe("time");
      expect(["feasible", "unknown"]).toContain(claim.status);
      expect(claim.seconds).toBeGreaterThan(0.5);
      expect(claim.seconds).toBeLessThan(5);
      if (claim.status === "feasible") checkPoint(program, claim, false);
    });

    it("stops when aborted, and works again afterwards", async () => {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), 500);
      const claim = await solver.solve(hardProgram(4, 40), { signal: controller.signal, timeLimitSeconds: 30 });
      clearTimeout(timer);
      expect(claim.limitReached).toBe("interrupt");
      expect(claim.seconds).toBeLessThan(5);
      await checkCase(solver, integerCases[0] as Case);
    });

    it("does not begin when already aborted", async () => {
      const program = written({ minimize: "x", columns: { x: ["1", "2"] } });
      const claim = await solver.solve(program, { signal: AbortSignal.abort() });
      expect(claim).toMatchObject({ status: "unknown", limitReached: "interrupt" });
      expect(claim.point).toBeUndefined();
    });

    it("fails with words once closed", async () => {
      const other = await open();
      await other.close();
      const program = written({ minimize: "x", columns: { x: ["1", "2"] } });
      await expect(other.solve(program)).rejects.toMatchObject({ name: "SolverError", kind: "unsupported" });
    });
  });
}

/** Solves a case and checks the claim against the answer known by hand, the duals included, in exact arithmetic. */
async function checkCase(solver: Solver, one: Case): Promise<void> {
  const program = written(one);
  const relaxation = one.relaxation === true;
  const claim = await solver.solve(program, { relaxation });
  const mixed = !relaxation && program.columns.some((column) => column.integer);
  if (one.status === "unbounded" && mixed) {
    // Over the integers solvers look no further than the relaxation.
    expect(["unbounded", "infeasible-or-unbounded"]).toContain(claim.status);
  } else {
    expect(claim.status).toBe(one.status);
  }
  if (one.status !== "optimal") {
    expect(claim.point).toBeUndefined();
    return;
  }
  const value = Rational.parse(one.value as string);
  const objective = checkPoint(program, claim, relaxation);
  expect(near(objective, value), `objective ${objective.toNumber()}, optimum ${one.value}`).toBe(true);
  expect(near(Rational.fromNumber(claim.primalBound as number), value), `primal bound ${claim.primalBound}`).toBe(true);
  if (claim.dualBound !== undefined) {
    expect(near(Rational.fromNumber(claim.dualBound), value), `dual bound ${claim.dualBound}`).toBe(true);
  }
  expect(claim.limitReached).toBeUndefined();
  one.point?.forEach((expected, j) => {
    const actual = Rational.fromNumber(claim.point?.[j] as number);
    expect(near(actual, Rational.parse(expected)), `column ${j} is ${actual.toNumber()}, not ${expected}`).toBe(true);
  });
  if (mixed) {
    expect(claim.rowDuals).toBeUndefined();
    expect(claim.reducedCosts).toBeUndefined();
    return;
  }
  checkDuals(program, claim, objective);
  one.duals?.forEach((expected, i) => {
    const dual = Rational.parse(expected);
    const actual = Rational.fromNumber(claim.rowDuals?.[i] as number);
    // Relative even below one: a dual of 1e-9 per byte is a price like any other.
    const allowed = (dual.sign() === 0 ? Rational.one : dual.absolute()).multiply(Rational.parse("1e-7"));
    const off = actual.subtract(dual).absolute();
    expect(off.compare(allowed), `dual ${i} is ${actual.toNumber()}, not ${expected}`).toBeLessThanOrEqual(0);
  });
}

/**
 * A market split problem (Cornuéjols and Dawande 1998): choose binaries so that every row's sum is half its total, the
 * misses paid for by slacks. Few rows and 10 binaries per row make branch and bound enumerate. Deterministic. With
 * `planted`, that choice of binaries hits every row's right-hand side exactly.
 */
export function hardProgram(rowCount: number, binaries: number, planted?: (j: number) => boolean): Program {
  let state = 12345;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return (state >> 8) % 100;
  };
  const columns = Array.from({ length: binaries }, (_, j) => ({ name: `x${j}`, integer: true, upper: Rational.one }));
  const slacks = Array.from({ length: 2 * rowCount }, (_, i) => ({ name: `s${i}`, integer: false, upper: null }));
  const rows = Array.from({ length: rowCount }, (_, i) => {
    const weights = Array.from({ length: binaries }, next);
    const sum = (chosen: readonly number[]) => chosen.reduce((total, weight) => total + weight, 0);
    const half = BigInt(planted ? sum(weights.filter((_, j) => planted(j))) : Math.floor(sum(weights) / 2));
    const terms = weights.map((weight, j) => [j, Rational.of(BigInt(weight))] as const);
    const short = [binaries + 2 * i, Rational.one] as const;
    const over = [binaries + 2 * i + 1, Rational.of(-1n)] as const;
    return {
      name: `split${i}`,
      form: linearForm([...terms, short, over]),
      lower: Rational.of(half),
      upper: Rational.of(half),
    };
  });
  return makeProgram({
    columns: [...columns, ...slacks].map((column) => ({ ...column, lower: Rational.zero })),
    rows,
    objective: { form: linearForm(slacks.map((_, i) => [binaries + i, Rational.one] as const)) },
  });
}
