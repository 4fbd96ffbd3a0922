import { expect, test } from "vitest";
import { histogramClasses } from "../../../src/access/known-classes.js";

test("bins are sorted, equal ones merged, empty ones dropped", () => {
  const bins = [
    [5, 0.1],
    [2, 3],
    [0, 7],
    [4, 0],
    [1, 0.1],
  ] as const;
  expect(histogramClasses({ kind: "histogram", bins })).toEqual({
    rows: Float64Array.of(2, 6, 4),
    appearances: Float64Array.of(3, 0.1, 0),
  });
});

test("neighbouring doubles stay apart", () => {
  const bins = [
    [1, 0.1],
    [1, 0.10000000000000002],
  ] as const;
  expect(histogramClasses({ kind: "histogram", bins }).appearances).toEqual(Float64Array.of(0.10000000000000002, 0.1));
});
