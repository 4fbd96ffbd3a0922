import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { coefficientAt, type Program } from "../../src/program/program.js";
import { PROGRAM_ENDING, readModel } from "../../src/program/read-program.js";
import { DIALECTS } from "../../src/program/reading/dialect.js";
import { readFileBy } from "../../src/solvers/reading/read-file.js";
import { SolverError } from "../../src/solvers/solver-error.js";
import { someOf } from "../support/draws.js";

/**
 * 83 small files and what five readers make of each: `readers-cases/cases.json`, see the README there. Ours reads every
 * one as it says, with a note wherever another reader takes another program without an error.
 */
const FOLDER = "test/conformance/readers-cases";

/** A program as the file has it: bounds are numbers, or "-inf" and "inf". */
interface Entry {
  readonly error?: string;
  readonly sense: "min" | "max";
  readonly constant: number;
  readonly columns: Readonly<Record<string, readonly [cost: number, lower: Bound, upper: Bound, kind: string]>>;
  readonly rows: readonly (readonly [string, Bound, Bound, Readonly<Record<string, number>>])[];
}

type Bound = number | "inf" | "-inf";

type Case = Readonly<Record<string, Entry | undefined>> & {
  readonly file: string;
  readonly about: string;
  readonly shardproof: Entry;
  readonly "shardproof reads another program than": readonly string[];
};

const CASES = JSON.parse(readFileSync(`${FOLDER}/cases.json`, "utf8")) as readonly unknown[] as readonly Case[];

const textOf = (file: string) => readFileSync(`${FOLDER}/${file}`, "utf8");

function entryOf({ objective, columns, rows }: Program): Entry {
  const terms = (form: Program["objective"]["form"]) =>
    Object.fromEntries(form.columns.map((j, k) => [columns[j]?.name as string, coefficientAt(form, k).toNumber()]));
  const cost = terms(objective.form);
  return {
    sense: objective.sense === "minimize" ? "min" : "max",
    constant: objective.constant.toNumber(),
    columns: Object.fromEntries(
      columns.map(({ name, lower, upper, integer }) => [
        name,
        [cost[name] ?? 0, lower?.toNumber() ?? "-inf", upper?.toNumber() ?? "inf", integer ? "I" : "C"] as const,
      ]),
    ),
    rows: rows.map(
      ({ name, lower, upper, form }) =>
        [name, lower?.toNumber() ?? "-inf", upper?.toNumber() ?? "inf", terms(form)] as const,
    ),
  };
}

/** Rows without sides and the names of rows do not count, nor the order of columns, nor what 12 digits lose. */
function plain({ sense, constant, columns, rows }: Entry): unknown {
  const rounded = (value: Bound) => (typeof value === "string" ? value : Number(value.toPrecision(11)));
  const all = <T extends string | number>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, rounded(value as Bound)]));
  const hasCost = Object.values(columns).some(([cost]) => cost !== 0);
  return {
    sense: hasCost ? sense : "min",
    constant: rounded(constant + 0),
    columns: Object.fromEntries(
      Object.entries(columns).map(([name, [cost, lower, upper, kind]]) => [
        name,
        [rounded(cost), rounded(lower), rounded(upper), kind],
      ]),
    ),
    rows: rows
      .filter(([, lower, upper]) => lower !== "-inf" || upper !== "inf")
      .map(([, lower, upper, terms]) => [rounded(lower), rounded(upper), all(terms)]),
  };
}

describe("what other readers make of small files", () => {
  it.each(CASES)("$file: $about", ({ file, shardproof, "shardproof reads another program than": others }) => {
    const read = () => readModel(textOf(file), file);
    if (shardproof.error !== undefined) {
      expect(read).toThrow(/^[^:]+:\d+:\d+: expected .+, found .+[;,:]/);
      return;
    }
    const { program, notes } = read();
    const { sense, constant, columns, rows } = shardproof;
    expect(entryOf(program)).toEqual({ sense, constant, columns, rows });
    if (others.length > 0) expect(notes, `${others} take another program`).not.toEqual([]);
    for (const { line, text } of notes) {
      expect(line).toBeLessThanOrEqual(textOf(file).split("\n").length);
      expect(text.length).toBeGreaterThan(20);
    }
  });
});

/** Columns of one name, a column without entries that is not written, semi-continuous ones. */
const BEYOND = new Set(["q11-split.mps", "m01-unknown-col.mps", "q09-sc.mps", "q09-sc0.mps", "q23-semi.lp"]);

/** What a program cannot say: these, and numbers that are none. */
function isBeyond(file: string, { constant, columns, rows }: Entry): boolean {
  const numbers = [
    constant,
    ...Object.values(columns).map(([cost]) => cost),
    ...rows.flatMap((row) => Object.values(row[3])),
  ];
  const isSemi = Object.values(columns).some(([, , , kind]) => kind.startsWith("S"));
  return isSemi || !numbers.every(Number.isFinite) || BEYOND.has(file);
}

const READERS = [
  ["highs", "highs", "highs"],
  ["native:glpsol", "glpk", "glpk"],
  ["native:cbc", "cbc", "cbc"],
  ["native:lp_solve", "lp_solve", "lp_solve"],
] as const;

describe.each(READERS)("%s reads the same files", (reader, name) => {
  // A process for each file: some, which every commit takes others of.
  it.for(reader.startsWith("native:") ? someOf(CASES, 12) : CASES)("$file", async ({ file, ...entries }, context) => {
    const entry = entries[name];
    const format = file.endsWith(".lp") ? "lp" : "mps";
    // lp_solve's LP is a format of its own.
    if (entry === undefined || (name === "lp_solve" && format === "lp"))
      return context.skip("not a format of this reader");
    const read = await readFileBy(reader, textOf(file), format).catch((error: unknown) => {
      if (error instanceof SolverError) return error;
      throw error;
    });
    if (read instanceof SolverError && read.kind === "missing") return context.skip(read.message);
    if (entry.error === undefined && isBeyond(file, entry)) return context.skip("a program cannot say this");
    if (entry.error !== undefined) expect(read, JSON.stringify(read)).toBeInstanceOf(SolverError);
    else expect(read instanceof SolverError ? read.message : plain(entryOf(read))).toEqual(plain(entry));
  });
});

/** What is an accident of a reader and no rule: a dialect does not follow it. */
const ACCIDENTS: Readonly<Record<string, readonly string[]>> = {
  highs: [
    ...["q05-E-before-rhs.mps", "q06-secondN-rhs.mps", "m05-set-is-column.mps", "m05-set-is-row.mps"],
    ...["q14-const-left2.lp", "m41-dupobj-split.lp", "m40-name-inf1.lp", "m40-name-nano.lp", "q22-sense-maximise.lp"],
  ],
  cbc: [
    ...["m43-G-range-1e20.mps", "m07-noname.mps", "q18-const-first.lp", "q19-up-then-free.lp", "q21-2x.lp"],
    ...["q21-slash.lp", "q24-1e+2x.lp", "q24-3.x.lp"],
  ],
  lp_solve: ["m07-norhs.mps", "m57-digits.mps"],
  scip: ["q12-rhs-D3.mps", "q19-up-then-free.lp", "q22-sense-maximise.lp", "q24-3.x.lp"],
};

describe.each(DIALECTS.slice(1))("--dialect %s", (dialect) => {
  const alike = CASES.filter(({ file, [dialect]: entry, shardproof }) => {
    if (entry === undefined || entry.error !== undefined || (dialect === "lp_solve" && file.endsWith(".lp")))
      return false;
    // What is refused by default may be taken by a rule of the dialect.
    const isRule = /two-sets|two-rhs|up-3|ui-3/.test(file);
    return (shardproof.error === undefined || (isRule && dialect !== "glpk")) && !ACCIDENTS[dialect]?.includes(file);
  });
  it.each(alike)("reads $file as its reader", ({ file, [dialect]: entry }) => {
    const { program } = readModel(textOf(file), file, undefined, { dialect });
    expect(plain(entryOf(program))).toEqual(plain(entry as Entry));
  });
});

describe("shipped programs", () => {
  /** GLPK 5.0 ends e226 at −25.86, its constant being of the other sign; lp_solve 5.5.2 has small_mip's integers beyond 1. */
  const NOTED: Readonly<Record<string, readonly string[]>> = {
    "public-programs/e226.mps": ["objective-constant"],
    "public-programs/small_mip.mps": ["integer-default-bounds"],
  };

  const files = ["programs", "public-programs"].flatMap((folder) =>
    readdirSync(`instances/${folder}`)
      .filter((file) => PROGRAM_ENDING.test(file))
      .map((file) => `${folder}/${file}`),
  );

  it.each(files)("%s gives no note but where readers differ", (file) => {
    const { notes } = readModel(readFileSync(`instances/${file}`, "utf8"), file);
    expect(notes.map(({ code }) => code)).toEqual(NOTED[file] ?? []);
  });
});
