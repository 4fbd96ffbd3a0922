import { Rational } from "../../../src/exact/rational.js";
import { linearForm, makeProgram, type Program } from "../../../src/program/program.js";
import { drawFrom } from "../../fuzz/oracle/draw.js";

/**
 * A small random program with one or two continuous columns that are whole at some optimum (src/proof/kernel/implied-integers.ts):
 * alone in their rows beside integers, with costs of any sign. `declared`: as integers of the program, whose certificates
 * then branch on them more often; the checker takes them for the other program's too.
 */
export function impliedProgram(seed: number, declared = false): Program {
  const { int, oneIn } = drawFrom(seed);
  const whole = (value: number, denominator = 1) => Rational.of(BigInt(value), BigInt(denominator));
  const integers = int(1, 4);
  const implied = int(1, 2);
  const columns = [
    ...Array.from({ length: integers }, (_, j) => ({
      ...{ name: `x${j}`, lower: whole(int(-3, 0)), upper: whole(int(1, 5)), integer: true },
    })),
    ...Array.from({ length: implied }, (_, i) => ({
      ...{ name: `z${i}`, lower: oneIn(2) ? null : whole(int(-9, 0)), upper: oneIn(3) ? whole(int(1, 15)) : null },
      integer: declared,
    })),
  ];
  const rows = Array.from({ length: implied }, (_, i) =>
    Array.from({ length: int(1, 4) }, (_, r) => {
      const own = int(1, 3) * (oneIn(2) ? 1 : -1);
      const denominator = int(1, 3);
      const terms = Array.from({ length: integers }, (_, j) => [j, whole(int(-7, 7) * own, denominator)] as const);
      const form = linearForm([...terms, [integers + i, whole(own, denominator)]]);
      const lower = whole(int(-9, 9) * own, denominator);
      const upper = lower.add(whole(Math.abs(own) * int(0, 12), denominator));
      const kind = int(0, 3);
      return { name: `r${i}_${r}`, form, lower: kind === 1 ? null : lower, upper: kind === 0 ? null : upper };
    }),
  ).flat();
  for (let r = int(0, 2); r > 0; r--) {
    const form = linearForm(Array.from({ length: integers }, (_, j) => [j, whole(int(-6, 9))] as const));
    rows.push({ name: `s${r}`, form, lower: whole(int(-8, 8)), upper: null });
  }
  const costs = columns.map((_, j) => [j, j < integers ? whole(int(-9, 9), int(1, 2)) : whole(int(-3, 3))] as const);
  const sense = oneIn(2) ? "minimize" : "maximize";
  return makeProgram({ columns, rows, objective: { sense, form: linearForm(costs) } });
}
