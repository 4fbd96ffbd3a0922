import type { Random } from "../../src/exact/random.js";

/** A small program in the words of the file formats, for texts in several dialects. Numbers are quarters: sums in doubles are exact. */
export interface WrittenModel {
  readonly maximize: boolean;
  readonly constant: string;
  readonly columns: readonly {
    readonly name: string;
    readonly cost: string;
    readonly integer: boolean;
    /** One kind of bounds, see `boundLines`. */
    readonly bound: number;
    readonly low: string;
    readonly high: string;
  }[];
  readonly rows: readonly {
    readonly name: string;
    readonly sense: "L" | "G" | "E";
    readonly rhs: string;
    /** Empty: none. */
    readonly range: string;
    readonly terms: readonly (readonly [column: number, coefficient: string])[];
  }[];
}

/** How MPS is written: two entries a line and blanks, one and tabs, without names of sets, or with names that begin with *. */
export type Dialect = "plain" | "spread" | "unnamed" | "starred";

export function randomModel(random: Random): WrittenModel {
  const number = () => {
    const sign = random.next() < 0.4 ? "-" : "";
    const quarters = ["25", "5", "75"][random.integer(3)] as string;
    const texts = [
      `${1 + random.integer(20)}`,
      `${random.integer(9)}.${quarters}`,
      `${1 + random.integer(9)}e${random.integer(3)}`,
      `.${quarters}`,
    ];
    return sign + (texts[random.integer(texts.length)] as string);
  };
  const columns = Array.from({ length: 1 + random.integer(5) }, (_, j) => {
    const low = random.integer(9) - 6;
    return {
      name: `x${j}`,
      cost: random.next() < 0.3 ? "" : number(),
      integer: random.next() < 0.4,
      bound: random.integer(11),
      low: `${low}`,
      high: `${low + random.integer(6)}.5`,
    };
  });
  const rows = Array.from({ length: 1 + random.integer(4) }, (_, i) => ({
    name: `r${i}`,
    sense: (["L", "G", "E"] as const)[random.integer(3)] as "L" | "G" | "E",
    rhs: random.next() < 0.2 ? "" : number(),
    range: random.next() < 0.3 ? number() : "",
    terms: columns.flatMap((_, j) => (random.next() < 0.6 ? [[j, number()] as const] : [])),
  }));
  return { maximize: random.next() < 0.3, constant: random.next() < 0.5 ? number() : "", columns, rows };
}

export function mpsText({ maximize, constant, columns, rows }: WrittenModel, dialect: Dialect, random: Random): string {
  const star = dialect === "starred" ? "*" : "";
  const set = (name: string) => (dialect === "unnamed" ? "" : `${star}${name}${star}  `);
  // HiGHS wants a name of the set of ranges.
  const rangeSet = `${star}RNG${star}  `;
  const row = (name: string) => star + name;
  const column = (name: string) => star + name;
  const gap = dialect === "spread" ? "\t" : "  ";
  const out = ["* a comment", "NAME   model"];
  if (maximize) out.push(...(random.next() < 0.5 ? ["OBJSENSE", "    MAX"] : ["OBJSENSE", "MAXIMIZE"]));
  out.push("ROWS", ` N ${gap}${row("cost")}`);
  for (const { name, sense } of rows) out.push(` ${sense}${gap}${row(name)}`);
  if (random.next() < 0.3) out.push(` N ${gap}${row("other")}`);
  out.push("COLUMNS");
  let isInteger = false;
  const marker = (kind: string) => out.push(`    MARK  'MARKER'  '${kind}'`);
  for (const [j, { name, cost, integer }] of columns.entries()) {
    if (integer !== isInteger) marker(integer ? "INTORG" : "INTEND");
    isInteger = integer;
    const entries = rows.flatMap(({ name: own, terms }) =>
      terms.flatMap(([at, value]) => (at === j ? [`${row(own)}${gap}${value}`] : [])),
    );
    entries.push(`${row("cost")}${gap}${cost === "" ? "0" : cost}`);
    const most = dialect === "spread" ? 1 : 2;
    for (let k = 0; k < entries.length; k += most) {
      out.push(`    ${column(name)}${gap}${entries.slice(k, k + most).join(gap)}`);
    }
    if (random.next() < 0.1) out.push("", "* in between");
  }
  if (isInteger) marker("INTEND");
  out.push("RHS");
  if (constant !== "") out.push(`    ${set("RHS")}${row("cost")}${gap}${constant}`);
  for (const { name, rhs } of rows) if (rhs !== "") out.push(`    ${set("RHS")}${row(name)}${gap}${rhs}`);
  if (rows.some(({ range }) => range !== "")) out.push("RANGES");
  for (const { name, range } of rows) if (range !== "") out.push(`    ${rangeSet}${row(name)}${gap}${range}`);
  out.push("BOUNDS");
  for (const one of columns) {
    const lines = boundLines(one).map(([type, value]) =>
      ` ${type} ${set("BND")}${column(one.name)}  ${value}`.trimEnd(),
    );
    out.push(...(random.next() < 0.5 ? lines : lines.toReversed()));
  }
  out.push("ENDATA", "");
  return out.join(random.next() < 0.2 ? "\r\n" : "\n");
}

function boundLines({ bound, low, high }: WrittenModel["columns"][number]): [type: string, value: string][] {
  const kinds: [string, string][][] = [
    [],
    [["FR", ""]],
    [["MI", ""]],
    [["PL", ""]],
    [["BV", ""]],
    [["FX", high]],
    [["LO", low]],
    [["UP", "7.5"]],
    [
      ["LO", low],
      ["UP", high],
    ],
    [
      ["MI", ""],
      ["UP", low],
    ],
    [
      ["LI", low],
      ["UI", "8"],
    ],
  ];
  return kinds[bound] as [string, string][];
}

/**
 * The same in LP, as far as HiGHS's reader takes it: no ranges, nothing but a number on right sides. On one line, rows
 * have names: what follows the number on a right side belongs to it otherwise.
 */
export function lpText({ maximize, constant, columns, rows }: WrittenModel, random: Random, isOneLine = false): string {
  const pick = (...texts: string[]) => texts[random.integer(texts.length)] as string;
  const signed = (value: string) => (value.startsWith("-") ? `- ${value.slice(1)}` : `+ ${value}`);
  const sum = (terms: readonly (readonly [string, string])[]) =>
    terms.length === 0 ? "0 x0" : terms.map(([value, name]) => `${signed(value)} ${name}`).join(pick(" ", "\n   "));
  const out = [maximize ? pick("max", "Maximize", "MAXIMUM") : pick("min", "Minimize", "minimize")];
  const cost = columns.flatMap(({ cost, name }) => (cost === "" ? [] : [[cost, name] as const]));
  out.push(` ${pick("", "obj: ")}${sum(cost)}${constant === "" ? "" : ` ${signed(constant)}`}`);
  out.push(pick(isOneLine ? "SUBJECT TO" : "st", "Subject To", "s.t.", "such that"));
  const relation = { L: "<=", G: ">=", E: "=" };
  for (const { name, sense, rhs, terms } of rows) {
    const own = sum(terms.map(([j, value]) => [value, (columns[j] as { name: string }).name]));
    out.push(` ${isOneLine ? `${name}: ` : pick("", `${name}: `)}${own} ${relation[sense]} ${rhs === "" ? "0" : rhs}`);
  }
  out.push(pick("Bounds", "bound"));
  for (const { name, bound, low, high } of columns) {
    const lines = [
      "",
      `${name} free`,
      `-inf <= ${name}`,
      `${name} <= +infinity`,
      `0 <= ${name} <= 1`,
      `${name} = ${high}`,
      `${name} >= ${low}`,
      `${name} <= 7.5`,
      `${low} <= ${name} <= ${high}`,
      `${name} <= ${low}`,
      `${low} <= ${name}`,
    ];
    if (lines[bound] !== "") out.push(` ${lines[bound]}`);
  }
  const integers = columns.filter(({ integer }) => integer).map(({ name }) => name);
  out.push(
    pick("General", "gen", "Integers"),
    ...(integers.length === 0 ? [] : [` ${integers.join(pick(" ", "\n "))}`]),
  );
  if (random.next() < 0.3) out.push(pick("semi", "Semi-continuous", "bin"));
  out.push("End", "");
  return out.join(isOneLine ? " " : "\n");
}
