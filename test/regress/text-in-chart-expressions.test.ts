import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tradeCharts } from "../../src/problems/table-placement/report/frontier-chart.js";
import { interactionMatrix } from "../../src/problems/tower-partition/report/tower-charts.js";
import { type Chart, chartFigure } from "../../src/report/chart.js";

/*
 * An instance's unit of cost went into an expression of Vega between apostrophes: "don't" left the page without its picture, and
 * `' + (6*7) + '` was computed. Names of features with a line separator had no picture either.
 */

const HOSTILE = ["don't", "ms' + (6*7) + '", '"\\', "a\u2028b\u2029c", "a\nb", "toString", "</svg>"];

async function picture(chart: Chart | undefined): Promise<string> {
  const page = (await chartFigure(chart as Chart)).markup;
  expect(page).not.toContain("No picture");
  // What is shown and described, without the numbers and the specification below.
  return page.slice(0, page.indexOf("<details>"));
}

test("a unit is a text in the picture, whatever it holds", async () => {
  for (const unit of HOSTILE) {
    const points = [1, 2].map((most) => ({ most, value: 4 - most, bound: 1, status: "open" }));
    const trade = { first: { goal: "largest-cost", unit }, second: { goal: "largest-hbm", unit }, points };
    const [chart] = tradeCharts(trade as never, "x");
    const drawn = await picture(chart);
    expect(drawn).toMatch(/aria-label="plan: 1 [^"]+, 3"/);
    expect(drawn).not.toContain("ms42");
  }
});

test("names of features are texts in the picture, whatever they hold", async () => {
  const interaction = HOSTILE.map((_, i) => HOSTILE.map((_, j) => (i === j ? 1 : 0.5)));
  const plan = { towers: [HOSTILE], objective: { strategy: "coherent" } };
  const drawn = await picture(interactionMatrix(plan as never, { features: HOSTILE, interaction }, "x"));
  expect(drawn).toContain("ms' + (6*7) + '");
});

test("no expression holds a text between apostrophes that comes from elsewhere", () => {
  const folders = ["src/report", "src/reproduce", "src/problems"];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const charts = files.filter(
    (file) => file.endsWith(".ts") && /\b(calculate|labelExpr)\b/.test(readFileSync(file, "utf8")),
  );
  expect(charts.length).toBeGreaterThan(10);
  for (const file of charts) {
    for (const [expression] of readFileSync(file, "utf8").matchAll(/(calculate|labelExpr):\s*`.*/g)) {
      const before = expression.split("${").slice(0, -1);
      const quotes = before.map(
        (_, k) =>
          before
            .slice(0, k + 1)
            .join("")
            .split("'").length - 1,
      );
      expect([expression, ...quotes.filter((open) => open % 2 === 1)]).toEqual([expression]);
    }
  }
});
