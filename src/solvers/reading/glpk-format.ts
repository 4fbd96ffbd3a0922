import { Rational } from "../../exact/rational.js";
import { linearForm, makeProgram, type Program } from "../../program/program.js";

/** A row or a column while the text is being read. */
interface Bounded {
  name: string;
  lower: Rational | null;
  upper: Rational | null;
  integer: boolean;
}

/** No bound, or the first number of a bound, or the second. */
const SIDES: Readonly<Record<string, readonly [lower: number | null, upper: number | null]>> = {
  f: [null, null],
  l: [0, null],
  u: [null, 0],
  d: [0, 1],
  s: [0, 0],
};

/**
 * A program in GLPK's own format, as `glpsol --wglp` writes it (GLPK reference manual, glp_write_prob): lines `p` (sense,
 * sizes), `i` and `j` (bounds), `a` (coefficients; row 0 is the objective, column 0 its constant), `n` (names). It says
 * every number with 15 digits, the sense and the constant, which GLPK's MPS does not.
 */
export function readGlpkFormat(text: string): Program {
  const rows = new Map<string, Bounded>();
  const columns = new Map<string, Bounded>();
  const terms = new Map<string, [number, Rational][]>();
  let sense: "minimize" | "maximize" = "minimize";
  let constant = Rational.zero;
  const number = (field: string | undefined) => Rational.parse(field ?? "0");
  for (const line of text.split("\n")) {
    const [kind, first = "", second = "", ...rest] = line.split(" ");
    if (kind === "p") {
      if (second === "max") sense = "maximize";
      const isMixed = first === "mip";
      for (let i = 1; i <= Number(rest[0]); i++) {
        rows.set(String(i), { name: `row ${i}`, lower: Rational.zero, upper: Rational.zero, integer: false });
      }
      // What is left out: columns of a mixed program are binary, those of a linear one at least 0.
      for (let j = 1; j <= Number(rest[1]); j++) {
        const upper = isMixed ? Rational.one : null;
        columns.set(String(j), { name: `column ${j}`, lower: Rational.zero, upper, integer: isMixed });
      }
    } else if (kind === "i" || kind === "j") {
      const bounded = (kind === "i" ? rows : columns).get(first);
      const fields = [second, ...rest];
      if (bounded === undefined) continue;
      bounded.integer = kind === "j" && second === "i";
      if (kind === "j" && /^[ci]$/.test(second)) fields.shift();
      const sides = SIDES[fields[0] ?? ""];
      if (sides === undefined) continue;
      const [lower, upper] = sides;
      bounded.lower = lower === null ? null : number(fields[1 + lower]);
      bounded.upper = upper === null ? null : number(fields[1 + upper]);
    } else if (kind === "a") {
      const value = number(rest[0]);
      if (first === "0" && second === "0") constant = value;
      else terms.set(first, [...(terms.get(first) ?? []), [Number(second) - 1, value]]);
    } else if (kind === "n" && (first === "i" || first === "j")) {
      const named = (first === "i" ? rows : columns).get(second);
      if (named) named.name = rest.join(" ");
    }
  }
  return makeProgram({
    columns: [...columns.values()],
    rows: [...rows].map(([index, { name, lower, upper }]) => {
      return { name, lower, upper, form: linearForm(terms.get(index) ?? []) };
    }),
    objective: { sense, form: linearForm(terms.get("0") ?? []), constant },
  });
}
