import { seededRandom } from "../../../src/exact/random.js";
import { Rational } from "../../../src/exact/rational.js";
import { formValue } from "../../../src/program/evaluate.js";
import { linearForm, makeProgram, type Program } from "../../../src/program/program.js";

/**
 * A small random program: pure or mixed, either sense, equations, ranges, groups with a fixed sum, free columns,
 * fractions. Most rows leave a hidden point feasible; some programs are infeasible all the same.
 */
export function randomProgram(seed: number): Program {
  const random = seededRandom(seed);
  const chance = (share: number) => random.next() < share;
  const integer = (from: number, to: number) => Rational.of(BigInt(from + random.integer(to - from + 1)));
  const number = (from: number, to: number) =>
    chance(0.15) ? integer(from, to).divide(integer(2, 5)) : integer(from, to);
  const pure = chance(0.5);
  const groups = chance(0.4) ? 2 : 0;
  const count = groups * 3 + 2 + random.integer(5);
  const columns = Array.from({ length: count }, (_, j) => {
    const bounded = j < groups * 3 || chance(0.75);
    const lower = bounded || chance(0.5) ? number(-3, 2) : null;
    const upper = bounded && lower !== null ? lower.add(number(1, 8)) : null;
    return { name: `x${j}`, lower, upper, integer: pure || j < groups * 3 || chance(0.6) };
  });
  const hidden = columns.map(({ lower, upper }) => {
    const most = upper === null ? 4 : Math.max(0, Math.floor(upper.subtract(lower ?? upper).toNumber()) - 1);
    return Rational.of((lower ?? Rational.of(-2n)).ceil()).add(integer(0, most));
  });
  const rows = Array.from({ length: 2 + random.integer(3) }, (_, r) => {
    const form = linearForm(columns.flatMap((_, j) => (chance(0.75) ? [[j, number(-7, 12)] as const] : [])));
    const at = formValue(form, hidden).add(chance(0.08) ? integer(-40, 40) : Rational.zero);
    const kind = random.integer(5);
    if (kind === 0) return { name: `r${r}`, form, lower: at, upper: at };
    const lower = kind < 3 ? at.subtract(number(0, 5)) : null;
    return { name: `r${r}`, form, lower, upper: kind < 2 || lower === null ? at.add(number(0, 9)) : null };
  });
  for (let g = 0; g < groups; g++) {
    const form = linearForm([0, 1, 2].map((k) => [g * 3 + k, Rational.one] as const));
    const total = formValue(form, hidden);
    rows.push({ name: `group ${g}`, form, lower: total, upper: total });
  }
  // Bounds what is free, so that most programs have an optimum.
  const box = linearForm(columns.map((_, j) => [j, integer(1, 3)] as const));
  rows.push({ name: "box", form: box, lower: Rational.of(-60n), upper: Rational.of(60n) });
  return makeProgram({
    columns,
    rows,
    objective: {
      sense: chance(0.5) ? "minimize" : "maximize",
      form: linearForm(columns.flatMap((_, j) => (chance(0.85) ? [[j, number(-9, 9)] as const] : []))),
      constant: chance(0.3) ? number(-5, 5) : Rational.zero,
    },
  });
}
