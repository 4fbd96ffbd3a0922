import { expect, test } from "vitest";
import { interactionMatrix } from "../../../src/problems/tower-partition/report/tower-charts.js";
import { chartFigure } from "../../../src/report/chart.js";
import { drawnTable } from "../../../src/report/section.js";

/** A hundred features in four towers, interactions drawn. */
function matrix(size: number) {
  const features = Array.from({ length: size }, (_, k) => `f${k}`);
  const interaction = features.map((_, i) => features.map((_, j) => (i === j ? 1 : ((i * j * 7919) % 1000) / 1000.1)));
  const towers = [0, 1, 2, 3].map((t) => features.filter((_, k) => k % 4 === t));
  return interactionMatrix({ towers, objective: { strategy: "coherent" } }, { features, interaction }, "plan-0");
}

test("a matrix of ten thousand cells is drawn whole, in few letters", async () => {
  const { markup } = await chartFigure(matrix(100));
  expect(markup.length).toBeLessThan(350_000);
  const cells = /<g class="mark-rect role-mark layer_0_marks">(.*?)<\/g>/.exec(markup)?.[1] ?? "";
  const shapes = [...cells.matchAll(/M[\d.]+,[\d.]+h([\d.]+)v([\d.]+)h-/g)];
  expect(cells.split("<path ").length - 1).toBe(5);
  const area = shapes.reduce((sum, [, width, height]) => sum + Number(width) * Number(height), 0);
  const [, width, height] = /class="marks"[^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(markup) ?? [];
  // Without labels the cells fill nearly all of the picture.
  expect(area / (Number(width) * Number(height))).toBeGreaterThan(0.9);
  expect(area / (Number(width) * Number(height))).toBeLessThan(1);
}, 300_000);

test("a matrix of few features has its numbers in full, and a text for every pair", async () => {
  const { markup } = await chartFigure(matrix(20));
  expect(markup.match(/aria-label="f\d+ and f\d+: /g)).toHaveLength(400);
  expect(markup).toContain(String(((1 * 2 * 7919) % 1000) / 1000.1));
}, 300_000);

test("lists that an earlier row has are not listed again, and of very many some are counted", () => {
  const most = { characters: 40, entries: 3 };
  const names = (count: number, letter: string) => Array.from({ length: count }, (_, k) => `${letter}${k}`);
  const row = (device: string, list: readonly string[]) => ({ cells: [device, { names: list, most, none: null }] });
  const { markup } = drawnTable({
    caption: "What fills every device",
    columns: [
      { head: "device", align: "r" },
      { head: "of", align: "l" },
    ],
    rows: [row("0", names(9, "a")), row("1", names(9, "b")), row("2", names(9, "a")), row("3", names(500, "c"))],
  });
  expect(markup).toContain("<summary>a0, a1, a2, … 6 more</summary>a3, a4, a5, a6, a7, a8</details>");
  expect(markup).toContain('<td class="number">2</td><td>as device 0</td>');
  expect(markup).toMatch(/… 497 more<\/summary>c3, .*c119, and 380 more<\/details>/);
});
