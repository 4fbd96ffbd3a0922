import { expect, test } from "vitest";
import { studyPictures, studyTiles } from "../../../src/study/page.js";
import { leadOf, pairsOf } from "../../../src/study/pairs.js";
import { type CheckedLine, rowsOf } from "../../../src/study/row.js";
import { summaries } from "../../../src/study/summary.js";
import { studyLatex } from "../../../src/study/written-tables.js";

function line(name: string, method: string, value: number | null): CheckedLine {
  const instance = { file: "instances/a.yaml", sha256: name, name, problem: "row-tiers" };
  const isExact = method === "optimal";
  return {
    line: { id: "0".repeat(64), instance, vary: {}, method, seed: 0, timeLimitSeconds: 60 },
    status: value === null ? "none" : isExact ? "proved" : "heuristic",
    ...{ value, bound: isExact ? value : null, unit: "", goal: "objective", verified: value !== null },
    exact: { value: value === null ? null : String(value), bound: isExact ? String(value) : null },
    ...{ reason: "", stopped: false, seconds: { solve: 1, prove: 1 } },
  };
}

const VALUES = {
  optimal: [10, 10, 10, 10],
  near_by: [11, 10, 12, null],
  far: [12, 10, 11, 20],
  other: [15, 15, 15, null],
} as const;

const ROWS = rowsOf(
  Object.entries(VALUES).flatMap(([method, values]) => values.map((value, k) => line(`i-${k}`, method, value))),
);

test("two methods are held beside each other on the instances that both have plans for", () => {
  const [first] = pairsOf(ROWS);
  expect(first).toMatchObject({ method: "near_by", other: "far", both: 3, wins: 1, losses: 1 });
  expect(first?.difference).toBeCloseTo(0, 12);
  expect(pairsOf(ROWS).map(({ method, other }) => `${method} ${other}`)).toEqual([
    "near_by far",
    "near_by other",
    "far other",
  ]);
  expect(leadOf("far", pairsOf(ROWS))).toBeGreaterThan(leadOf("other", pairsOf(ROWS)));
});

test("the nearest of those that find as many plans leads in pairs, whatever one instance does to its mean", () => {
  // One far miss where nobody else of two has a plan makes a mean that says nothing of the others.
  const values = { optimal: [10, 10, 10], one: [11, 30, null], two: [12, null, 10], three: [13, 13, null] } as const;
  const rows = rowsOf(
    Object.entries(values).flatMap(([method, all]) => all.map((value, k) => line(`j-${k}`, method, value))),
  );
  const nearest = (pairs: Parameters<typeof studyTiles>[1]) =>
    studyTiles(summaries(rows), pairs).find(({ name }) => name.startsWith("the heuristic with most"))?.beside;
  expect(nearest(pairsOf(rows))).toMatch(/^two/);
});

test("tables are LaTeX's, names letter by letter", () => {
  const text = studyLatex(ROWS);
  expect(text).toContain("near\\_by & 3 of 4 & 1 (25.0 \\%) &");
  expect(text).toContain("near\\_by & far & 3 & 1 & 1 & 1 &");
  expect(text.match(/\\begin\{tabular\}/g)).toHaveLength(2);
  expect(text.match(/\\end\{tabular\}/g)).toHaveLength(2);
});

test("charts are pictures of their own, with their legends and colours", async () => {
  const pictures = await studyPictures(ROWS);
  expect(pictures.map(([name]) => name)).toContain("row-tiers-profile.svg");
  for (const [name, svg] of pictures) {
    expect(svg).toMatch(/^<svg /);
    expect(svg).not.toContain("var(");
    if (name.endsWith("profile.svg")) expect(svg).toContain(">near_by<");
  }
});
