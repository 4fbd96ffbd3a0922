import { describe, expect, test } from "vitest";
import { Rational } from "../../../../../src/exact/rational.js";
import { programHash } from "../../../../../src/program/hash.js";
import type { Program } from "../../../../../src/program/program.js";
import { readCertificate } from "../../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../../src/proof/check.js";
import { completeBins } from "../../../../../src/proof/kernel/packing/bin-completion.js";
import { packingOf } from "../../../../../src/proof/kernel/packing/packing.js";
import { viewOf } from "../../../../../src/proof/kernel/view.js";
import { type Draw, drawFrom, programOf, ratio, type SketchRow } from "../../../../fuzz/oracle/draw.js";
import { drawsOf } from "../../../../support/draws.js";

const MOST = 60;

interface Drawn {
  readonly program: Program;
  readonly items: readonly number[];
  readonly devices: readonly (readonly number[])[];
}

/**
 * Items on devices, the largest load least, with room for bytes and a base that counts on all devices: many items and devices alike,
 * some items not on all devices, some asked for by a choice.
 */
function drawItems(draw: Draw): Drawn {
  const [items, devices] = [draw.int(1, 5), draw.int(1, 3)];
  const sizes = [draw.int(1, 12), draw.int(1, 12)];
  const costs = Array.from({ length: items }, () => ratio(draw.oneIn(3) ? draw.int(1, 20) : draw.of(sizes)));
  const bytes = Array.from({ length: items }, () => ratio(draw.int(0, 4)));
  const unlike = draw.oneIn(3);
  const columns: [Rational, Rational, boolean][] = [[ratio(0), ratio(MOST), true]];
  const at = Array.from({ length: items }, (_, i) =>
    Array.from({ length: devices }, (_, d) => {
      if (draw.oneIn(9)) return null;
      columns.push([ratio(0), ratio(1), true]);
      return { i, d, column: columns.length - 1 };
    }),
  );
  const base = columns.push([ratio(draw.int(0, 2)), ratio(3), true]) - 1;
  const choice = columns.push([ratio(1), ratio(1), true]) - 1;
  const rows: SketchRow[] = [];
  const row = (entries: readonly (readonly [number, Rational])[], lower: Rational | null, upper: Rational | null) => {
    const coefficients = columns.map(() => ratio(0));
    for (const [j, value] of entries) coefficients[j] = value;
    return rows.push([coefficients, lower, upper]) - 1;
  };
  const itemRows = at.map((own) => {
    const here = own.flatMap((one) => (one === null ? [] : [[one.column, ratio(1)] as const]));
    return draw.oneIn(2) ? row(here, ratio(1), ratio(1)) : row([...here, [choice, ratio(-1)]], ratio(0), ratio(0));
  });
  const deviceRows = Array.from({ length: devices }, (_, d) => {
    const own = at.flatMap((each) => each[d] ?? []);
    const factor = ratio(unlike ? draw.int(1, 3) : 1);
    const scaled = (entries: readonly (readonly [number, Rational])[], by: Rational) =>
      entries.map(([j, value]) => [j, value.multiply(by)] as const);
    const load = own.map(({ i, column }) => [column, (costs[i] as Rational).multiply(factor)] as const);
    const held = own.map(({ i, column }) => [column, bytes[i] as Rational] as const);
    return [
      row(scaled([...load, [base, ratio(1)], [0, ratio(-1)]], ratio(1, draw.of([1, 1, 3]))), null, ratio(0)),
      row(held, null, ratio(draw.oneIn(2) ? 20 : draw.int(2, 8))),
    ];
  });
  const program = programOf({ columns, rows, costs: columns.map((_, j) => ratio(j === 0 ? 1 : 0)) });
  return { program, items: itemRows, devices: deviceRows };
}

function certificateOf({ program, items, devices }: Drawn, claim: Rational | null) {
  const nameOf = (r: number) => program.rows[r]?.name as string;
  return readCertificate({
    format: "shardproof-certificate 1",
    program: programHash(program),
    claim: claim === null ? { kind: "infeasible" } : { kind: "bound", bound: claim.toString() },
    steps: [{ propagate: {} }, { pack: { items: items.map(nameOf), devices: devices.map((own) => own.map(nameOf)) } }],
  });
}

/** The least largest load by trying every way to put items; `null` where none keeps all rows. */
function leastOf({ program, items, devices }: Drawn): Rational | null {
  let least: Rational | null = null;
  const isOn = new Set<number>();
  /** What a row has on its left side, the largest load at 0. */
  const activity = (r: number) =>
    (program.rows[r]?.form.columns ?? []).reduce((sum, j, k) => {
      const { coefficients, denominator } = (program.rows[r] as Program["rows"][number]).form;
      const value = j === 0 ? Rational.zero : isOn.has(j) ? Rational.one : (program.columns[j]?.lower as Rational);
      return sum.add(value.multiply(Rational.of(coefficients[k] as bigint, denominator)));
    }, Rational.zero);
  const put = (i: number): void => {
    if (i < items.length) {
      for (const j of program.rows[items[i] as number]?.form.columns ?? []) {
        if (program.columns[j]?.lower?.sign() !== 0) continue;
        isOn.add(j);
        put(i + 1);
        isOn.delete(j);
      }
      return;
    }
    if (devices.some(([, held = -1]) => activity(held).compare(program.rows[held]?.upper as Rational) > 0)) return;
    let largest = Rational.zero;
    for (const [load = -1] of devices) {
      const { form } = program.rows[load] as Program["rows"][number];
      const factor = Rational.of(-(form.coefficients[0] as bigint), form.denominator);
      const own = activity(load).divide(factor);
      if (own.compare(largest) > 0) largest = own;
    }
    if (largest.compare(ratio(MOST)) <= 0 && (least === null || largest.compare(least) < 0)) least = largest;
  };
  put(0);
  return least;
}

/** Whether an item has no column to go through: its row alone is infeasible. */
function isNowhere(program: Program, items: readonly number[]): boolean {
  const isOpen = (j: number) => program.columns[j]?.lower?.sign() === 0;
  return items.some((r) => program.rows[r]?.form.columns.some(isOpen) !== true);
}

describe("items on devices, against every point", () => {
  test("nothing is packed below the optimum, and it is at a claim above it", () => {
    let [proved, infeasible, above] = [0, 0, 0];
    const draws = drawsOf(400, 0);
    for (const seed of draws.seeds) {
      const drawn = drawItems(drawFrom(seed));
      const { program, items, devices } = drawn;
      const least = leastOf(drawn);
      const { view, box } = viewOf(program);
      const packed = (target: Rational | null) =>
        completeBins(packingOf(view, box, items, devices, target), () => true).kind;
      if (least === null) {
        if (isNowhere(program, items)) continue;
        expect(packed(null), `seed ${seed}`).toBe("none");
        infeasible++;
        continue;
      }
      // Where the largest load can only be its bound, propagation fixes it there: then the objective is no column that a claim limits.
      if (least.equals(ratio(MOST))) continue;
      // At most the target is below the next one: whole loads.
      const below = least.subtract(ratio(1, 1000));
      expect(packed(below), `seed ${seed}`).toBe("none");
      expect(checkCertificate(program, certificateOf(drawn, below)).bound).toEqual(below);
      proved++;
      expect(packed(least), `seed ${seed}`).toBe("found");
      expect(() => checkCertificate(program, certificateOf(drawn, least.add(ratio(1, 1000))))).toThrow(/way to pack/);
      above++;
    }
    expect(Math.min(proved, above)).toBeGreaterThanOrEqual(draws.atLeast(250));
    expect(infeasible).toBeGreaterThanOrEqual(draws.atLeast(10));
  });

  test("what is found is a point", () => {
    const draws = drawsOf(200, 1000);
    for (const seed of draws.seeds) {
      const { program, items, devices } = drawItems(drawFrom(seed));
      if (isNowhere(program, items)) continue;
      const { view, box } = viewOf(program);
      const packed = completeBins(packingOf(view, box, items, devices, null), () => true);
      if (packed.kind !== "found") continue;
      const ones = new Set(packed.items.map(({ column }) => column));
      expect(ones.size).toBe(packed.items.length);
      program.rows.forEach(({ form, upper }, r) => {
        if (upper === null || items.includes(r)) return;
        let sum = Rational.zero;
        form.columns.forEach((j, k) => {
          const value = j === 0 ? ratio(MOST) : ones.has(j) ? Rational.one : (program.columns[j]?.lower as Rational);
          sum = sum.add(value.multiply(Rational.of(form.coefficients[k] as bigint, form.denominator)));
        });
        expect(sum.compare(upper), `seed ${seed}`).toBeLessThanOrEqual(0);
      });
      for (const r of items) {
        const own = program.rows[r]?.form.columns.filter((j) => ones.has(j)) ?? [];
        expect(own.length, `seed ${seed}`).toBe(1);
      }
    }
  });
});

test("a search that is told to end knows nothing", () => {
  const [items, devices] = [40, 13];
  const sizes = Array.from({ length: items }, (_, i) => 2000 + 97 * ((i * i * 7) % 23) + i);
  const room = Math.floor((1.0005 * sizes.reduce((sum, size) => sum + size, 0)) / devices);
  const columns = Array.from({ length: items * devices }, () => [ratio(0), ratio(1), true] as const);
  const itemOf = (j: number) => Math.floor(j / devices);
  const rows: SketchRow[] = [
    ...sizes.map((_, i): SketchRow => [columns.map((_, j) => ratio(itemOf(j) === i ? 1 : 0)), ratio(1), ratio(1)]),
    ...Array.from(
      { length: devices },
      (_, d): SketchRow => [
        columns.map((_, j) => ratio(j % devices === d ? (sizes[itemOf(j)] as number) : 0)),
        null,
        ratio(room),
      ],
    ),
  ];
  const { view, box } = viewOf(programOf({ columns, rows, costs: columns.map(() => ratio(0)) }));
  const deviceRows = Array.from({ length: devices }, (_, d) => [items + d]);
  const packing = packingOf(view, box, [...sizes.keys()], deviceRows, null);
  expect(packing.kinds.map((kind) => kind.devices.length)).toEqual([devices]);
  let asked = 0;
  expect(completeBins(packing, () => ++asked < 2).kind).toBe("unknown");
  expect(asked).toBe(2);
});

test("more items or devices than sums of doubles hold are refused", () => {
  const many = 1001;
  const columns = Array.from({ length: many }, () => [ratio(0), ratio(1), true] as const);
  const one = (i: number): SketchRow => [columns.map((_, j) => ratio(j === i ? 1 : 0)), ratio(1), ratio(1)];
  const all: SketchRow = [columns.map(() => ratio(1)), null, ratio(many)];
  const { view, box } = viewOf(programOf({ columns, rows: [...columns.keys()].map(one).concat([all]), costs: [] }));
  const items = [...columns.keys()];
  expect(() => packingOf(view, box, items, [[many]], null)).toThrow(RangeError);
  expect(packingOf(view, box, items.slice(1), [[many]], null).items).toBe(many - 1);
  const devices = items.map(() => []);
  expect(() => packingOf(view, box, [], devices, null)).toThrow(RangeError);
});
