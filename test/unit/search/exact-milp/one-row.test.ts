import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../src/exact/random.js";
import { readLp } from "../../../../src/program/lp/read.js";
import { solveOneRow } from "../../../../src/search/exact-milp/one-row.js";
import { solveExactly } from "../../../../src/search/exact-milp/solve-exactly.js";

/** The logarithms of some primes with 15 digits: points are nearer to each other than the tolerances of solvers (HiGHS, issue 2158). */
const LOGS = {
  five: ["1.584962500721156", "2.321928094887362", "2.807354922057604", "3.459431618637297", "3.700439718141092"],
  fourteen: [
    ...["1.000000000000000", "1.584962500721156", "2.321928094887362", "2.807354922057604", "3.459431618637297"],
    ...["3.700439718141092", "4.087462841250339", "4.247927513443585", "4.523561956057013", "4.857980995127572"],
    ...["4.954196310386875", "5.209453365628950", "5.357552004618084", "5.426264754702098"],
  ],
} as const;

describe("one row over general integers", () => {
  it.each([
    ["five", "39.863137138632479", "19931392437588357/500000000000000"],
    ["fourteen", "19.933009102243574", "9966476446097357/500000000000000"],
  ] as const)("logarithms of %s primes", async (name, cap, value) => {
    const form = LOGS[name].map((log, k) => `${log} x${k}`).join(" + ");
    const columns = LOGS[name].map((_, k) => `x${k}`).join(" ");
    const text = `Maximize\n obj: ${form}\nSubject To\n cap: ${form} <= ${cap}\nGenerals\n ${columns}\nEnd\n`;
    const { verdict } = await solveExactly(readLp(text), { timeLimitSeconds: 20 });
    expect([verdict?.status, verdict?.value?.toString()]).toEqual(["proved", value]);
  });

  it("is told right of small programs drawn at random", () => {
    const random = seededRandom(3);
    for (let run = 0; run < 60; run++) {
      const [a, b] = [1 + random.integer(9), 1 + random.integer(9)];
      const [p, q] = [random.integer(15) - 5, random.integer(15) - 5];
      const [low, most] = [random.integer(5) - 2, 3 + random.integer(40)];
      const signed = (value: number) => (value < 0 ? `- ${-value}` : `+ ${value}`);
      const bounds = ` ${low} <= x <= 9\n y <= 7`;
      const text = `Maximize\n obj: ${p} x ${signed(q)} y\nSubject To\n c: ${a} x + ${b} y <= ${most}.5\nBounds\n${bounds}\nGenerals\n x y\nEnd\n`;
      let best = Number.NEGATIVE_INFINITY;
      for (let x = low; x <= 9; x++)
        for (let y = 0; y <= 7; y++) if (a * x + b * y <= most) best = Math.max(best, p * x + q * y);
      const program = readLp(text);
      const answer = solveOneRow(program);
      // Without a point it is the tree that shows that there is none.
      expect(answer === null, text).toBe(best === Number.NEGATIVE_INFINITY);
      if (answer === null) continue;
      const [x, y] = answer.point.map((value) => value.toNumber()) as [number, number];
      expect(p * x + q * y, text).toBe(best);
    }
  });

  it.each([
    ["binaries", " c: 3 x + 5 y <= 6", "Binaries\n x y\n"],
    ["a continuous column", " c: 3 x + 5 y <= 60", "Generals\n x\n"],
    ["two rows", " c: 3 x + 5 y <= 60\n d: x + y <= 9", "Generals\n x y\n"],
    ["a weight below 0", " c: 3 x - 5 y <= 60", "Generals\n x y\n"],
    ["a column beside the row", " c: 3 x <= 60", "Generals\n x y\n"],
    ["a lower side", " c: 3 x + 5 y >= 60", "Generals\n x y\n"],
  ])("%s: left to the tree", (_, rows, kinds) => {
    expect(solveOneRow(readLp(`Maximize\n obj: x + y\nSubject To\n${rows}\n${kinds}End\n`))).toBeNull();
  });
});
