import { solveProgramFile } from "../../src/problems/program/solve/solve-file.js";
import { verifyProgramText } from "../../src/problems/program/verify.js";
import { readLp } from "../../src/program/lp/read.js";
import { writeLp } from "../../src/program/lp/write.js";
import { readMps } from "../../src/program/mps/read.js";
import { writeMps } from "../../src/program/mps/write.js";
import { problemSuite } from "../support/problem-suite.js";

const MODELS: Readonly<Record<string, string>> = {
  "cheapest.lp":
    "Minimize\n obj: 3 a + 5 b + 4 c + 2 y - 1\nSubject To\n r: 2 a + 3 b + 3 c + y >= 4.5\n s: 3 y <= 1\nBinaries\n a b c\nEnd\n",
  "no-point.lp":
    "Minimize\n obj: x + y\nSubject To\n r: 12 x + 18 y = 100\n s: x + z <= 4\nBounds\n x <= 9\n y <= 9\nGenerals\n x y\nEnd\n",
  "endless.lp": "Maximize\n obj: x + y\nSubject To\n r: x - y <= 3\nEnd\n",
};

const modelOf = (file: string) => readLp(MODELS[file] as string, file);

problemSuite(
  "program",
  {
    plan: async (file, options) => {
      const standardInput = async () => MODELS[file] as string;
      return (await solveProgramFile("-", { ...options, standardInput })).solution;
    },
    verify: (file, text) => verifyProgramText(text, "solution.json", async () => modelOf(file)),
    exported: async (file) => {
      const program = modelOf(file);
      return [program, readMps(writeMps(program), "exported.mps"), readLp(writeLp(program), "exported.lp")];
    },
    exportedOf: ({ status, exact }) => (status === "unbounded" ? null : exact),
  },
  [
    { file: "cheapest.lp", options: { gap: 0 }, status: "proved" },
    { file: "no-point.lp", status: "infeasible" },
    { file: "endless.lp", status: "unbounded" },
  ],
);
