import { expect, test } from "vitest";
import { unitClasses } from "../../models/row-tiers/unit-classes.js";
import { tinyInstance } from "../support/tiny-instance.js";

// A last block of one wide row has the bytes and the reads of a block of two narrow rows: as one class, the plan's runs
// came out with the wrong number of rows.
test("blocks of different numbers of rows are different classes, even with the same bytes and reads", () => {
  const { instance, access } = tinyInstance(
    [
      { dim: 4, histogram: [[2, 0.5]] },
      {
        dim: 8,
        histogram: [
          [2, 0.75],
          [1, 0.5],
        ],
      },
    ],
    { granularity: 2 },
  );
  const { chains: rails } = unitClasses(instance, access);
  const found = rails.flatMap(({ rowsPerUnit, rowBytes, units }) =>
    Array.from(units, (count) => `${count} of ${rowsPerUnit}: ${rowBytes * BigInt(rowsPerUnit)}`),
  );
  expect(found.sort()).toEqual(["1 of 1: 32", "1 of 2: 32", "1 of 2: 64"]);
});
