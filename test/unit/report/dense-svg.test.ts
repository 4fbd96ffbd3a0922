import { expect, test } from "vitest";
import { denseSvg } from "../../../src/report/dense-svg.js";

const group = (...paths: readonly string[]) => `<g class="mark-rect role-mark">${paths.join("")}</g>`;
const cell = (x: number, y: number, fill: string, rest = "") => `<path d="M${x},${y}h4v3h-4Z" fill="${fill}"${rest}/>`;

test("cells of one colour are one path, and neighbours in a line one rectangle", () => {
  const cells = [cell(0, 0, "red"), cell(4, 0, "red"), cell(8, 0, "blue"), cell(0, 3, "red"), cell(8, 3, "red")];
  expect(denseSvg(group(...cells))).toBe(
    group(`<path d="M0,0h8v3h-8ZM0,3h4v3h-4ZM8,3h4v3h-4Z" fill="red"/>`, `<path d="M8,0h4v3h-4Z" fill="blue"/>`),
  );
});

test("marks that say something, have an edge or lie over one another stay as they are", () => {
  for (const cells of [
    [cell(0, 0, "red", ' aria-label="a"'), cell(4, 0, "blue", ' aria-label="b"')],
    [cell(0, 0, "red", ' stroke="green"'), cell(4, 0, "blue", ' stroke="green"')],
    [cell(0, 0, "red"), cell(2, 0, "blue")],
    [cell(0, 0, "red"), cell(0, 1, "blue")],
  ]) {
    expect(denseSvg(group(...cells))).toBe(group(...cells));
  }
});

test("what all marks of a group have in common is said once", () => {
  const label = (name: string) => ` stroke="white" aria-label="${name}"`;
  const shown = denseSvg(
    group(cell(0, 0, "red", label("a")), cell(4, 0, "red", label("b")), cell(8, 0, "blue", label("c"))),
  );
  expect(shown).toBe(
    '<g class="mark-rect role-mark" stroke="white"><path d="M0,0h4v3h-4Z" fill="red" aria-label="a"/><path d="M4,0h4v3h-4Z" fill="red" aria-label="b"/><path d="M8,0h4v3h-4Z" fill="blue" aria-label="c"/></g>',
  );
  const opaque = ["a", "b", "c"].map((name, k) => cell(4 * k, 0, "red", ` opacity="0.5" aria-label="${name}"`));
  expect(denseSvg(group(...opaque)).match(/opacity/g)).toHaveLength(3);
});

test("coordinates to a hundredth of a pixel; texts and other numbers as they are", () => {
  expect(
    denseSvg('<path d="M1.23456,-0.001L1e-7,2" transform="translate(0.999999,3)"/><text x="1.23456">1.23456</text>'),
  ).toBe('<path d="M1.23,0L1e-7,2" transform="translate(1,3)"/><text x="1.23456">1.23456</text>');
});
