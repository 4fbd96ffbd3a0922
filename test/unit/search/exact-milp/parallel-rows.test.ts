import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../src/exact/random.js";
import { readLp } from "../../../../src/program/lp/read.js";
import { viewOf } from "../../../../src/proof/kernel/view.js";
import { crossedRows } from "../../../../src/search/exact-milp/parallel-rows.js";
import { solveExactly } from "../../../../src/search/exact-milp/solve-exactly.js";

const program = (rows: string, kinds = "Generals\n x y z\n") =>
  readLp(
    `Minimize\n obj: x + y + z\nSubject To\n${rows}\nBounds\n x <= 100000\n y <= 100000\n z <= 100000\n${kinds}End\n`,
  );

describe("rows that are multiples of each other", () => {
  it.each([
    ["no integer between them", " a: 3 x + 5 y + 7 z >= 1000.2\n b: 6 x + 10 y + 14 z <= 2001.8"],
    ["of other signs", " a: 15 x - 35 y + 21 z >= 1.5\n b: -30 x + 70 y - 42 z >= -3.5"],
    ["fractions", " a: 1.5 x - 3.5 y + 2.1 z >= 0.15\n b: 3 x - 7 y + 4.2 z <= 0.39"],
    [
      "one apart, beyond what doubles tell",
      " a: 1234567890123 x + 5432109876543 y + 7 z >= 98765432109876543211\n b: 1234567890123 x + 5432109876543 y + 7 z <= 98765432109876543210",
    ],
    ["an equation between", " a: 2 x + 4 y + 6 z = 10\n b: x + 2 y + 3 z >= 5.5"],
  ])("%s: infeasible at once, with a proof", async (_, rows) => {
    const { verdict, nodes, certificate } = await solveExactly(program(rows), { timeLimitSeconds: 20 });
    expect([verdict?.status, nodes]).toEqual(["infeasible", 1]);
    expect(certificate?.steps).toHaveLength(1);
  });

  it.each([20, 34])(
    "a strip between two that is an equation of %i bits ends as one, in a reduced basis",
    async (bits) => {
      const random = seededRandom(bits);
      const digits = 2 ** (bits / 2);
      const weights = Array.from(
        { length: 8 },
        () => (1 + random.integer(digits)) * digits + 2 * random.integer(digits / 2) + 1,
      );
      const side = weights.reduce((sum, weight) => sum + weight * random.integer(6), 0);
      const row = (factor: number) => weights.map((weight, j) => `${factor * weight} x${j}`).join(" + ");
      const names = weights.map((_, j) => `x${j}`);
      const strip = readLp(
        `Minimize\n obj: ${names.map((name, j) => `${j + 1} ${name}`).join(" + ")}\nSubject To\n a: ${row(6)} >= ${6 * side - 5}\n b: ${row(9)} <= ${9 * side + 8}\nBounds\n${names.map((name) => ` ${name} <= 5\n`).join("")}Generals\n ${names.join(" ")}\nEnd\n`,
      );
      // The clock of a busy machine is no limit here: nodes are.
      const { verdict, nodes } = await solveExactly(strip, { timeLimitSeconds: 120 });
      expect(verdict?.status).toBe("proved");
      expect(nodes).toBeLessThan(3000);
    },
  );

  it("that leave an integer are not refused, nor are continuous ones", () => {
    const crossed = (rows: string, kinds?: string) => crossedRows(viewOf(program(rows, kinds)).view);
    expect(crossed(" a: 3 x + 5 y >= 1000.2\n b: 6 x + 10 y <= 2002")).toBeNull();
    expect(crossed(" a: 3 x + 5 y >= 1000.2\n b: 6 x + 10 y <= 2001.8", "")).toBeNull();
    expect(crossed(" a: 3 x + 5 y >= 1000.2\n b: 6 x + 11 y <= 2")).toBeNull();
  });

  it("are told right of small programs drawn at random", async () => {
    const random = seededRandom(5);
    const whole = (most: number) => random.integer(most);
    for (let run = 0; run < 40; run++) {
      const [a, b] = [1 + whole(4), 1 + whole(5)];
      const [scale, low, width] = [1 + whole(3), whole(20), whole(7) / 2 - 1];
      const sign = run % 2 === 0 ? 1 : -1;
      const form = (by: number) => `${by * a} x ${by * b < 0 ? "-" : "+"} ${Math.abs(by * b)} y`;
      const side = sign * scale * (low + width);
      const rows = ` a: ${form(1)} >= ${low}\n b: ${form(sign * scale)} ${sign > 0 ? "<=" : ">="} ${side}`;
      const text = `Minimize\n obj: x\nSubject To\n${rows}\nBounds\n x <= 12\n y <= 12\nGenerals\n x y\nEnd\n`;
      const { verdict } = await solveExactly(readLp(text), { timeLimitSeconds: 10 });
      const points = Array.from({ length: 13 * 13 }, (_, k) => a * (k % 13) + b * Math.floor(k / 13));
      const isFeasible = points.some((value) => value >= low && value <= low + width);
      expect(verdict?.status === "infeasible", text).toBe(!isFeasible);
    }
  });
});
