import { Rational } from "../../../src/exact/rational.js";
import type { Program } from "../../../src/program/program.js";
import { ProgramError } from "../../../src/program/program.js";
import { EXTREME_COSTS, extremeCost } from "../../support/extreme-numbers.js";
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
  if (!draw.oneIn(5)) return drawTiny(draw);
  const { program, witness } = draw.of(classes).make(draw);
  return witness.kind === "truth" ? { program, truth: witness.truth, loads: [] } : null;
}

/** One that takes no time to go through, point by point. */
export function drawTiny(draw: Draw): Target | null {
  const kind = draw.int(0, 7);
  if (kind < 3) return drawPlacement(draw);
  if (kind < 5) return withTruth(drawProgram(draw));
  return withTruth(kind < 6 ? drawChain(draw) : drawLinked(draw));
}

/** A knapsack with both sides, of costs that are near its coefficients, or a sum that is fixed; at times another row. */
export function drawRanged(draw: Draw): Target | null {
  const n = draw.int(3, 5);
  const most = draw.of([1, 1, 1, 2]);
  const isSum = draw.oneIn(4);
  const uses = Array.from({ length: n }, () => (isSum ? 1 : draw.int(1, 6)));
  const least = draw.int(1, most * uses.reduce((sum, use) => sum + use, 0) - 1);
  const row = (own: readonly number[], from: number, to: number): SketchRow => [
    own.map((use) => ratio(use)),
    ratio(from),
    ratio(to),
  ];
  const rows = [row(uses, least, isSum ? least : 100)];
  if (draw.oneIn(4))
    rows.push(
      row(
        uses.map(() => draw.int(0, 4)),
        draw.int(0, 3),
        draw.int(4, 12),
      ),
    );
  const columns = uses.map(() => [ratio(0), ratio(most), true] as const);
  return withTruth(
    programOf({
      columns,
      rows,
      costs: uses.map((use) => (draw.oneIn(8) ? extremeCost(draw) : ratio(use + draw.int(0, 3)))),
    }),
  );
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
 * Tables on devices with the largest load to be least, with columns that add to a load or take from it, switches, and rows over a
 * device's tables; in half of the programs one thing is not as it is in the project's own.
 */
function drawPlacement(draw: Draw): Target | null {
  const odd = draw.oneIn(2) ? draw.of(ODDITIES) : null;
  const tables = draw.int(1, 3);
  const devices = tables === 3 ? 2 : draw.int(2, 3);
  const columns: [Rational | null, Rational | null, boolean][] = [];
  const add = (lower: number | null, upper: number | null, integer: boolean) =>
    columns.push([lower === null ? null : ratio(lower), upper === null ? null : ratio(upper), integer]) - 1;
  const rows: [Map<number, number>, number | null, number | null][] = [];
  const at: number[][] = [];
  for (let t = 0; t < tables; t++) {
    const isNegative = odd === "negative tables" && !draw.oneIn(3);
    const mine = Array.from({ length: devices }, () => add(isNegative ? -1 : 0, odd === "another total" ? 2 : 1, true));
    const all = odd === "a way out" ? [...mine, add(draw.oneIn(3) ? -1 : 0, 1, true)] : mine;
    const total = odd === "another total" ? draw.of([0, 2]) : 1;
    rows.push([new Map(all.map((j) => [j, 1])), total, total]);
    at.push(mine);
  }
  const largest = add(odd === "free objective" ? null : draw.of([0, 0, -20]), draw.of([null, 6, 100]), draw.oneIn(9));
  const loads: string[] = [];
  for (let d = 0; d < devices; d++) {
    const load = new Map<number, number>();
    for (const mine of at)
      load.set(
        mine[d] as number,
        draw.oneIn(12) ? draw.of(EXTREME_COSTS) : draw.oneIn(9) ? draw.int(-5, -1) : draw.int(1, 9),
      );
    if (odd === "two of a table" && d > 0) load.set((at[0] as number[])[0] as number, draw.int(1, 5));
    if (!draw.oneIn(12)) load.set(largest, odd === "objective beside" ? 1 : -1);
    const hasUnit =
      draw.oneIn(4) || odd === "unit without a bound" || odd === "wide switch" || odd === "part of a switch";
    if (hasUnit && d === 0) {
      const isFree = odd === "unit without a bound";
      const unit = add(isFree ? null : draw.int(-2, 1), isFree ? null : 8, draw.oneIn(5));
      const own = new Map(at.map((mine) => [mine[d] as number, -draw.int(0, 4)]));
      if (draw.oneIn(2)) {
        load.set(unit, draw.of([1, 2]));
        rows.push([own.set(unit, draw.of([1, 1, 2])), draw.int(-3, 3), null]);
      } else {
        const binary = add(0, odd === "wide switch" ? 2 : 1, odd !== "part of a switch");
        const most = draw.int(1, 9);
        load.set(unit, -1);
        rows.push([new Map([[unit, 1]]).set(binary, -most), null, draw.int(0, 2)]);
        rows.push([own.set(unit, 1).set(binary, most), null, most + draw.int(0, 2)]);
      }
    }
    if (draw.oneIn(6) || odd === "odd integer") {
      const isOdd = odd === "odd integer";
      load.set(add(isOdd ? draw.int(-1, 0) : 0, isOdd ? draw.int(1, 2) : 1, true), draw.int(-4, 4));
    }
    const side = odd === "negative tables" ? draw.int(-10, 0) : draw.int(-4, 4);
    loads.push(`r${rows.length}`);
    rows.push(odd === "load from below" ? [load, side, null] : [load, draw.oneIn(15) ? side - 5 : null, side]);
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
        columns.map((_, j) => Rational.fromNumber(entries.get(j) ?? 0)),
        lower === null ? null : ratio(lower),
        upper === null ? null : ratio(upper),
      ],
    ),
    costs: columns.map((_, j) =>
      ratio(j === largest ? cost : odd === "other costs" && draw.oneIn(3) ? draw.int(-2, 2) : 0),
    ),
    maximise: odd === "maximised",
    constant: ratio(draw.int(-2, 2)),
  });
  return columns.filter(([, , integer]) => integer).length > 9 ? null : withTruth(program, loads);
}

const ODDITIES = [
  "negative tables",
  "another total",
  "a way out",
  "two of a table",
  "free objective",
  "objective beside",
  "unit without a bound",
  "wide switch",
  "part of a switch",
  "odd integer",
  "load from below",
  "other costs",
  "maximised",
] as const;

/** A few rows over columns of their own, integers or not, bounded or not, tied to one another by a row and by a column. */
function drawLinked(draw: Draw): Program {
  const n = draw.int(2, 5);
  const value = () => (draw.oneIn(20) ? extremeCost(draw) : ratio(draw.int(-4, 4), draw.oneIn(5) ? 2 : 1));
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
