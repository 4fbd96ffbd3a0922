import { expect, test } from "vitest";
import { RowClassesBuilder } from "../../../src/access/row-classes.js";

test("classes that do not fall are merged back as far as needed, and the total stays", () => {
  const builder = new RowClassesBuilder();
  builder.add(1, 8);
  builder.add(1, 5);
  builder.add(1, 4);
  builder.add(2, 6);
  builder.add(0, 9);
  builder.add(3, 1);
  const { rows, appearances } = builder.build();
  expect(Array.from(rows)).toEqual([1, 4, 3]);
  expect(Array.from(appearances)).toEqual([8, 5.25, 1]);
});

test("equal appearances are merged without rounding", () => {
  const builder = new RowClassesBuilder();
  for (let k = 1; k <= 7; k++) builder.add(k, 0.1);
  expect(builder.build()).toEqual({ rows: Float64Array.of(28), appearances: Float64Array.of(0.1) });
});
