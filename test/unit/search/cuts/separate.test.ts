import { describe, expect, test } from "vitest";
import { readLp } from "../../../../src/program/lp/read.js";
import { makeProgram } from "../../../../src/program/program.js";
import type { Step } from "../../../../src/proof/certificate.js";
import { SearchSpace } from "../../../../src/search/branch-and-bound/space.js";
import { separate } from "../../../../src/search/cuts/separate.js";

/** The steps of cuts that a point breaks, no row of a tableau known. */
function cutsOff(text: string, point: readonly number[], isOver?: () => boolean): readonly Step[] {
  const program = makeProgram(readLp(`Maximize\n obj: a\nSubject To\n${text}\nEnd\n`, "cuts.lp"));
  const space = SearchSpace.of(program);
  return space.withCuts(separate(space, Float64Array.from(point), () => [], 10, isOver)).steps;
}

describe("lifted covers", () => {
  // Wolsey, Integer Programming (1998), example 9.4, and what it is lifted to.
  const row = " r: 11 a + 6 b + 6 c + 5 d + 5 e + 4 f + g <= 19";
  const bounds = "Binary\n a b c d e f g";

  test("of Wolsey's knapsack", () => {
    const steps = cutsOff(`${row}\n${bounds}`, [0.1, 1, 1, 0.9, 0.1, 0.2, 0]);
    const covers = steps.flatMap((step) => ("knapsack" in step ? [step] : []));
    expect(covers).toContainEqual({
      knapsack: expect.any(String),
      form: { a: "-2", b: "-1", c: "-1", d: "-1", e: "-1", f: "-1" },
      least: "-3",
      rows: { r: "-1" },
    });
  });

  test("of complements, and of binaries between 1 and 2", () => {
    const complemented = " r: - 11 a + 6 b + 6 c + 5 d + 5 e + 4 f + g <= 14";
    const steps = cutsOff(
      `${complemented}\nBounds\n 1 <= b <= 2\nBinary\n a c d e f g\nGeneral\n b`,
      [0.9, 2, 1, 0.9, 0.1, 0.2, 0],
    );
    const covers = steps.flatMap((step) => ("knapsack" in step ? [step] : []));
    expect(covers).toContainEqual({
      knapsack: expect.any(String),
      form: { a: "2", b: "-1", c: "-1", d: "-1", e: "-1", f: "-1" },
      least: "-2",
      rows: { r: "-1" },
    });
  });

  test("none of a point that the knapsack holds", () => {
    expect(cutsOff(`${row}\n${bounds}`, [1, 1, 0, 0, 0, 0, 1])).toEqual([]);
  });
});

describe("cliques", () => {
  const pairs = (names: string) =>
    [...names].flatMap((a, i) => [...names.slice(i + 1)].map((b) => ` ${a}${b}: ${a} + ${b} <= 1`)).join("\n");

  test("as many as there are by the end", () => {
    const two = `${pairs("abc")}\n${pairs("def")}\nBinary\n a b c d e f`;
    const half = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5];
    const cutsIn = (isOver?: () => boolean) => cutsOff(two, half, isOver).filter((step) => "cut" in step).length;
    // It is asked once a row that sums begin with, then once a cut.
    let asked = 0;
    expect([cutsIn(), cutsIn(() => asked++ > 6), cutsIn(() => true)]).toEqual([2, 1, 0]);
  });

  test("of four, by lemmas of three", () => {
    const steps = cutsOff(`${pairs("abcd")}\nBinary\n a b c d`, [0.5, 0.5, 0.5, 0.5]);
    const forms = steps.flatMap((step) => ("cut" in step ? [[step.form, step.least]] : []));
    expect(forms).toContainEqual([{ a: "-1", b: "-1", c: "-1", d: "-1" }, "-1"]);
  });

  test("with columns that are zero at the point", () => {
    const steps = cutsOff(`${pairs("abcd")}\nBinary\n a b c d`, [0.5, 0.5, 0.5, 0]);
    const forms = steps.flatMap((step) => ("cut" in step ? [[step.form, step.least]] : []));
    expect(forms).toContainEqual([{ a: "-1", b: "-1", c: "-1", d: "-1" }, "-1"]);
  });

  test("with complements: a ≤ d excludes a and the complement of d", () => {
    const rows = " ab: 2 a + 2 b <= 2\n ad: a - d <= 0\n bd: b - d <= 0";
    const steps = cutsOff(`${rows}\nBinary\n a b d`, [0.5, 0.5, 0.5]);
    const forms = steps.flatMap((step) => ("cut" in step ? [[step.form, step.least]] : []));
    expect(forms).toContainEqual([{ a: "-1", b: "-1", d: "1" }, "0"]);
  });
});
