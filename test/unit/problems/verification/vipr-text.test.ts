import { describe, expect, test } from "vitest";
import { verifyViprText } from "../../../../src/problems/program/verify-vipr.js";
import { readLp } from "../../../../src/program/lp/read.js";
import type { Certificate } from "../../../../src/proof/certificate.js";
import { solveExactly } from "../../../../src/search/exact-milp/solve-exactly.js";
import { writeVipr } from "../../../../src/vipr/write.js";

describe("a VIPR file beside its model", () => {
  // z ≥ 2x and z ≥ 3 − 2x make z whole at some optimum; y may be anything.
  const MODEL = `Minimize
 obj: z + y
Subject To
 a: z - 2 x >= 0
 b: z + 2 x >= 3
 c: 2 y + x >= 1
Bounds
 x <= 9
 y <= 9
Generals
 x
End
`;
  const model = readLp(MODEL, "a.lp");

  test("the same integers", async () => {
    const text = await written();
    expect(await modelCheck(text)).toEqual([true, "the file's problem is the model"]);
  });

  test("an integer more, which some optimum has whole, is named", async () => {
    const columns = model.columns.map(({ name }) => name);
    const text = (await written()).replace("INT 1\n0\n".replace("0", `${columns.indexOf("x")}`), integers("x", "z"));
    expect(await modelCheck(text)).toEqual([
      true,
      `the file's problem is the model, but for integers that the model does not ask for: "z", whole at some optimum of the model`,
    ]);
  });

  test("an integer more, or one missing, is another problem", async () => {
    const text = await written();
    const more = text.replace(integers("x"), integers("x", "y"));
    expect(await modelCheck(more)).toEqual([
      false,
      `the file's problem is not the model: "y" is an integer in the file and continuous in the model`,
    ]);
    const start = text.slice(0, text.indexOf("DER")).replace(integers("x"), "INT 0\n");
    const open = `${start.replace(/RTP range \S+/, "RTP range -inf")}DER 0\n`;
    expect(await modelCheck(open)).toEqual([
      false,
      `the file's problem is not the model: "x" is continuous in the file and an integer in the model`,
    ]);
  });

  test("a line that holds without any column is no difference", async () => {
    const empty = readLp("Minimize\n obj: 0 x\nBounds\n x free\nEnd\n", "a.lp");
    const { certificate, point } = await solveExactly(empty);
    const text = writeVipr(empty, certificate as Certificate, point);
    const { checks } = await verifyViprText(text, "a.vipr", async () => empty);
    expect(checks.map(({ passed }) => passed)).toEqual([true, true, true]);
  });

  test.each(["4 <= 0 x <= 8", "-8 <= 0 x <= -4", "0 x = 3", "0 x >= 4"])(
    "a row without any column that fails is the model's, each side by itself: %s",
    async (row) => {
      const failing = readLp(`Minimize\n obj: x\nSubject To\n r: ${row}\nBounds\n x <= 9\nEnd\n`, "a.lp");
      const { certificate, point } = await solveExactly(failing);
      const text = writeVipr(failing, certificate as Certificate, point);
      const { passed, checks } = await verifyViprText(text, "a.vipr", async () => failing);
      expect([passed, checks.at(-1)?.detail]).toEqual([true, "there is no feasible point"]);
      // Without that row there are points.
      const other = readLp("Minimize\n obj: x\nBounds\n x <= 9\nEnd\n", "a.lp");
      expect((await verifyViprText(text, "a.vipr", async () => other)).passed).toBe(false);
    },
  );

  async function written(): Promise<string> {
    const { certificate, point } = await solveExactly(model);
    return writeVipr(model, certificate as Certificate, point);
  }

  function integers(...names: string[]): string {
    const at = names.map((name) => model.columns.findIndex((column) => column.name === name)).sort((a, b) => a - b);
    return `INT ${at.length}\n${at.join(" ")}\n`;
  }

  async function modelCheck(text: string) {
    const { checks } = await verifyViprText(text, "a.vipr", async () => model);
    const { passed, detail } = checks.find(({ name }) => name === "model") ?? { passed: null, detail: checks };
    return [passed, detail];
  }
});
