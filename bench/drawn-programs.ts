import { type Random, seededRandom } from "../src/exact/random.js";
import { Rational } from "../src/exact/rational.js";
import { type Column, linearForm, makeProgram, type Program, type Row } from "../src/program/program.js";

/** What a program is drawn from. */
interface Sketch {
  readonly maximise?: boolean;
  /** Cost, upper bound (`null`: none), integer. The lower bound is 0. */
  readonly columns: readonly (readonly [cost: number, upper: number | null, integer: boolean])[];
  readonly rows: readonly SketchRow[];
}

/** Pairs of column and coefficient, and the sides. */
type SketchRow = readonly [terms: readonly (readonly [number, number])[], lower: number | null, upper: number | null];

type Draw = (from: number, to: number) => number;

/** Kinds of mixed-integer programs of the literature, in sizes that HiGHS ends in seconds; all numbers are integers. */
const KINDS: Readonly<Record<string, (draw: Draw) => Sketch>> = {
  /** Weakly correlated, one row. */
  knapsack(draw) {
    const weights = times(50, () => draw(100, 1000));
    return {
      maximise: true,
      columns: weights.map((weight) => [weight + draw(-100, 100) + 101, 1, true]),
      rows: [[weights.map((weight, j) => [j, weight]), null, Math.floor(sum(weights) / 2)]],
    };
  },
  "multi-knapsack"(draw) {
    const n = 30;
    return {
      maximise: true,
      columns: times(n, () => [draw(100, 1000), 1, true]),
      rows: times(5, () => {
        const weights = times(n, () => draw(50, 1000));
        return [weights.map((weight, j) => [j, weight]), null, Math.floor(sum(weights) / 2)];
      }),
    };
  },
  cover(draw) {
    const n = 80;
    return {
      columns: times(n, () => [draw(5, 50), 1, true]),
      rows: times(40, () => [someOf(n, 8, draw).map((j) => [j, 1]), 1, null]),
    };
  },
  packing(draw) {
    const n = 70;
    return {
      maximise: true,
      columns: times(n, () => [draw(5, 50), 1, true]),
      rows: times(45, () => [someOf(n, 6, draw).map((j) => [j, 1]), null, 1]),
    };
  },
  /** A single-commodity network with arcs that are paid for once they are used. */
  "fixed-charge"(draw) {
    const nodes = 14;
    const arcs = times(42, () => someOf(nodes, 2, draw) as [number, number]).filter(([a, b]) => a !== b);
    for (let node = 1; node < nodes; node++) arcs.push([draw(0, node - 1), node]);
    const demands = times(nodes, (node) => (node === 0 ? 0 : draw(0, 20)));
    const total = sum(demands);
    return {
      columns: arcs.flatMap(() => [[draw(1, 5), null, false] as const, [draw(20, 120), 1, true] as const]),
      rows: [
        ...times(nodes, (node): SketchRow => {
          const need = node === 0 ? -total : (demands[node] as number);
          const terms = arcs.flatMap(([from, to], a): (readonly [number, number])[] =>
            from === node || to === node ? [[2 * a, to === node ? 1 : -1]] : [],
          );
          return [terms, need, need];
        }),
        ...arcs.map((_, a) => {
          const capacity = draw(0, 2) === 0 ? draw(15, 60) : total;
          return [[[2 * a, 1] as const, [2 * a + 1, -capacity] as const], null, 0] as const;
        }),
      ],
    };
  },
  /** Several products on one machine, with setups and stocks. */
  "lot-sizing"(draw) {
    const [products, periods] = [4, 10];
    const make = (p: number, t: number) => 3 * (p * periods + t);
    const columns = times(products * periods, () => [
      [draw(1, 3), null, false] as const,
      [draw(50, 200), 1, true] as const,
      [draw(1, 4), null, false] as const,
    ]).flat();
    const rows: SketchRow[] = [];
    for (let p = 0; p < products; p++) {
      for (let t = 0; t < periods; t++) {
        const before: [number, number][] = t === 0 ? [] : [[make(p, t - 1) + 2, 1]];
        const demand = draw(0, 3) === 0 ? 0 : draw(10, 60);
        rows.push([[[make(p, t), 1], [make(p, t) + 2, -1], ...before], demand, demand]);
        rows.push([
          [
            [make(p, t), 1],
            [make(p, t) + 1, -300],
          ],
          null,
          0,
        ]);
      }
    }
    for (let t = 0; t < periods; t++) {
      const used = times(products, (p) => [[make(p, t), 1] as const, [make(p, t) + 1, 10] as const]).flat();
      rows.push([used, null, 240]);
    }
    return { columns, rows };
  },
  /** General integers with equations and ranges. */
  integers(draw) {
    const n = 20;
    const point = times(n, () => draw(0, 12));
    return {
      columns: times(n, () => [draw(1, 40), 20, true]),
      rows: times(5, (r) => {
        const coefficients = times(n, () => (draw(0, 1) === 0 ? 0 : draw(1, 25)));
        const value = sum(coefficients.map((each, j) => each * (point[j] as number)));
        const terms = coefficients.flatMap((each, j) => (each === 0 ? [] : [[j, each] as const]));
        return r < 2 ? [terms, value, value] : [terms, value, null];
      }),
    };
  },
  /** Integers and continuous columns in dense rows. */
  mixed(draw) {
    const n = 30;
    return {
      columns: times(n, (j) => [draw(5, 60), j % 3 === 0 ? null : 10, j % 3 !== 0]),
      rows: times(12, () => [
        times(n, (j) => [j, draw(0, 2) === 0 ? draw(-8, -1) : draw(1, 30)] as const),
        draw(200, 1500),
        null,
      ]),
    };
  },
  /** Generalised assignment. */
  assignment(draw) {
    const [agents, jobs] = [5, 18];
    const at = (a: number, b: number) => a * jobs + b;
    const weights = times(agents * jobs, () => draw(5, 25));
    return {
      columns: weights.map(() => [draw(10, 50), 1, true]),
      rows: [
        ...times(jobs, (b) => [times(agents, (a) => [at(a, b), 1] as const), 1, 1] as const),
        ...times(agents, (a) => {
          const terms = times(jobs, (b) => [at(a, b), weights[at(a, b)] as number] as const);
          return [terms, null, Math.floor((0.8 * sum(terms.map(([, weight]) => weight))) / agents)] as const;
        }),
      ],
    };
  },
  /** Capacitated facility location, shipments continuous. */
  facility(draw) {
    const [sites, customers] = [10, 20];
    const at = (s: number, c: number) => sites + s * customers + c;
    const demands = times(customers, () => draw(5, 35));
    const places = times(sites + customers, () => [draw(0, 100), draw(0, 100)] as const);
    const distance = (s: number, c: number) => {
      const [[x, y], [u, v]] = [places[s] as [number, number], places[sites + c] as [number, number]];
      return Math.round(Math.hypot(x - u, y - v));
    };
    return {
      columns: [
        ...times(sites, () => [draw(300, 900), 1, true] as const),
        ...times(sites * customers, (k) => {
          const [s, c] = [Math.floor(k / customers), k % customers];
          return [distance(s, c) * (demands[c] as number), null, false] as const;
        }),
      ],
      rows: [
        ...times(customers, (c) => [times(sites, (s) => [at(s, c), 1] as const), 1, 1] as const),
        ...times(sites, (s) => {
          const terms = times(customers, (c) => [at(s, c), demands[c] as number] as const);
          return [[...terms, [s, -draw(90, 160)] as const], null, 0] as const;
        }),
      ],
    };
  },
  /** Bins of one size, with the order of bins given. */
  bins(draw) {
    const [bins, items] = [6, 16];
    const at = (b: number, i: number) => bins + b * items + i;
    const weights = times(items, () => draw(20, 60));
    return {
      columns: [...times(bins, () => [1, 1, true] as const), ...times(bins * items, () => [0, 1, true] as const)],
      rows: [
        ...times(items, (i) => [times(bins, (b) => [at(b, i), 1] as const), 1, 1] as const),
        ...times(bins, (b) => {
          const terms = times(items, (i) => [at(b, i), weights[i] as number] as const);
          return [[...terms, [b, -150] as const], null, 0] as const;
        }),
        ...times(bins - 1, (b) => [[[b, 1] as const, [b + 1, -1] as const], 0, null] as const),
      ],
    };
  },
  /** Jobs on one machine with release dates, ordered by disjunctions with a large constant; weighted completion. */
  disjunctive(draw) {
    const jobs = 6;
    const durations = times(jobs, () => draw(5, 30));
    const horizon = sum(durations) + 60;
    const pairs = times(jobs, (a) => times(jobs - a - 1, (k) => [a, a + 1 + k] as const)).flat();
    const releases = times(jobs, () => draw(0, 60));
    return {
      columns: [...times(jobs, () => [draw(1, 9), horizon, false] as const), ...pairs.map(() => [0, 1, true] as const)],
      rows: [
        ...times(jobs, (a) => [[[a, 1] as const], releases[a] as number, null] as const),
        ...pairs.flatMap(([a, b], k) => [
          [
            [
              [b, 1],
              [a, -1],
              [jobs + k, -horizon],
            ] as const,
            (durations[a] as number) - horizon,
            null,
          ] as const,
          [
            [
              [a, 1],
              [b, -1],
              [jobs + k, horizon],
            ] as const,
            durations[b] as number,
            null,
          ] as const,
        ]),
      ],
    };
  },
};

export const PROGRAM_KINDS: readonly string[] = Object.keys(KINDS);

/** A program of a kind; the same seed draws the same one. */
export function drawnProgram(kind: string, seed: number): Program {
  const random: Random = seededRandom(seed);
  const sketch = KINDS[kind]?.((from, to) => from + random.integer(to - from + 1));
  if (sketch === undefined) throw new RangeError(`there is no kind "${kind}" of programs`);
  const number = (value: number | null) => (value === null ? null : Rational.of(BigInt(value)));
  const form = (terms: readonly (readonly [number, number])[]) =>
    linearForm(terms.map(([j, value]) => [j, Rational.of(BigInt(value))] as const));
  return makeProgram({
    name: `${kind}-${seed}`,
    columns: sketch.columns.map(
      ([, upper, integer], j): Column => ({ name: `x${j}`, lower: Rational.zero, upper: number(upper), integer }),
    ),
    rows: sketch.rows.map(
      ([terms, lower, upper], r): Row => ({
        name: `r${r}`,
        form: form(terms),
        lower: number(lower),
        upper: number(upper),
      }),
    ),
    objective: {
      sense: sketch.maximise === true ? "maximize" : "minimize",
      form: form(sketch.columns.map(([cost], j) => [j, cost])),
    },
  });
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** So many of 0 … n − 1, rising or not. */
function someOf(n: number, count: number, draw: Draw): number[] {
  const found = new Set<number>();
  while (found.size < count) found.add(draw(0, n - 1));
  return [...found];
}
