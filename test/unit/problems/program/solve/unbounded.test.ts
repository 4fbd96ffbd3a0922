import fc from "fast-check";
import { expect, test } from "vitest";
import { Rational } from "../../../../../src/exact/rational.js";
import {
  endlessIntegers,
  improvingRay,
  solveProgram,
} from "../../../../../src/problems/program/solve/solve-program.js";
import { evaluate } from "../../../../../src/program/evaluate.js";
import { readLp } from "../../../../../src/program/lp/read.js";
import { isImprovingRay } from "../../../../../src/program/ray.js";

const never = () => false;

test.each([
  { name: "no row in the way", text: "Maximize\n x\nSubject To\n c: x >= 2\nEnd\n", ray: ["1"] },
  {
    name: "only along a slope",
    text: "Maximize\n x + y\nSubject To\n c: 3 x - 2 y = 1\nEnd\n",
    ray: ["2", "3"],
  },
  { name: "downwards", text: "Minimize\n x\nSubject To\n c: x <= 2\nBounds\n x free\nEnd\n", ray: ["-1"] },
])("a ray: $name", async ({ text, ray }) => {
  expect((await improvingRay(readLp(text), never))?.map(String)).toEqual(ray);
});

test.each([
  { name: "rows close it", text: "Maximize\n x + y\nSubject To\n c: x - y <= 3\n d: 2 y - x <= 9\nEnd\n" },
  { name: "no objective", text: "Maximize\n 0 x\nSubject To\n c: x >= 2\nEnd\n" },
  { name: "it grows the wrong way", text: "Minimize\n x\nSubject To\n c: x >= 2\nEnd\n" },
])("no ray: $name", async ({ text }) => {
  expect(await improvingRay(readLp(text), never)).toBeNull();
});

test.each([
  { change: "worsens", ray: [0, -1] },
  { change: "stands still", ray: [0, 0] },
  { change: "leaves a row", ray: [1, 3] },
  { change: "leaves a bound", ray: [-2, -2] },
  { change: "is not whole", ray: [0.5, 0.5] },
])("a direction that $change is no ray", ({ ray }) => {
  const program = readLp("Maximize\n x + y\nSubject To\n c: y - x <= 1\nGenerals\n x\nEnd\n");
  expect(isImprovingRay(program, [Rational.one, Rational.one])).toBe(true);
  expect(isImprovingRay(program, ray.map(Rational.fromNumber))).toBe(false);
});

test("integers that nothing limits are named, others are not", () => {
  const text = "Minimize\n x\nSubject To\n c: x + y - z >= 1\n d: y <= 4\n e: y + w <= 9\nGenerals\n x y w\nEnd\n";
  expect(endlessIntegers(readLp(text))).toEqual(["x"]);
});

test("an unbounded program ends with a feasible point and a ray", async () => {
  const text = "Maximize\n x + y + z\nSubject To\n c: 3 x - 2 y = 1\n d: z <= 3.5\nGenerals\n x y z\nEnd\n";
  const program = readLp(text);
  const { outcome, point, ray } = await solveProgram(program);
  expect(outcome).toMatchObject({ status: "unbounded", bound: null });
  expect(evaluate(program, point ?? []).violations).toEqual([]);
  expect(isImprovingRay(program, ray ?? [])).toBe(true);
});

test("a program with a ray and no feasible point is infeasible", async () => {
  const text = "Maximize\n x\nSubject To\n c: 2 x - 2 y = 1\nGenerals\n x y\nEnd\n";
  const { outcome, certificate, reason } = await solveProgram(readLp(text));
  expect([outcome.status, certificate?.claim.kind, reason]).toEqual(["infeasible", "infeasible", null]);
});

test("what is found unbounded in two columns has points beyond any value", async () => {
  const entry = fc.integer({ min: -3, max: 3 });
  const row = fc.tuple(entry, entry, fc.integer({ min: -6, max: 6 }));
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), entry, entry, async (rows, c, d) => {
      const term = (value: number, name: string) => `${value < 0 ? "-" : "+"} ${Math.abs(value)} ${name}`;
      const lines = rows.map(([a, b, side], k) => ` r${k}: ${term(a, "x")} ${term(b, "y")} <= ${side}`);
      const write = (further: string) =>
        `Maximize\n obj: ${term(c, "x")} ${term(d, "y")}\nSubject To\n${lines.join("\n")}\n${further}Generals\n x y\nEnd\n`;
      const { outcome } = await solveProgram(readLp(write("")));
      // Beyond this no bounded problem of this size has its optimum: its vertices have coordinates of at most 36.
      const beyond = await solveProgram(readLp(write(` far: ${term(c, "x")} ${term(d, "y")} >= 1000\n`)));
      expect(beyond.outcome.status === "infeasible").toBe(outcome.status !== "unbounded");
    }),
    { numRuns: 60, seed: 1 },
  );
});
