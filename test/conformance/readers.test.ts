import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/exact/random.js";
import type { Rational } from "../../src/exact/rational.js";
import { coefficientAt, type Program } from "../../src/program/program.js";
import { readModel, readProgram } from "../../src/program/read-program.js";
import { newHighs } from "../../src/solvers/highs-module.js";
import { type Dialect, lpText, mpsText, randomModel } from "../support/written-models.js";

/**
 * What HiGHS's readers and ours both take is the same program. HiGHS's are wrong, or refuse what we read, in a few places
 * that the texts here keep away from: a constant on the left side of a row of LP is lost, a row with two sides ends the
 * module, ranges need a set name, and RANGES has to come after RHS.
 */
let highs: Awaited<ReturnType<typeof newHighs>>;

beforeAll(async () => {
  highs = await newHighs();
});

/** A program in doubles, columns by name, rows in order without those that have no sides. */
interface Plain {
  readonly sense: string;
  readonly offset: number;
  readonly columns: Readonly<Record<string, readonly [cost: number, lower: number, upper: number, integer: boolean]>>;
  readonly rows: readonly (readonly [lower: number, upper: number, terms: Readonly<Record<string, number>>])[];
}

function byHighs(format: "mps" | "lp", data: string): Plain {
  const model = highs.createModel();
  try {
    model.options.set("output_flag", false);
    model.readModel({ format, data });
    return plainOfHighs(model);
  } finally {
    model.dispose();
  }
}

function plainOfHighs(model: ReturnType<typeof highs.createModel>): Plain {
  const read = model.getModel("csr");
  const names = Array.from({ length: read.numCols }, (_, j) => model.getColName(j));
  const { starts, indices, values } = read.matrix;
  const rows = Array.from({ length: read.numRows }, (_, i) => {
    const terms: Record<string, number> = {};
    for (let k = starts[i] as number; k < (starts[i + 1] ?? indices.length); k++) {
      terms[names[indices[k] as number] as string] = values[k] as number;
    }
    return [finite(read.rowLower[i]), finite(read.rowUpper[i]), terms] as const;
  });
  const column = (j: number) =>
    [read.colCost[j], finite(read.colLower[j]), finite(read.colUpper[j]), read.integrality[j] === 1] as const;
  return {
    sense: String(read.sense) === "maximize" || Number(read.sense) === -1 ? "maximize" : "minimize",
    offset: read.offset + 0,
    columns: Object.fromEntries(names.map((name, j) => [name, column(j) as Plain["columns"][string]])),
    rows: rows.filter(([lower, upper]) => lower > Number.NEGATIVE_INFINITY || upper < Number.POSITIVE_INFINITY),
  };
}

function plainOf({ objective, columns, rows }: Program): Plain {
  const termsOf = (form: Program["objective"]["form"]) =>
    Object.fromEntries(form.columns.map((j, k) => [columns[j]?.name as string, coefficientAt(form, k).toNumber()]));
  const cost = termsOf(objective.form);
  const side = (value: Rational | null, none: number) => (value === null ? none : finite(value.toNumber()));
  return {
    sense: objective.sense,
    offset: objective.constant.toNumber(),
    columns: Object.fromEntries(
      columns.map(({ name, lower, upper, integer }) => [
        name,
        [
          cost[name] ?? 0,
          side(lower, Number.NEGATIVE_INFINITY),
          side(upper, Number.POSITIVE_INFINITY),
          integer,
        ] as const,
      ]),
    ),
    rows: rows
      .filter(({ lower, upper }) => lower !== null || upper !== null)
      .map(({ lower, upper, form }) => [
        side(lower, Number.NEGATIVE_INFINITY),
        side(upper, Number.POSITIVE_INFINITY),
        termsOf(form),
      ]),
  };
}

/** From 1e20 on HiGHS means infinity. */
function finite(value: number | undefined): number {
  if (value === undefined) return Number.NaN;
  return Math.abs(value) >= 1e20 ? Math.sign(value) * Number.POSITIVE_INFINITY : value + 0;
}

describe("HiGHS's readers and ours take texts for the same program", () => {
  const files = ["instances/programs", "instances/public-programs"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(mps|lp)$/.test(name))
      .map((name) => join(folder, name)),
  );
  it.each(files)("the file %s", (name) => {
    const text = readFileSync(name, "utf8");
    expect(plainOf(readProgram(text, name))).toEqual(byHighs(name.endsWith(".lp") ? "lp" : "mps", text));
  });

  it.each(["plain", "spread", "unnamed", "starred"] as const)("random MPS, %s", (dialect: Dialect) => {
    const next = seededRandom(7);
    for (let run = 0; run < 120; run++) {
      const text = mpsText(randomModel(next), dialect, next);
      expect(plainOf(readProgram(text, "m.mps")), text).toEqual(byHighs("mps", text));
    }
  });

  it("random LP, on lines and on one line", () => {
    const next = seededRandom(11);
    for (let run = 0; run < 300; run++) {
      const text = lpText(randomModel(next), next, run % 2 === 1);
      expect(plainOf(readProgram(text, "m.lp")), text).toEqual(byHighs("lp", text));
    }
  });

  it("whatever HiGHS writes, its empty sections among it", () => {
    const next = seededRandom(13);
    for (let run = 0; run < 120; run++) {
      const model = highs.createModel();
      model.options.set("output_flag", false);
      model.readModel({ format: "mps", data: mpsText(randomModel(next), "plain", next) });
      // Not what it read: HiGHS forgets that fixed columns are integer, and a row with two sides is two rows in LP.
      const lp = model.exportModel("lp");
      const mps = new TextDecoder().decode(model.exportModel("mps"));
      expect(plainOf(readProgram(mps, "m.mps")), mps).toEqual(byHighs("mps", mps));
      expect(plainOf(readProgram(lp, "m.lp")), lp).toEqual(byHighs("lp", lp));
      model.dispose();
    }
  });
});

describe("files that were read wrongly, or refused", () => {
  const STARRED = `NAME
ROWS
 N cost
 G r1
COLUMNS
 x cost 1 r1 1
RHS
    *RHS* r1 3
ENDATA
`;

  it("an indented name that begins with * is no comment", () => {
    const program = readProgram(STARRED, "m.mps");
    expect(program.rows[0]?.lower?.toString()).toBe("3");
    expect(plainOf(program)).toEqual(byHighs("mps", STARRED));
    const column = STARRED.replace(" x cost", " *y cost 2 r1 5\n x cost");
    expect(readProgram(column, "m.mps").columns.map(({ name }) => name)).toEqual(["*y", "x"]);
    expect(plainOf(readProgram(column, "m.mps"))).toEqual(byHighs("mps", column));
  });

  // From HiGHS's check/instances (MIT): fixed-binary.lp, 1449a.lp with its missing End, 1451.lp.
  it("an empty section of semi-continuous variables", () => {
    const text =
      "\\ File written by HiGHS .lp file handler\nmin\n obj: -1 x1 \nst\nbounds\n x1 = 0\nbin\n x1\ngen\nsemi\nend\n";
    expect(plainOf(readProgram(text, "m.lp"))).toEqual(byHighs("lp", text));
  });

  it("a program on one line", () => {
    const text = "Minimize a subject to a >= 1 bounds a <= 4 end";
    expect(plainOf(readProgram(text, "m.lp"))).toMatchObject({
      columns: { a: [1, 0, 4, false] },
      rows: [[1, Number.POSITIVE_INFINITY, { a: 1 }]],
    });
    expect(() => readProgram("Minimize a subject to a >= 1", "m.lp")).toThrow(
      /^m.lp:1:29: expected a section header or End/,
    );
  });

  it("a constant on the left side, which HiGHS's reader loses", () => {
    const text = "Minimize\n x\nSubject to\n end: x - 1 >= 2\nInteger\n x\nEnd\n";
    expect(readProgram(text, "m.lp").rows[0]?.lower?.toString()).toBe("3");
  });

  it.each([
    ["min\n x\nst\n c: x + 2 bin >= 1\nend\n", '"bin", which may be either here'],
    ["min\n x + end\nst\n c: x >= 1 end", '"end", which may be either here'],
    ["min\n x\nst\n c: b = 1 -> x >= 2\nend\n", "indicator constraints are not supported"],
    ["min\n x\nst\n c: x >= 1\nsos\n s1: S1 :: x:1\nend\n", 'found "sos", which is not supported'],
    ["min\n x\nst\n c: x >= 1\nsemi-continuous\n x\nend\n", 'found "semi-continuous", which is not supported'],
    ["min\n [ x ^ 2 ] / 2\nst\n c: x >= 1\nend\n", "quadratic terms"],
    ["min\n x\nst\n c: 9/10 x >= 1\nend\n", "fractions"],
  ])("LP %j is refused with its place", (text, said) => {
    expect(() => readProgram(text, "m.lp")).toThrow(new RegExp(`^m\\.lp:\\d+:\\d+: .*${said.replace(/[()"]/g, ".")}`));
  });

  const parts = (change: (text: string) => string) => readModel(change(STARRED), "m.mps");

  it("what is skipped is told with its line", () => {
    const told = (change: (text: string) => string) => parts(change).notes.map(({ code, line }) => `${code} ${line}`);
    expect(told((text) => text)).toEqual([]);
    expect(told((text) => `${text}IMPORTANCES\nx 2\n`)).toEqual(["lines-after-end 9"]);
    expect(told((text) => text.replace("ENDATA", "PRIORITY\n x 2\nENDATA"))).toEqual(["section-skipped 9"]);
    expect(told((text) => text.replace("    *RHS* r1 3\n", ""))).toEqual(["empty-rhs 7"]);
    expect(parts((text) => text.replace(" x cost", " M 'MARKER' 'INTORG'\n x cost"))).toMatchObject({
      program: { columns: [{ integer: true, upper: { numerator: 1n } }] },
      notes: [
        { code: "marker-open", line: 6 },
        { code: "integer-default-bounds", line: 7 },
      ],
    });
  });

  it("comments behind fields, but names that begin like them are names", () => {
    const text = `NAME Comment
ROWS
 N  COST $Comment
 G  R0 *Comment
 G  $R1
COLUMNS
    C0        R0            1.0        $R1       -1.0 $Comment
    C0        COST          1.0 $ R0 5
    C1        R0            1.0 * Comment
RHS  $ Comment
    DEMANDS   R0            1.0        $R1       -2.0 $Comment
    DEMANDS   COST          3.0 *
BOUNDS
 UP SERVINGS  C0            1.0 $Comment
ENDATA
`;
    const plain = text.replace(/ (\$ ?|\*)(Comment| R0 5)?$/gm, "").replace("RHS  $ Comment", "RHS");
    expect(readProgram(text, "m.mps")).toEqual(readProgram(plain, "m.mps"));
    expect(plainOf(readProgram(text, "m.mps"))).toEqual(byHighs("mps", plain));
  });

  it("empty sections of what is not supported pass, others are refused", () => {
    expect(parts((text) => text.replace("ENDATA", "SOS\nQUADOBJ\nENDATA")).notes).toEqual([]);
    expect(() => parts((text) => text.replace("ENDATA", "SOS\n S1 S s1\nENDATA"))).toThrow(
      /^m\.mps:9:1: .*found SOS, which is not supported/,
    );
  });
});
