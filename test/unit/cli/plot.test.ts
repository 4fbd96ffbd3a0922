import { expect, test } from "vitest";
import { plot, plotColumns } from "../../../src/terminal/plot.js";
import { byteScale } from "../../../src/text/byte-scale.js";

const frame = {
  x: [0, 71] as const,
  y: [0, 19] as const,
  xLabel: (value: number) => `${value}x`,
  yLabel: (value: number) => `${value}y`,
};

test("marks stand where their points are, the last series on top, others are left out", () => {
  const lines = plot(frame, [
    {
      mark: "a",
      points: [
        [0, 19],
        [71, 0],
        [5, 10],
        [80, 3],
      ],
    },
    {
      mark: "b",
      points: [
        [5, 10],
        [0, 20],
      ],
    },
  ]).split("\n");
  expect(lines).toHaveLength(22);
  expect(lines[0]).toBe("  19y ┤a");
  expect(lines[9]).toBe("  10y ┤     b");
  expect(lines[19]).toBe(`   0y ┤${" ".repeat(71)}a`);
  expect(lines.join("").match(/[ab]/g)).toHaveLength(3);
  expect(lines[20]).toBe(`      └${"─".repeat(72)}`);
  expect(lines[21]).toMatch(/^ {7}0x +35\.5x +71x$/);
});

test("a frame without extent still has its mark", () => {
  const lines = plot({ ...frame, x: [3, 3], y: [4, 4] }, [{ mark: "o", points: [[3, 4]] }]).split("\n");
  expect(lines[19]).toBe("  4y ┤o");
  expect(plotColumns({ ...frame, x: [3, 3] })).toEqual(new Array(72).fill(3));
});

test("bytes that lie close together are told apart in one unit", () => {
  const close = byteScale(28_350_082_780, 1_400_000);
  expect(close.unit).toBe("GiB");
  expect(close.text(28_322_080_209)).not.toBe(close.text(28_323_480_209));
  const small = byteScale(900, 20);
  expect([small.text(769), small.unit]).toEqual(["769", "B"]);
  const fine = byteScale(10, 0.25);
  expect([fine.text(9.25), fine.text(9.5)]).toEqual(["9.25", "9.50"]);
});
