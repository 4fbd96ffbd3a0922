import { describe, expect, it } from "vitest";
import { readLp } from "../../../src/program/lp/read.js";
import { columnText, formText, rowText } from "./text.js";

const constraints = (text: string) => rowText(readLp(`Minimize\n obj: x + y\nSubject To\n${text}\nEnd\n`));
const bounds = (text: string) => columnText(readLp(`Minimize\n obj: x\nSubject To\n c: x >= 0\n${text}\nEnd\n`));

describe("readLp", () => {
  it("reads a whole file", () => {
    const program = readLp(`\\ the classic example
Maximize
 obj: x1 + 2 x2 + 3 x3 + x4 + 10.5
Subject To
 c1: - x1 + x2 + x3 + 10 x4 <= 20
 c2: x1 - 3 x2 + x3 <= 30
 c3: x2 - 3.5 x4 = 0
Bounds
 0 <= x1 <= 40
 2 <= x4 <= 3
Generals
 x4
End
`);
    expect(program.objective).toMatchObject({ name: "obj", sense: "maximize" });
    expect(formText(program, program.objective.form)).toBe("1 x1 + 2 x2 + 3 x3 + 1 x4");
    expect(program.objective.constant.toString()).toBe("21/2");
    expect(rowText(program)).toEqual([
      "c1: -1 x1 + 1 x2 + 1 x3 + 10 x4 in [-, 20]",
      "c2: 1 x1 + -3 x2 + 1 x3 in [-, 30]",
      "c3: 1 x2 + -7/2 x4 in [0, 0]",
    ]);
    expect(columnText(program)).toEqual(["x1 [0, 40]", "x2 [0, -]", "x3 [0, -]", "x4 [2, 3] integer"]);
  });

  it.each([
    ["minimize", "minimize"],
    ["MIN", "minimize"],
    ["Minimum", "minimize"],
    ["maximise", "maximize"],
    ["max", "maximize"],
    ["MAXIMUM", "maximize"],
  ])("reads the sense %s", (word, sense) => {
    expect(readLp(`${word} x st\nx >= 1\nend`.replace(" st", "\nst")).objective.sense).toBe(sense);
  });

  it.each(["Subject To", "subject   to", "SUCH THAT", "st", "ST", "s.t.", "st."])("reads the header %s", (header) => {
    expect(rowText(readLp(`min\nx\n${header}\nx >= 1\nend`))).toEqual(["R1: 1 x in [1, -]"]);
  });

  it("reads an objective without a name, without terms, and with a constant only", () => {
    expect(readLp("min\nst\nR1: x >= 1\nend").objective.form.columns).toEqual([]);
    expect(readLp("min\n 2 x - 5 + 3\nst\nobj: x >= 1\nend").objective).toMatchObject({ name: "obj_1" });
    expect(readLp("min\n 2 x - 5 + 3\nst\nend").objective.constant.toString()).toBe("-2");
    expect(readLp("min\n cost: 7\nend").objective).toMatchObject({ name: "cost", form: { columns: [] } });
  });

  it.each([
    ["x <= 1", "R1: 1 x in [-, 1]"],
    ["x =< 1", "R1: 1 x in [-, 1]"],
    ["x < 1", "R1: 1 x in [-, 1]"],
    ["x >= 1", "R1: 1 x in [1, -]"],
    ["x => 1", "R1: 1 x in [1, -]"],
    ["x > 1", "R1: 1 x in [1, -]"],
    ["x = -1", "R1: 1 x in [-1, -1]"],
    ["c: 5 >= x + y", "c: 1 x + 1 y in [-, 5]"],
    ["-5 <= x + y <= 10", "R1: 1 x + 1 y in [-5, 10]"],
    ["c: 10 >= x + y >= -5", "c: 1 x + 1 y in [-5, 10]"],
    ["c: -inf <= x <= 3", "c: 1 x in [-, 3]"],
    ["c: x >= -infinity", "c: 1 x in [-, -]"],
    ["c: x <= +Inf", "c: 1 x in [-, -]"],
    ["c: inf >= x", "c: 1 x in [-, -]"],
    ["x - 1 >= 2", "R1: 1 x in [3, -]"],
    ["x-1>=2", "R1: 1 x in [3, -]"],
    ["2 <= x + 3 <= 5", "R1: 1 x in [-1, 2]"],
    ["x + 3 >= 2 y - 4 + x", "R1: -2 y in [-7, -]"],
    ["3 + 1 <= y + 1", "R1: 1 y in [3, -]"],
    ["3x + 0.1y <= 1", "R1: 3 x + 1/10 y in [-, 1]"],
    ["+ - 2 x - - y <= 1", "R1: -2 x + 1 y in [-, 1]"],
    ["2e3 x + 1.5E-2 y + .5 e3 + 2. z <= 1", "R1: 2000 x + 3/200 y + 1/2 e3 + 2 z in [-, 1]"],
    ["x + x + y - y <= 1", "R1: 2 x in [-, 1]"],
    ["0 x >= 2", "R1:  in [2, -]"],
    ["c: 0 <= 5", "c:  in [-, 5]"],
    ["c: x\n + 2\n y\n >=\n 2", "c: 1 x + 2 y in [2, -]"],
    ["c: 1 <= x\n + y\n <= 5", "c: 1 x + 1 y in [1, 5]"],
  ])("reads the constraint %j", (text, expected) => {
    expect(constraints(text)).toEqual([expected]);
  });

  it("ends a constant right side at its line, whatever the next line begins with", () => {
    expect(constraints("x >= 1\n- x + y <= 3\n2 x <= 4\ny = 5\nlast: y >= 0 named: x <= 2")).toEqual([
      "R1: 1 x in [1, -]",
      "R2: -1 x + 1 y in [-, 3]",
      "R3: 2 x in [-, 4]",
      "R4: 1 y in [5, 5]",
      "last: 1 y in [0, -]",
      "named: 1 x in [-, 2]",
    ]);
  });

  it("gives unnamed constraints names that are not taken", () => {
    expect(constraints("x >= 1\nR1: x >= 2\nst: x >= 3\nx >= 4").map((text) => text.split(":")[0])).toEqual([
      "R1_1",
      "R1",
      "st",
      "R4",
    ]);
  });

  it("orders columns by first appearance, in Bounds and Generals too", () => {
    const program = readLp("min\n 0 b + c\nst\n a + b >= 1\nbounds\n d <= 4\ngenerals\n e\nend");
    expect(columnText(program)).toEqual(["b [0, -]", "c [0, -]", "a [0, -]", "d [0, 4]", "e [0, -] integer"]);
    expect(formText(program, program.objective.form)).toBe("1 c");
  });

  it.each([
    ["bounds\n x >= 1", "x [1, -]"],
    ["bounds\n x <= 4", "x [0, 4]"],
    ["bound\n x <= -4", "x [0, -4]"],
    ["bounds\n -inf <= x <= -4", "x [-, -4]"],
    ["bounds\n 1 <= x", "x [1, -]"],
    ["bounds\n 4 >= x >= -1", "x [-1, 4]"],
    ["bounds\n 1 <= x <= 4", "x [1, 4]"],
    ["bounds\n x = 3.5", "x [7/2, 7/2]"],
    ["bounds\n 3 = x", "x [3, 3]"],
    ["bounds\n x FREE", "x [-, -]"],
    ["bounds\n -infinity <= x", "x [-, -]"],
    ["bounds\n x <= 1e30", "x [0, -]"],
    ["bounds\n x >= 1\n x >= 2\n x <= 9", "x [2, 9]"],
    ["generals\n x", "x [0, -] integer"],
    ["GENERAL\n x", "x [0, -] integer"],
    ["gen x", "x [0, -] integer"],
    ["Integers\n x", "x [0, -] integer"],
    ["int\n x", "x [0, -] integer"],
    ["bounds\n x <= 4\ngenerals\n x", "x [0, 4] integer"],
    ["binaries\n x", "x [0, 1] integer"],
    ["Binary\n x", "x [0, 1] integer"],
    ["bin\n x\ngenerals\n x", "x [0, 1] integer"],
    ["bounds\n x = 1\nbinaries\n x", "x [1, 1] integer"],
  ])("reads %j", (text, expected) => {
    expect(bounds(text)).toEqual([expected]);
  });

  it("honours the comments that restore what LP cannot say", () => {
    const program = readLp(`\\ shardproof scale c 1/3
\\ shardproof join c d
\\ shardproof bound lower x -1000000000000000000000000000000
\\ shardproof name "n"
\\ other comments say nothing: shardproof scale c 1/3
min
 obj: x \\ here too
st
 c: x + 2 y >= 4
 d: x + 2 y <= 1
bounds
 x free
end`);
    expect(program.name).toBe("n");
    expect(rowText(program)).toEqual(["c: 1/3 x + 2/3 y in [4/3, 1/3]"]);
    expect(columnText(program)).toEqual(["x [-1000000000000000000000000000000, -]", "y [0, -]"]);
  });
});
