import { describe, expect, it } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { nameProblem } from "../../../src/program/lp/names.js";
import { readLp } from "../../../src/program/lp/read.js";
import { writeLp } from "../../../src/program/lp/write.js";
import { readMps } from "../../../src/program/mps/read.js";
import { writeMps } from "../../../src/program/mps/write.js";
import { linearForm, makeProgram } from "../../../src/program/program.js";

const rational = (text: string) => Rational.parse(text);
const form = (...coefficients: string[]) =>
  linearForm(coefficients.map((text, column) => [column, rational(text)] as const));

const EVERYTHING = makeProgram({
  name: "every kind",
  columns: [
    { name: "a", lower: rational("0"), upper: null, integer: false },
    { name: "b", lower: rational("0"), upper: rational("1"), integer: true },
    { name: "c", lower: rational("0"), upper: null, integer: true },
    { name: "d", lower: null, upper: rational("-3/2"), integer: false },
    { name: "k", lower: null, upper: null, integer: false },
    { name: "f", lower: rational("-1"), upper: rational("1/3"), integer: false },
    { name: "g", lower: rational("7"), upper: rational("7"), integer: false },
    { name: "h", lower: rational("0"), upper: rational("-1"), integer: false },
  ],
  rows: [
    { name: "le", form: form("1", "-0.1"), lower: null, upper: rational("4") },
    { name: "ge", form: form("2", "0", "1e-20"), lower: rational("-4"), upper: null },
    { name: "eq", form: form("1/3", "1/2"), lower: rational("1/7"), upper: rational("1/7") },
    { name: "range", form: form("1"), lower: rational("-1"), upper: rational("2.5") },
    { name: "crossed", form: form("0", "1"), lower: rational("2"), upper: rational("1") },
    { name: "loose", form: form("1", "1"), lower: null, upper: null },
    { name: "empty", form: form(), lower: rational("0"), upper: null },
  ],
  objective: { name: "cost", sense: "maximize", form: form("1/3", "0", "-1"), constant: rational("5") },
});

describe("writeMps", () => {
  it("writes every kind of row and bound", () => {
    expect(writeMps(EVERYTHING)).toBe(`* shardproof scale cost 1/3
* shardproof scale eq 1/42
* shardproof join crossed crossed_upper
* shardproof bound upper f 1/3
* shardproof name "every kind"
NAME MODEL FREE
OBJSENSE
    MAX
ROWS
 N  cost
 L  le
 G  ge
 E  eq
 L  range
 G  crossed
 L  crossed_upper
 N  loose
 G  empty
COLUMNS
    a  cost  1
    a  le  1
    a  ge  2
    a  eq  14
    a  range  1
    a  loose  1
    MARKER0  'MARKER'  'INTORG'
    b  le  -0.1
    b  eq  21
    b  crossed  1
    b  crossed_upper  1
    b  loose  1
    c  cost  -3
    c  ge  1e-20
    MARKER1  'MARKER'  'INTEND'
    d  cost  0
    k  cost  0
    f  cost  0
    g  cost  0
    h  cost  0
RHS
    RHS  cost  -15
    RHS  le  4
    RHS  ge  -4
    RHS  eq  6
    RHS  range  2.5
    RHS  crossed  2
    RHS  crossed_upper  1
RANGES
    RNG  range  3.5
BOUNDS
 BV BND  b
 LO BND  c  0
 PL BND  c
 MI BND  d
 UP BND  d  -1.5
 FR BND  k
 LO BND  f  -1
 UP BND  f  0.3333333333333333333333333333333333333334
 FX BND  g  7
 LO BND  h  0
 UP BND  h  -1
ENDATA
`);
    expect(readMps(writeMps(EVERYTHING))).toEqual(EVERYTHING);
  });

  it("writes a double with all its digits", () => {
    const program = makeProgram({
      columns: [{ name: "x", lower: Rational.fromNumber(0.1), upper: null, integer: false }],
      rows: [],
    });
    expect(writeMps(program)).toContain(" LO BND  x  0.1000000000000000055511151231257827021181583404541015625\n");
  });

  it.each(["two words", "tab\tbed", "*starred", "$dollar", "'MARKER'", "line\nbreak"])(
    "replaces the name %j, which reads back",
    (name) => {
      const program = named(name);
      const text = writeMps(program);
      expect(text).toContain(`* shardproof rename column x_`);
      expect(text.replace(/^\*.*$/gm, "")).not.toContain(name);
      expect(readMps(text)).toEqual(program);
    },
  );
});

/** A column and a row of this name, and a column that has the name that would replace it. */
function named(name: string) {
  const columns = [name, `x_${name.replace(/\W/g, "_").slice(0, 90)}`].map((name) => {
    return { name, lower: null, upper: rational("4"), integer: false };
  });
  const row = { name, form: form("1", "1"), lower: rational("1"), upper: rational("2") };
  return makeProgram({ columns, rows: [row], objective: { form: form("2") } });
}

describe("writeLp", () => {
  it("writes every kind of row and bound", () => {
    expect(writeLp(EVERYTHING)).toBe(`\\ shardproof scale cost 1/3
\\ shardproof scale eq 1/42
\\ shardproof join range range_upper
\\ shardproof join crossed crossed_upper
\\ shardproof bound upper f 1/3
\\ shardproof name "every kind"
Maximize
 cost: a + 0 b - 3 c + 0 d + 0 k + 0 f + 0 g + 0 h + 15
Subject To
 le: a - 0.1 b <= 4
 ge: 2 a + 1e-20 c >= -4
 eq: 14 a + 21 b = 6
 range: a >= -1
 range_upper: a <= 2.5
 crossed: b >= 2
 crossed_upper: b <= 1
 loose: a + b >= -inf
 empty: 0 a >= 0
Bounds
 -inf <= d <= -1.5
 k free
 -1 <= f <= 0.3333333333333333333333333333333333333334
 g = 7
 0 <= h <= -1
Generals
 c
Binaries
 b
End
`);
    expect(readLp(writeLp(EVERYTHING))).toEqual(EVERYTHING);
  });

  it("breaks long lines and reads them back", () => {
    const columns = Array.from({ length: 100 }, (_, index) => ({
      name: `column_${index}`,
      lower: Rational.zero,
      upper: null,
      integer: false,
    }));
    const wide = form(...columns.map((_, index) => `${index % 2 === 0 ? "-" : ""}${index + 1}.25`));
    const program = makeProgram({
      columns,
      rows: [
        { name: "first", form: wide, lower: null, upper: rational("1") },
        { name: "second", form: wide, lower: rational("1"), upper: rational("2") },
        { name: "third", form: wide, lower: rational("-1"), upper: rational("-1") },
      ],
      objective: { form: wide },
    });
    const text = writeLp(program);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(140);
    expect(readLp(text)).toEqual(program);
  });

  it.each([
    ["two words", /names begin with a letter/],
    ["3x", /names begin with a letter/],
    [".x", /names begin with a letter/],
    ["x[1]", /names begin with a letter/],
    ["x-1", /names begin with a letter/],
    ["x:1", /names begin with a letter/],
    ["é", /names begin with a letter/],
    ["e9", /reads like a number's exponent/],
    ["E", /reads like a number's exponent/],
    ["Free", /keyword/],
    ["infinity", /keyword/],
    ["ST", /keyword/],
    ["st.", /keyword/],
    ["Binary", /keyword/],
    ["end", /keyword/],
    ["x".repeat(101), /at most 100 characters/],
    ["inflow", /HiGHS takes its beginning/],
    ["NaN_1", /HiGHS takes its beginning/],
    ["x/y", /HiGHS and CBC do not read/],
    ["x|y", /HiGHS and CBC do not read/],
  ])("replaces the name %j, which reads back", (name, message) => {
    expect(nameProblem(name)).toMatch(message);
    const program = named(name);
    const text = writeLp(program);
    expect(text).toContain(`rename row r_${name.replace(/\W/g, "_").slice(0, 90)} ${JSON.stringify(name)}`);
    const written = readLp(text.replace(/^\\.*$/gm, ""));
    for (const { name } of [...written.columns, ...written.rows, written.objective]) {
      expect(nameProblem(name)).toBeUndefined();
    }
    expect(readLp(text)).toEqual(program);
  });
});

describe.each([
  ["MPS", writeMps, readMps],
  ["LP", writeLp, readLp],
])("a large program as %s", (_, write, read) => {
  it("needs no more stack than a small one", () => {
    const columns = Array.from({ length: 150_000 }, (_, index) => ({
      name: `x${index}`,
      lower: Rational.one,
      upper: null,
      integer: true,
    }));
    const all = linearForm(columns.map((_, index) => [index, Rational.one] as const));
    const program = makeProgram({ columns, rows: [{ name: "all", form: all, lower: null, upper: Rational.one }] });
    const back = read(write(program));
    expect(back.columns.length).toBe(columns.length);
    expect(back.rows[0]?.form.columns.length).toBe(columns.length);
  });
});
