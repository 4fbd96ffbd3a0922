import { expect, test } from "vitest";
import { rowTiersHeuristics } from "../../../../../src/problems/row-tiers/methods/index.js";
import { tinyInstance } from "../../../../support/tiny-instance.js";
import { runsOf } from "./support.js";

const tables = [
  {
    dim: 4,
    histogram: [
      [3, 2.5],
      [6, 0.9],
    ],
  },
  { dim: 8, histogram: [[5, 0.1]] },
] as const;

test.each([
  ["row-wise", "row_wise"],
  ["column-wise", "column_wise"],
  ["data-parallel", "data_parallel"],
] as const)("%s puts every row in one tier, where that is allowed", (name, tier) => {
  const { instance, access } = tinyInstance(tables, { tiers: [tier] });
  expect(runsOf(rowTiersHeuristics[name](instance, access))).toEqual([`${tier} 9`, `${tier} 5`]);
  expect(rowTiersHeuristics[name]({ ...instance, tiers: ["flex"] }, access)).toEqual({
    kind: "not-applicable",
    reason: `needs the tier ${tier}, which the instance does not allow`,
  });
});
