import { expect, test } from "vitest";
import { readModel } from "../../../src/program/read-program.js";

test.each([
  ["lp_solve", "m.lp", "/* objective */\nmax: 3x + 2y - 4;\nc1: x + y <= 4;\nint y;\n", "lp_solve -S1 -parse_only"],
  ["lp_solve, no comment", "m.lp", "min: x + y;\nc1: x + y >= 2;\n", "lp_solve -S1 -parse_only"],
  ["lp_solve, no label", "m.lp", "// costs\nmin: 2a+3b;\na >= 1;\nb >= 1;\n", "lp_solve -S1 -parse_only"],
  ["max: before CPLEX's sections", "m.lp", "max: x + y\nSubject To\n c1: x + y <= 2\nEnd\n", "write Maximize"],
  ["MathProg", "m.lp", "var x >= 0;\nminimize cost: 2 * x;\ns.t. c1: x >= 1;\nend;\n", "glpsol --math"],
  ["MathProg by its sets", "m.mod", "set I;\nparam c{i in I};\nvar x{i in I} >= 0;\n", "glpsol --math"],
  ["AMPL", "m.lp", "minimize cost: x + y;\nsubject to c1: x + y >= 2;\n", "AMPL"],
  ["AMPL's .nl", "m.nl", "g3 1 1 0\t# problem m\n 2 1 1 0 0\n", "AMPL"],
  ["data", "m.dat", "data;\nset I := a b;\nend;\n", "--data"],
])("a file of another format is named, with what to do: %s", (_, file, text, advice) => {
  expect(() => readModel(text, file)).toThrow(advice);
  expect(() => readModel(text, file)).toThrow(/^m\.\w+:\d+:\d+: expected .*(this looks like|lp_solve)/s);
});

test("a mistake in a file of ours is not taken for another format", () => {
  const text = "Minimize\n obj: x + y\nSubject To\n c1: x + * y >= 2\nEnd\n";
  expect(() => readModel(text, "m.lp")).not.toThrow(/looks like/);
  expect(() => readModel(text, "m.lp")).toThrow(/m\.lp:4:10: expected a linear term/);
});
