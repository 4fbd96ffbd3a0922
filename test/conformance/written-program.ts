import { Rational } from "../../src/exact/rational.js";
import { linearForm, makeProgram, type Program } from "../../src/program/program.js";

/** A small program as one writes it on paper. Columns appear in the order of `columns`; default bounds are [0, ∞). */
export interface Written {
  readonly minimize?: string;
  readonly maximize?: string;
  /** "x + 2 y <= 3", "1 <= x - y <= 3", "x = 4"; a side may be missing ("x + y free"). */
  readonly rows?: readonly string[];
  /** name → [lower, upper]; null is none. */
  readonly columns: Readonly<Record<string, readonly [string | null, string | null]>>;
  readonly integers?: readonly string[];
}

/** Builds the program. Throws on anything it cannot read: a misspelt case must not become another program. */
export function written({ minimize, maximize, rows = [], columns, integers = [] }: Written): Program {
  const names = Object.keys(columns);
  for (const name of integers) if (!names.includes(name)) throw new Error(`no column ${name}`);
  const terms = (text: string) => parseTerms(text, names);
  const objective = terms(minimize ?? maximize ?? "0");
  return makeProgram({
    columns: names.map((name) => {
      const [lower, upper] = columns[name] as readonly [string | null, string | null];
      return { name, lower: number(lower), upper: number(upper), integer: integers.includes(name) };
    }),
    rows: rows.map((text, i) => {
      const parts = text.split(/(<=|>=|=|free$)/).map((part) => part.trim());
      const [a, relation, b, second, c] = parts as [string, string, string, string?, string?];
      const name = `row${i}`;
      const row = (form: string, lower: string | null, upper: string | null) => {
        const { pairs, constant } = terms(form);
        if (constant.sign() !== 0) throw new Error(`a constant in row "${text}"`);
        return { name, form: linearForm(pairs), lower: number(lower), upper: number(upper) };
      };
      if (second !== undefined) {
        if (relation !== "<=" || second !== "<=" || parts.length !== 5) throw new Error(`unreadable row "${text}"`);
        return row(b, a, c as string);
      }
      if (relation === "free") return row(a, null, null);
      if (relation === "<=") return row(a, null, b);
      if (relation === ">=") return row(a, b, null);
      if (relation === "=") return row(a, b, b);
      throw new Error(`unreadable row "${text}"`);
    }),
    objective: {
      sense: maximize === undefined ? "minimize" : "maximize",
      form: linearForm(objective.pairs),
      constant: objective.constant,
    },
  });
}

function number(text: string | null): Rational | null {
  return text === null ? null : Rational.parse(text);
}

function parseTerms(text: string, names: readonly string[]): { pairs: [number, Rational][]; constant: Rational } {
  const pairs: [number, Rational][] = [];
  let constant = Rational.zero;
  const pattern = /\s*([+-])?\s*(\d[\d./]*(?:e[+-]?\d+)?)?\s*([A-Za-z_]\w*)?/y;
  while (pattern.lastIndex < text.length) {
    const [whole, sign, factor, name] = pattern.exec(text) ?? [""];
    if (whole === "" || (factor === undefined && name === undefined)) throw new Error(`unreadable form "${text}"`);
    const magnitude = Rational.parse(factor ?? "1");
    const value = sign === "-" ? magnitude.negate() : magnitude;
    if (name === undefined) constant = constant.add(value);
    else if (names.includes(name)) pairs.push([names.indexOf(name), value]);
    else throw new Error(`no column ${name} in "${text}"`);
  }
  return { pairs, constant };
}
