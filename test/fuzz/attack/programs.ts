import type { Program } from "../../../src/program/program.js";
import { ProgramError } from "../../../src/program/program.js";
import { drawProgram } from "../../unit/proof/support.js";
import type { CaseClass } from "../case.js";
import { drawChain } from "../classes/exchangeable.js";
import { CLASSES } from "../generators.js";
import { type Draw, programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryInteger } from "../oracle/every-integer.js";
import type { Truth } from "../oracle/truth.js";

/** A program to attack, with what is true of it by brute force. */
export interface Target {
  readonly program: Program;
  readonly truth: Truth;
  /** Rows that a step "partition" may name. */
  readonly loads: readonly string[];
}

/** Of classes without a known optimum, and of what takes long to enumerate, nothing is made. */
const SMALL = new Set([
  "small boxes",
  "multiple-choice knapsack",
  "mixed integers",
  "free columns",
  "equations",
  "degenerate",
  "hollow parts",
]);
const classes: readonly CaseClass[] = CLASSES.filter(({ name }) => SMALL.has(name));

/** A small program of one of many kinds; `null` where the one drawn has no optimum to compare with. */
export function drawTarget(draw: Draw): Target | null {
  const kind = draw.int(0, 9);
  if (kind < 3) return drawPlacement(draw);
  if (kind < 5) return withTruth(drawProgram(draw));
  if (kind < 6) return withTruth(drawChain(draw));
  if (kind < 8) return withTruth(drawLinked(draw));
  const { program, witness } = draw.of(classes).make(draw);
  return witness.kind === "truth" ? { program, truth: witness.truth, loads: [] } : null;
}

function withTruth(program: Program, loads: readonly string[] = []): Target | null {
  const box = program.columns
    .filter(({ integer }) => integer)
    .map(({ lower, upper }) => [lower?.ceil() ?? -4n, upper?.floor() ?? 4n] as const);
  try {
    return { program, truth: tryEveryInteger(program, box), loads };
  } catch (error) {
    if (error instanceof RangeError || error instanceof ProgramError) return null;
    throw error;
  }
}

/**
 * Tables on devices with the largest load to be least, and what is put beside it: loads with columns that add or take, switches,
 * rows over a device's tables; and now and then what makes it none, such as a negative table, another total, a way out of all
 * devices, a load from below.
 */
function drawPlacement(draw: Draw): Target | null {
  const tables = draw.int(1, 3);
  const devices = tables === 3 ? 2 : draw.int(2, 3);
  const columns: [ReturnType<typeof ratio> | null, ReturnType<typeof ratio> | null, boolean][] = [];
  const add = (lower: number | null, upper: number | null, integer: boolean) =>
    columns.push([lower === null ? null : ratio(lower), upper === null ? null : ratio(upper), integer]) - 1;
  const rows: [Map<number, number>, number | null, number | null][] = [];
  const at: number[][] = [];
  for (let t = 0; t < tables; t++) {
    const mine = Array.from({ length: devices }, () => add(draw.oneIn(15) ? -1 : 0, draw.oneIn(25) ? 2 : 1, true));
    const all = draw.oneIn(15) ? [...mine, add(draw.oneIn(3) ? -1 : 0, 1, true)] : mine;
    const total = draw.oneIn(20) ? draw.of([0, 2]) : 1;
    rows.push([new Map(all.map((j) => [j, 1])), total, total]);
    at.push(mine);
  }
  const largest = add(
    draw.oneIn(9) ? null : draw.of([0, 0, -20]),
    draw.oneIn(3) ? null : draw.of([6, 100]),
    draw.oneIn(9),
  );
  const loads: string[] = [];
  for (let d = 0; d < devices; d++) {
    const load = new Map<number, number>();
    for (const mine of at) load.set(mine[d] as number, draw.oneIn(9) ? draw.int(-5, -1) : draw.int(1, 9));
    if (!draw.oneIn(12)) load.set(largest, draw.oneIn(15) ? 1 : -1);
    if (draw.oneIn(4)) {
      const unit = add(draw.oneIn(6) ? null : draw.int(-2, 1), draw.oneIn(3) ? null : 8, draw.oneIn(5));
      const own = new Map(at.map((mine) => [mine[d] as number, -draw.int(0, 4)]));
      if (draw.oneIn(2)) {
        load.set(unit, draw.oneIn(9) ? 2 : 1);
        rows.push([own.set(unit, draw.of([1, 1, 2])), draw.int(-3, 3), null]);
      } else {
        const binary = add(0, draw.oneIn(9) ? 2 : 1, !draw.oneIn(9));
        const most = draw.int(1, 9);
        load.set(unit, -1);
        rows.push([
          new Map([
            [unit, 1],
            [binary, -most],
          ]),
          null,
          draw.int(0, 2),
        ]);
        rows.push([own.set(unit, 1).set(binary, most), null, most + draw.int(0, 2)]);
      }
    }
    if (draw.oneIn(6)) load.set(add(draw.oneIn(5) ? -1 : 0, draw.oneIn(5) ? 2 : 1, true), draw.int(-4, 4));
    const side = draw.int(-4, 4);
    loads.push(`r${rows.length}`);
    rows.push(draw.oneIn(20) ? [load, side, null] : [load, draw.oneIn(15) ? side - 5 : null, side]);
    if (draw.oneIn(4)) {
      const some = new Map(at.map((mine) => [mine[d] as number, draw.int(-2, 3)]));
      rows.push(draw.oneIn(4) ? [some, draw.int(-2, 1), null] : [some, null, draw.int(0, 4)]);
    }
  }
  const cost = draw.of([1, 1, 1, 2]);
  const program = programOf({
    columns,
    rows: rows.map(
      ([entries, lower, upper]): SketchRow => [
        columns.map((_, j) => ratio(entries.get(j) ?? 0)),
        lower === null ? null : ratio(lower),
        upper === null ? null : ratio(upper),
      ],
    ),
    costs: columns.map((_, j) => ratio(j === largest ? cost : draw.oneIn(40) ? 1 : 0)),
    maximise: draw.oneIn(30),
    constant: ratio(draw.int(-2, 2)),
  });
  return columns.filter(([, , integer]) => integer).length > 9 ? null : withTruth(program, loads);
}

/** A few rows over columns of their own, integers or not, bounded or not, tied to one another by a row and by a column. */
function drawLinked(draw: Draw): Program {
  const n = draw.int(2, 5);
  const value = () => ratio(draw.int(-4, 4), draw.oneIn(5) ? 2 : 1);
  const columns = Array.from({ length: n }, () => {
    const integer = !draw.oneIn(3);
    const lower = draw.oneIn(6) && !integer ? null : ratio(draw.int(-2, 1), draw.oneIn(6) ? 2 : 1);
    const upper = draw.oneIn(6) && !integer ? null : ratio(draw.int(1, 3), draw.oneIn(6) ? 2 : 1);
    return [lower, upper, integer] as const;
  });
  const rows = Array.from({ length: draw.int(1, 4) }, (): SketchRow => {
    const first = draw.int(0, n - 1);
    const isIn = (j: number) => j === first || j === first + 1 || draw.oneIn(4);
    const coefficients = columns.map((_, j) => (isIn(j) ? value() : ratio(0)));
    const side = value();
    if (draw.oneIn(4)) return [coefficients, side, side];
    return draw.oneIn(2)
      ? [coefficients, side, null]
      : [coefficients, draw.oneIn(3) ? side.subtract(ratio(3)) : null, side];
  });
  return programOf({ columns, rows, costs: columns.map(value), maximise: draw.oneIn(2), constant: value() });
}
