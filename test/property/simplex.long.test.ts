import { afterAll, beforeAll, expect, test } from "vitest";
import { type Random, seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { linearForm, makeProgram } from "../../src/program/program.js";
import { Simplex, type SimplexColumn } from "../../src/search/simplex/simplex.js";
import type { Solver } from "../../src/solvers/claim.js";
import { openSolver } from "../../src/solvers/solver.js";
import { testInTurn } from "../support/draws.js";

let highs: Solver;

beforeAll(async () => {
  highs = await openSolver("highs");
});

afterAll(() => highs.close());

/** A simplex and the same program written down beside it: rows = first, then rows ≤. */
class Watched {
  readonly random: Random;
  readonly equations: number;
  readonly sides: number[];
  /** What the rows ≤ are of. */
  readonly triples: (readonly number[])[] = [];
  readonly columns: { cost: number; rows: number[]; values: number[] }[];
  readonly simplex: Simplex;

  constructor(random: Random, sides: readonly number[], columns: readonly SimplexColumn[], basis: readonly number[]) {
    this.random = random;
    this.equations = sides.length;
    this.sides = sides.slice();
    this.columns = columns.map(({ cost, rows, values }) => ({ cost, rows: [...rows], values: [...values] }));
    this.simplex = new Simplex(sides, columns, basis);
  }

  addColumn(cost: number, rows: readonly number[], values: readonly number[]): void {
    this.columns.push({ cost, rows: [...rows], values: [...values] });
    this.simplex.addColumn({ cost, rows, values });
  }

  addRow(
    entries: readonly (readonly [column: number, value: number])[],
    side: number,
    triple: readonly number[] = [],
  ): void {
    for (const [column, value] of entries) {
      const { rows, values } = this.columns[column] as { rows: number[]; values: number[] };
      rows.push(this.sides.length);
      values.push(value);
    }
    this.sides.push(side);
    this.triples.push(triple);
    this.simplex.addRow({
      columns: entries.map(([column]) => column),
      values: entries.map(([, value]) => value),
      side,
    });
  }

  setCost(column: number, cost: number): void {
    (this.columns[column] as { cost: number }).cost = cost;
    this.simplex.setCost(column, cost);
  }

  /** Drops some of the loose rows. */
  dropRows(): number {
    const loose = [...this.sides.keys()].filter((row) => this.simplex.isLoose(row) && this.random.integer(3) > 0);
    this.simplex.dropRows(loose);
    const places = this.sides.map((_, row) =>
      loose.includes(row) ? -1 : row - loose.filter((one) => one < row).length,
    );
    for (const column of this.columns) {
      const stays = column.rows.map((row) => !loose.includes(row));
      column.values = column.values.filter((_, at) => stays[at]);
      column.rows = column.rows.filter((_, at) => stays[at]).map((row) => places[row] as number);
    }
    const kept = this.triples.filter((_, at) => !loose.includes(this.equations + at));
    this.triples.splice(0, this.triples.length, ...kept);
    this.sides.splice(0, this.sides.length, ...this.sides.filter((_, row) => !loose.includes(row)));
    return loose.length;
  }

  /** How far the answer is from feasible in rows and prices, and the two objectives apart: 0 for an optimum. */
  error(): number {
    const [values, prices] = [this.simplex.values(), this.simplex.prices()];
    const activity = new Float64Array(this.sides.length);
    let [worst, primal] = [0, 0];
    this.columns.forEach(({ cost, rows, values: entries }, j) => {
      let reduced = cost;
      rows.forEach((row, at) => {
        activity[row] = (activity[row] as number) + (entries[at] as number) * (values[j] as number);
        reduced -= (entries[at] as number) * (prices[row] as number);
      });
      primal += cost * (values[j] as number);
      worst = Math.max(worst, -(values[j] as number), -reduced / (1 + Math.abs(cost)));
    });
    let dual = 0;
    this.sides.forEach((side, row) => {
      const over = (activity[row] as number) - side;
      worst = Math.max(worst, row < this.equations ? Math.abs(over) : Math.max(over, prices[row] as number));
      dual += side * (prices[row] as number);
    });
    const scale = 1 + Math.abs(primal);
    return Math.max(worst, Math.abs(primal - dual) / scale, Math.abs(primal - this.simplex.objective) / scale);
  }

  /** What HiGHS says of the same program. */
  async optimum(): Promise<{ readonly status: string; readonly value: number | undefined }> {
    const zero = Rational.of(0n);
    const forms = this.sides.map((): [number, Rational][] => []);
    this.columns.forEach(({ rows, values }, j) => {
      rows.forEach((row, at) => {
        (forms[row] as [number, Rational][]).push([j, Rational.fromNumber(values[at] as number)]);
      });
    });
    const program = makeProgram({
      name: "growing",
      columns: this.columns.map((_, j) => ({ name: `x${j}`, lower: zero, upper: null, integer: false })),
      rows: forms.map((form, row) => {
        const side = Rational.fromNumber(this.sides[row] as number);
        return { name: `r${row}`, form: linearForm(form), lower: row < this.equations ? side : null, upper: side };
      }),
      objective: {
        name: "cost",
        sense: "minimize",
        form: linearForm(this.columns.map(({ cost }, j) => [j, Rational.fromNumber(cost)])),
        constant: zero,
      },
    });
    const { status, primalBound } = await highs.solve(program, { method: "simplex" });
    return { status, value: primalBound };
  }
}

/** A double with few binary digits. */
const short = (value: number) => Math.round(value * 2 ** 20) / 2 ** 20;

function chosen(random: Random, from: number, count: number): number[] {
  const rest = Array.from({ length: from }, (_, at) => at);
  return Array.from({ length: count }, () => rest.splice(random.integer(rest.length), 1)[0] as number).sort(
    (a, b) => a - b,
  );
}

/** Items to be in one group each, with a box of prices around 0: columns 2·i and 2·i + 1 of each item. */
function boxed(random: Random, items: number, radius: number): Watched {
  const columns = Array.from({ length: 2 * items }, (_, k) => ({
    cost: radius,
    rows: [k >> 1],
    values: [k % 2 === 0 ? 1 : -1],
  }));
  return new Watched(
    random,
    new Array<number>(items).fill(1),
    columns,
    Array.from({ length: items }, (_, item) => 2 * item),
  );
}

const shared = (one: readonly number[], other: readonly number[]) => one.filter((item) => other.includes(item)).length;

/** Without some of the columns in use, the value is that of the program that never had them; then all is as before. */
function compareWithout(master: Watched, values: Float64Array): void {
  const { random, simplex, equations, sides, columns } = master;
  const out = columns.flatMap((_, j) =>
    j >= 2 * equations && random.integer(3) < ((values[j] as number) > 0 ? 2 : 1) ? [j] : [],
  );
  const rest = columns.filter((_, j) => !out.includes(j));
  const slacks = sides.slice(equations).map((_, at) => ({ cost: 0, rows: [equations + at], values: [1] }));
  const basis = [...slacks.keys()].map((at) => rest.length + at);
  const other = new Simplex(
    sides,
    [...rest, ...slacks],
    [...Array.from({ length: equations }, (_, r) => 2 * r), ...basis],
  );
  const { objective } = simplex;
  const value = simplex.valueWithout(out);
  expect(other.solve()).toBe(true);
  expect(value).toBeCloseTo(other.objective, 8);
  expect(simplex.objective).toBeCloseTo(objective, 10);
  expect(master.error()).toBeLessThan(1e-8);
}

testInTurn("masters of groups that get columns, triples and other boxes by turns have HiGHS's optima", async () => {
  let [solves, dropped, unbounded] = [0, 0, 0];
  for (let seed = 1; seed <= 100; seed++) {
    const random = seededRandom(7700 + seed);
    const items = 4 + random.integer(24);
    const master = boxed(random, items, 20);
    for (let round = 0; round < 6; round++) {
      for (let k = random.integer(80); k > 0; k--) {
        const group = chosen(random, items, 1 + random.integer(Math.min(items, 6)));
        const paying = [...master.triples.keys()].filter((at) => shared(group, master.triples[at] as number[]) >= 2);
        const rows = [...group, ...paying.map((at) => items + at)];
        // Every third time all groups of a size cost the same.
        const cost = (seed % 3 === 0 ? 1 : short(random.next())) * (group.length + 1);
        master.addColumn(
          cost,
          rows,
          rows.map(() => 1),
        );
      }
      const center = short(random.next() * 4);
      const radius = random.integer(3) === 0 ? 0.75 : 20;
      for (let item = 0; item < items; item++) {
        master.setCost(2 * item, center + radius);
        master.setCost(2 * item + 1, radius - center);
      }
      const isSolved = master.simplex.solve();
      if (isSolved) {
        solves++;
        expect(master.error()).toBeLessThan(1e-8);
      } else {
        expect(radius).toBe(0.75);
        unbounded++;
      }
      if (!isSolved || round === 5) {
        const { status, value } = await master.optimum();
        expect(status).toMatch(isSolved ? /optimal/ : /unbounded/);
        if (isSolved) expect(master.simplex.objective).toBeCloseTo(value as number, 6);
      }
      if (random.integer(2) === 0) {
        dropped += master.dropRows();
        if (isSolved) expect(master.error()).toBeLessThan(1e-8);
      }
      const values = master.simplex.values();
      if (isSolved && round % 2 === 0) compareWithout(master, values);
      for (let k = random.integer(8); k > 0; k--) {
        const triple = chosen(random, items, 3);
        const having = master.columns.flatMap(({ rows }, j) =>
          shared(
            rows.filter((row) => row < items),
            triple,
          ) >= 2
            ? [[j, 1] as const]
            : [],
        );
        const sum = having.reduce((all, [j]) => all + (values[j] as number), 0);
        if (sum > 1 || random.integer(2) === 0) master.addRow(having, 1, triple);
      }
    }
  }
  expect(solves).toBeGreaterThan(400);
  expect(dropped).toBeGreaterThan(100);
  expect(unbounded).toBeGreaterThan(20);
});

test("programs of any sign, with ties, without an optimum or a feasible point, end as HiGHS says", async () => {
  const ends = { optimal: 0, unbounded: 0, infeasible: 0 };
  for (let seed = 1; seed <= 250; seed++) {
    const random = seededRandom(8800 + seed);
    const [rows, count] = [1 + random.integer(8), 1 + random.integer(20)];
    const whole = () => random.integer(7) - 3;
    const column = (): SimplexColumn => {
      const own = chosen(random, rows, 1 + random.integer(rows));
      return { cost: whole() + (seed % 4 === 0 ? 0 : 4), rows: own, values: own.map(() => whole() || 1) };
    };
    const columns = Array.from({ length: Math.max(rows, count) }, column);
    // Sides of a point with many zeros, or just any.
    const point = columns.map(() => Math.max(0, whole()));
    const sides = new Array<number>(rows).fill(0).map((_, row) => {
      if (seed % 5 === 0) return whole();
      const at = ({ rows: own, values }: SimplexColumn) => values[own.indexOf(row)] ?? 0;
      return columns.reduce((sum, one, j) => sum + at(one) * (point[j] as number), 0);
    });
    const basis = chosen(random, columns.length, rows);
    const watched = new Watched(random, sides, columns, basis);
    for (let round = 0; round < 3; round++) {
      const isSolved = watched.simplex.solve();
      const { status, value } = await watched.optimum();
      expect(isSolved).toBe(status === "optimal");
      if (isSolved) {
        expect(watched.error()).toBeLessThan(1e-8);
        expect(watched.simplex.objective).toBeCloseTo(value as number, 6);
      }
      if (status in ends) ends[status as keyof typeof ends]++;
      const { cost, rows: own, values } = column();
      watched.addColumn(cost, own, values);
      const entries = watched.columns.map((_, j) => [j, whole()] as const).filter(([, entry]) => entry > 0);
      watched.addRow(entries, random.integer(4));
      watched.setCost(random.integer(columns.length), whole() + 4);
    }
  }
  expect(ends.optimal).toBeGreaterThan(200);
  expect(ends.unbounded).toBeGreaterThan(20);
  expect(ends.infeasible).toBeGreaterThan(50);
});

test("of many more columns than are looked at at once, those of the optimum are found, before and after cuts", async () => {
  for (const [seed, items, groups] of [
    [1, 20, 3000],
    [2, 60, 4000],
    [3, 35, 2500],
  ] as const) {
    const random = seededRandom(9900 + seed);
    const master = boxed(random, items, 20);
    const take = (count: number) => {
      for (let k = 0; k < count; k++) {
        const group = chosen(random, items, 3 + random.integer(4));
        const paying = [...master.triples.keys()].filter((at) => shared(group, master.triples[at] as number[]) >= 2);
        const rows = [...group, ...paying.map((at) => items + at)];
        master.addColumn(
          short(random.next() + group.length),
          rows,
          rows.map(() => 1),
        );
      }
    };
    take(groups);
    expect(master.simplex.solve()).toBe(true);
    expect(master.error()).toBeLessThan(1e-8);
    for (let round = 0; round < 3; round++) {
      const values = master.simplex.values();
      for (let k = 0; k < items; k++) {
        const triple = chosen(random, items, 3);
        const having = master.columns.flatMap(({ rows }, j) =>
          shared(
            rows.filter((row) => row < items),
            triple,
          ) >= 2
            ? [[j, 1] as const]
            : [],
        );
        if (having.reduce((sum, [j]) => sum + (values[j] as number), 0) > 0.9) master.addRow(having, 0.5, triple);
      }
      if (round === 2) take(700);
      expect(master.simplex.solve()).toBe(true);
      expect(master.error()).toBeLessThan(1e-8);
    }
    const { value } = await master.optimum();
    expect(master.simplex.objective).toBeCloseTo(value as number, 6);
  }
});
