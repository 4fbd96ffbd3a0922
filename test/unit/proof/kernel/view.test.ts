import { describe, expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { formValue } from "../../../../src/program/evaluate.js";
import { roundSides, substituteFixed, type View, viewOf } from "../../../../src/proof/kernel/view.js";
import { drawFrom, programOf, ratio } from "../../../fuzz/oracle/draw.js";
import { forEachPoint, ownBox } from "../../../fuzz/oracle/every-point.js";
import { drawProgram, feasiblePoints, isIn, shrinkAtRandom } from "../support.js";

/** Whether the view's rows and groups hold at a point of the program. */
function satisfies(view: View, point: readonly Rational[]): boolean {
  const local = view.columns.map((column) => point[column] as Rational);
  const rows = [...view.rows.values()].every(({ form, lower, upper }) => {
    const value = formValue(form, local);
    return (lower === null || value.compare(lower) >= 0) && (upper === null || value.compare(upper) <= 0);
  });
  const groups = view.groups.every(({ members, total }) =>
    members.reduce((sum, j) => sum.add(local[j] as Rational), Rational.zero).equals(Rational.of(total)),
  );
  return rows && groups && !view.crossed;
}

function costOf(view: View, point: readonly Rational[]): Rational {
  return formValue(
    view.objective,
    view.columns.map((column) => point[column] as Rational),
  ).add(view.constant);
}

describe("a view", () => {
  test("has the program's feasible points, no more and no fewer, at the same cost; substituted or not", () => {
    const seen = { inside: 0, outside: 0, substituted: 0 };
    for (let seed = 0; seed < 250; seed++) {
      const draw = drawFrom(seed);
      const program = drawProgram(draw);
      const { view, box } = viewOf(program);
      shrinkAtRandom(draw, box);
      const reduced = substituteFixed(view, box);
      seen.substituted += view.columns.length - reduced.view.columns.length;
      const feasible = new Map(feasiblePoints(program).map(({ point, cost }) => [point.join(), cost]));
      const everything = programOf({
        columns: program.columns.map(({ lower, upper }) => [lower, upper, true]),
        rows: [],
        costs: program.columns.map(() => Rational.zero),
      });
      forEachPoint(everything, ownBox(everything), (values) => {
        const point = values.map((value) => Rational.of(value));
        if (!isIn(view, box, point)) return;
        const cost = feasible.get(point.join());
        for (const at of [view, reduced.view]) {
          expect(satisfies(at, point), `seed ${seed}: ${point.join()}`).toBe(cost !== undefined);
          if (cost !== undefined) expect(costOf(at, point).toString()).toBe(cost.toString());
        }
        if (cost === undefined) seen.outside++;
        else seen.inside++;
      });
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(150);
  });

  test("where nothing is fixed the view stays, with a box of its own; elsewhere all rows are rounded as far as they can be", () => {
    const seen = { kept: 0, shared: 0, rounded: 0 };
    for (let seed = 0; seed < 500; seed++) {
      const draw = drawFrom(seed);
      const { view, box } = viewOf(drawProgram(draw));
      shrinkAtRandom(draw, box);
      const reduced = substituteFixed(view, box);
      expect(reduced.box).not.toBe(box);
      if (reduced.view.columns.length === view.columns.length) {
        expect(reduced.view).toBe(view);
        seen.kept++;
      } else if (!reduced.view.crossed) {
        const { integer, groups, groupOf, rows } = reduced.view;
        for (const [r, row] of rows) {
          expect(roundSides(row, integer, groups, groupOf), `seed ${seed}, row ${r}`).toEqual(row);
          if (row.form.coefficients === view.rows.get(r)?.form.coefficients) seen.shared++;
          else seen.rounded++;
        }
      }
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
  });

  test("rounds bounds of integers inwards, and rows to what integers reach", () => {
    const program = programOf({
      columns: [
        [ratio(-1, 2), ratio(7, 2), true],
        [ratio(-1, 2), ratio(7, 2), false],
        [ratio(0), ratio(9), true],
      ],
      rows: [
        [[ratio(4), ratio(0), ratio(6)], ratio(3), ratio(13)],
        [[ratio(4), ratio(1), ratio(6)], ratio(3), ratio(13)],
      ],
      costs: [ratio(0), ratio(0), ratio(0)],
    });
    const { view, box } = viewOf(program);
    expect(box.lower.map(String)).toEqual(["0", "-1/2", "0"]);
    expect(box.upper.map(String)).toEqual(["3", "7/2", "9"]);
    expect([...view.rows.values()].map(({ lower, upper }) => `${lower} ${upper}`)).toEqual(["4 12", "3 13"]);
  });

  test("sees that the sides of a row cross once they are rounded", () => {
    const program = programOf({
      columns: [[ratio(0), ratio(9), true]],
      rows: [[[ratio(4)], ratio(5), ratio(7)]],
      costs: [ratio(1)],
    });
    expect(viewOf(program).view.crossed).toBe(true);
  });

  test("takes rows of ones as groups while they share no column; only of bounded integers", () => {
    const program = programOf({
      columns: [
        [ratio(0), ratio(3), true],
        [ratio(0), ratio(3), true],
        [ratio(0), ratio(3), true],
        [ratio(0), null, true],
      ],
      rows: [
        [[ratio(1), ratio(0), ratio(0), ratio(1)], ratio(2), ratio(2)],
        [[ratio(1), ratio(1), ratio(0), ratio(0)], ratio(2), ratio(2)],
        [[ratio(0), ratio(1), ratio(1), ratio(0)], ratio(2), ratio(2)],
        [[ratio(0), ratio(0), ratio(1), ratio(0)], ratio(2), ratio(3)],
      ],
      costs: [1, 2, 3, 4].map((cost) => ratio(cost)),
    });
    const { view } = viewOf(program);
    expect(view.groups).toEqual([{ members: [0, 1], total: 2n }]);
    expect(view.single).toEqual([2, 3]);
  });
});
