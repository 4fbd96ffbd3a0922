import { afterEach, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { coefficientAt, linearForm, makeProgram, type Program } from "../../src/program/program.js";
import { openRelaxation, type RelaxationSession } from "../../src/solvers/highs-relaxation.js";
import type { Case } from "./case.js";
import { checkDuals, checkPoint, near } from "./check-claim.js";
import { integerCases } from "./integer-cases.js";
import { linearCases } from "./linear-cases.js";
import { written } from "./written-program.js";

let session: RelaxationSession | undefined;
afterEach(() => session?.dispose());

const linear = [...linearCases, ...integerCases.filter(({ relaxation }) => relaxation)];

describe("the relaxation session", () => {
  it.each(linear.filter(({ skip }) => !skip?.highs).map((one) => [one.title, one] as const))("%s", async (_, one) => {
    const program = written(one);
    session = await openRelaxation(program);
    const claim = session.solve();
    expect(claim.status).toBe(one.status);
    if (one.status === "optimal") {
      const objective = checkPoint(program, claim, true);
      expect(near(objective, Rational.parse(one.value as string))).toBe(true);
      checkDuals(program, claim, objective);
    }
    if (claim.farkas !== undefined) checkFarkas(program, claim.farkas);
  });

  it("gives multipliers that prove infeasibility", async () => {
    const provable = linearCases.filter(({ status, title }) => status === "infeasible" && !title.startsWith("crossed"));
    expect(provable.length).toBeGreaterThan(4);
    for (const one of provable) {
      const program = written(one);
      const own = await openRelaxation(program);
      const { status, farkas } = own.solve();
      own.dispose();
      expect(status, one.title).toBe("infeasible");
      expect(farkas, one.title).toBeDefined();
      checkFarkas(program, farkas as Float64Array);
    }
  });

  it("solves again after column bounds change, and back", async () => {
    const program = written(integerCases[0] as Case);
    session = await openRelaxation(program);
    expect(session.solve().primalBound).toBeCloseTo(240, 9);
    session.setColumnBounds(2, 0, 0);
    expect(session.solve().primalBound).toBeCloseTo(160, 9);
    session.setColumnBounds(2, 1, 1);
    expect(session.solve().primalBound).toBeCloseTo(230, 9);
    session.setColumnBounds(0, 1, 1);
    session.setColumnBounds(1, 1, 1);
    const infeasible = session.solve();
    expect(infeasible.status).toBe("infeasible");
    expect(infeasible.farkas).toBeDefined();
    const fixed = { ...program, columns: program.columns.map((c) => ({ ...c, lower: Rational.one })) };
    checkFarkas(fixed, infeasible.farkas as Float64Array);
    session.setColumnBounds(0, 0, 1);
    session.setColumnBounds(1, 0, 1);
    session.setColumnBounds(2, 0, 1);
    expect(session.solve().primalBound).toBeCloseTo(240, 9);
  });

  it("solves again after row bounds change", async () => {
    session = await openRelaxation(written(integerCases[0] as Case));
    session.setRowBounds(0, null, 30);
    expect(session.solve().primalBound).toBeCloseTo(160, 9);
    session.setRowBounds(0, null, null);
    const claim = session.solve();
    expect(claim.primalBound).toBeCloseTo(280, 9);
    expect(claim.rowDuals).toEqual(new Float64Array([0]));
  });

  it("takes bounds in the program's own units where rows and columns are scaled", async () => {
    const title = "a column in bytes beside one in seconds";
    session = await openRelaxation(written(linearCases.find((one) => one.title === title) as Case));
    session.setRowBounds(1, 7e9, null);
    expect(session.solve().primalBound).toBeCloseTo(7, 6);
    session.setColumnBounds(1, 9e9, null);
    const claim = session.solve();
    expect(claim.primalBound).toBeCloseTo(9, 6);
    expect(claim.point?.[1]).toBeCloseTo(9e9, 0);
  });

  it("takes crossed bounds for infeasible until they are uncrossed", async () => {
    session = await openRelaxation(written({ minimize: "x", rows: ["x <= 5"], columns: { x: ["0", "9"] } }));
    session.setColumnBounds(0, 3, 2);
    expect(session.solve().status).toBe("infeasible");
    session.setColumnBounds(0, 3, 4);
    expect(session.solve().primalBound).toBe(3);
    session.setRowBounds(0, 4, 3);
    expect(session.solve().status).toBe("infeasible");
    session.setRowBounds(0, 4, null);
    expect(session.solve().primalBound).toBe(4);
  });

  it("agrees with fresh sessions over many random changes", async () => {
    const random = seededRandom(7);
    for (let round = 0; round < 6; round++) {
      const program = randomProgram(random, 8, 5);
      session = await openRelaxation(program);
      let columns = [...program.columns];
      for (let step = 0; step < 25; step++) {
        const j = random.integer(columns.length);
        const lower = random.integer(6) - 3;
        const upper = lower + random.integer(5);
        session.setColumnBounds(j, lower, upper);
        columns = columns.with(j, {
          ...(columns[j] as (typeof columns)[number]),
          lower: Rational.fromNumber(lower),
          upper: Rational.fromNumber(upper),
        });
        const changed = makeProgram({ ...program, columns });
        const warm = session.solve();
        const fresh = await openRelaxation(changed);
        const cold = fresh.solve();
        fresh.dispose();
        expect(warm.status).toBe(cold.status);
        if (warm.status === "optimal") {
          const objective = checkPoint(changed, warm, true);
          expect(near(objective, Rational.fromNumber(cold.primalBound as number))).toBe(true);
          checkDuals(changed, warm, objective);
        } else {
          expect(warm.status).toBe("infeasible");
          checkFarkas(changed, warm.farkas as Float64Array);
        }
      }
      session.dispose();
    }
  });

  it("refuses NaN, unknown indices, and work after dispose", async () => {
    session = await openRelaxation(written({ minimize: "x", columns: { x: ["0", "9"] } }));
    expect(() => session?.setColumnBounds(0, Number.NaN, 1)).toThrow(RangeError);
    expect(() => session?.setColumnBounds(1, 0, 1)).toThrow(RangeError);
    expect(() => session?.setRowBounds(0, 0, 1)).toThrow(RangeError);
    session.dispose();
    session.dispose();
    expect(() => session?.solve()).toThrow(/disposed/);
  });
});

/** Whether the multipliers exclude every point, in exact arithmetic: the demand exceeds what the box can give. */
function checkFarkas(program: Program, farkas: Float64Array): void {
  const gradient = program.columns.map(() => Rational.zero);
  let demand = Rational.zero;
  program.rows.forEach((row, i) => {
    const y = Rational.fromNumber(farkas[i] as number);
    if (y.sign() === 0) return;
    const side = y.sign() > 0 ? row.lower : row.upper;
    expect(side, `row ${i} has no bound on the side of its multiplier`).not.toBeNull();
    demand = demand.add(y.multiply(side as Rational));
    row.form.columns.forEach((j, k) => {
      gradient[j] = (gradient[j] as Rational).add(y.multiply(coefficientAt(row.form, k)));
    });
  });
  let reach = Rational.zero;
  program.columns.forEach((column, j) => {
    const slope = gradient[j] as Rational;
    // Rounding left in the multipliers must not meet an infinite bound; finite ones are taken exactly.
    const side = slope.sign() > 0 ? column.upper : column.lower;
    if (side === null) expect(Math.abs(slope.toNumber())).toBeLessThan(1e-12);
    else reach = reach.add(slope.multiply(side));
  });
  expect(demand.compare(reach)).toBeGreaterThan(0);
}

function randomProgram(random: ReturnType<typeof seededRandom>, columnCount: number, rowCount: number): Program {
  const small = () => Rational.fromNumber(random.integer(13) - 6);
  const terms = () => Array.from({ length: columnCount }, (_, j) => [j, small()] as const);
  return makeProgram({
    columns: Array.from({ length: columnCount }, (_, j) => ({
      name: `x${j}`,
      lower: Rational.of(-3n),
      upper: Rational.of(3n),
      integer: j % 2 === 0,
    })),
    rows: Array.from({ length: rowCount }, (_, i) => ({
      name: `r${i}`,
      form: linearForm(terms()),
      lower: i % 3 === 0 ? Rational.of(-5n) : null,
      upper: Rational.fromNumber(random.integer(9)),
    })),
    objective: { sense: random.integer(2) === 0 ? "minimize" : "maximize", form: linearForm(terms()) },
  });
}
