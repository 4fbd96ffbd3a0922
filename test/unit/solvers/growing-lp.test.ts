import { expect, test } from "vitest";
import { type Random, seededRandom } from "../../../src/exact/random.js";
import { type GrowingLp, openGrowingLp } from "../../../src/solvers/growing-lp.js";
import { guarded, sharedHighs } from "../../../src/solvers/shared-highs.js";
import { SolverError } from "../../../src/solvers/solver-error.js";
import { drawsOf } from "../../support/draws.js";

const NONE = Number.POSITIVE_INFINITY;

interface Column {
  cost: number;
  upper: number;
  /** By row. */
  readonly entries: Map<number, number>;
}

/** A program that grows, and the same written down beside it. */
class Watched {
  readonly lp: GrowingLp;
  readonly columns: Column[] = [];
  sides: (readonly [number, number])[];

  constructor(lp: GrowingLp, sides: readonly (readonly [number, number])[]) {
    this.lp = lp;
    this.sides = [...sides];
  }

  addColumn(cost: number, rows: readonly number[], values: readonly number[]): void {
    this.lp.addColumn(cost, 0, NONE, { indices: rows, values });
    this.columns.push({ cost, upper: NONE, entries: new Map(rows.map((row, k) => [row, values[k] as number])) });
  }

  addRow(columns: readonly number[], values: readonly number[], upper: number): void {
    expect(this.lp.addRow(-NONE, upper, { indices: columns, values })).toBe(this.sides.length);
    columns.forEach((j, k) => {
      this.columns[j]?.entries.set(this.sides.length, values[k] as number);
    });
    this.sides.push([-NONE, upper]);
  }

  dropLooseRows(from: number): number {
    const loose = this.lp.dropLooseRows(from);
    const left = [...this.sides.keys()].filter((row) => !loose.has(row));
    for (const { entries } of this.columns) {
      const own = left.flatMap((row, to) => (entries.has(row) ? [[to, entries.get(row) as number] as const] : []));
      entries.clear();
      for (const [row, value] of own) entries.set(row, value);
    }
    this.sides = left.map((row) => this.sides[row] as readonly [number, number]);
    expect(this.lp.rowCount).toBe(this.sides.length);
    return loose.size;
  }

  set(column: number, change: Partial<Pick<Column, "cost" | "upper">>): void {
    const own = this.columns[column] as Column;
    Object.assign(own, change);
    if (change.cost !== undefined) this.lp.setCost(column, change.cost);
    if (change.upper !== undefined) this.lp.setBounds(column, 0, change.upper);
  }

  /** What the program is worth that has had all rows and columns from the beginning. */
  async fromNothing(): Promise<number | null> {
    const lp = await openGrowingLp(this.sides);
    for (const { cost, upper, entries } of this.columns) {
      lp.addColumn(cost, 0, upper, { indices: [...entries.keys()], values: [...entries.values()] });
    }
    const value = lp.solve();
    lp.dispose();
    return value;
  }

  /** How far duals are from proving the value: what they say beside reduced costs that are negative. */
  dualError(value: number): number {
    const { duals } = this.lp.answer();
    let proved = 0;
    this.sides.forEach(([, upper], row) => {
      proved += upper * (duals[row] as number);
    });
    for (const { cost, upper, entries } of this.columns) {
      const reduced = [...entries].reduce((left, [row, entry]) => left - entry * (duals[row] as number), cost);
      if (upper < NONE) proved += Math.min(0, reduced) * upper;
      else expect(reduced).toBeGreaterThan(-1e-6);
    }
    return Math.abs(proved - value);
  }
}

/** Items of which each is in one group, with a way out at 10 either way. */
async function drawn(random: Random, items: number): Promise<Watched> {
  const sides = Array.from({ length: items }, () => [1, 1] as const);
  const watched = new Watched(await openGrowingLp(sides), sides);
  for (let item = 0; item < items; item++) for (const value of [1, -1]) watched.addColumn(10, [item], [value]);
  addGroups(watched, random, items);
  return watched;
}

function addGroups(watched: Watched, random: Random, items: number): void {
  for (let k = 0; k < 20; k++) {
    const rows = [...watched.sides.keys()].filter((row) => random.integer(row < items ? items : 3) < 3);
    // Every other group costs what many do.
    const cost = k % 2 === 0 ? rows.length : rows.length * (0.5 + random.next());
    watched.addColumn(
      cost,
      rows,
      rows.map(() => 1 + random.integer(2)),
    );
  }
}

test("whatever comes, goes or changes between solves, the value is that of the program from nothing", async () => {
  let dropped = 0;
  for (const seed of drawsOf(60, 3300).seeds) {
    const random = seededRandom(seed);
    const items = 4 + random.integer(12);
    const watched = await drawn(random, items);
    for (let round = 0; round < 8; round++) {
      const value = watched.lp.solve() as number;
      expect(value).toBeCloseTo((await watched.fromNothing()) as number, 6);
      expect(watched.dualError(value)).toBeLessThan(1e-6 * (1 + Math.abs(value)));
      const { columns } = watched.lp.answer();
      dropped += watched.dropLooseRows(items);
      expect(watched.lp.solve()).toBeCloseTo(value, 6);
      const groups = [...watched.columns.keys()].slice(2 * items);
      for (let k = 0; k < 3; k++) {
        const own = groups.filter(() => random.integer(3) === 0);
        const sum = own.reduce((total, j) => total + (columns[j] as number), 0);
        watched.addRow(
          own,
          own.map(() => 1),
          sum * (0.5 + random.next()),
        );
      }
      const changed = random.integer(watched.columns.length);
      watched.set(changed, changed < 2 * items ? { cost: 5 + 10 * random.next() } : { upper: random.integer(2) / 4 });
      if (round % 2 === 1) addGroups(watched, random, items);
    }
    watched.lp.dispose();
  }
  expect(dropped).toBeGreaterThan(20);
});

test("a solve that is stopped says nothing, at the same iteration every time, and the next one goes on", async () => {
  const asked = await Promise.all(
    [0, 1].map(async () => {
      const { lp } = await drawn(seededRandom(5), 30);
      let times = 0;
      expect(lp.solve(() => ++times > 5)).toBeNull();
      const { iterations } = lp;
      const isCounted = () => {
        times++;
        return false;
      };
      const value = lp.solve(isCounted) as number;
      lp.dispose();
      return { times, iterations, value };
    }),
  );
  expect(asked[0]).toEqual(asked[1]);
  expect(asked[0]?.iterations).toBeLessThan(asked[0]?.times as number);
  const whole = await drawn(seededRandom(5), 30);
  expect(asked[0]?.value).toBeCloseTo(whole.lp.solve() as number, 9);
});

test("without a least value there is none, and a cost that changes that gives one", async () => {
  const lp = await openGrowingLp([[1, 1]]);
  lp.addColumn(1, 0, NONE, { indices: [0], values: [1] });
  lp.addColumn(-2, 0, NONE, { indices: [0], values: [-1] });
  expect(lp.solve()).toBeNull();
  lp.setCost(1, -1);
  expect(lp.solve()).toBeCloseTo(1, 9);
  lp.addRow(-NONE, 0.5, { indices: [0, 1], values: [1, -1] });
  expect(lp.solve()).toBe(NONE);
});

test("where HiGHS has died all its programs end, and the next one is in a HiGHS of its own", async () => {
  const died = await openGrowingLp([[1, 1]]);
  const highs = await sharedHighs();
  const abort = () => {
    throw Object.assign(new Error("Aborted()"), { name: "RuntimeError" });
  };
  expect(() => guarded(highs, abort)).toThrow(SolverError);
  expect(() => died.solve()).toThrow(new SolverError("crash", "HiGHS has crashed; open the program again"));
  died.dispose();
  const next = await openGrowingLp([[1, 1]]);
  // What is asked of the dead one leaves it alone.
  expect(() => died.setCost(0, 1)).toThrow(SolverError);
  expect(await sharedHighs()).not.toBe(highs);
  next.addColumn(3, 0, NONE, { indices: [0], values: [2] });
  expect(next.solve()).toBeCloseTo(1.5, 9);
  next.dispose();
});
