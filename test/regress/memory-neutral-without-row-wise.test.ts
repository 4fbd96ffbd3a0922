import { expect, test } from "vitest";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { tinyInstance } from "../support/tiny-instance.js";

// The memory of the all-row_wise plan needs no bandwidth, so an instance that allows no row_wise need not have any for it.
test("a memory-neutral budget needs no bandwidth of a tier that is not allowed", () => {
  const { instance, access } = tinyInstance([{ dim: 4, histogram: [[10, 0.5]] }], {
    tiers: ["data_parallel", "flex"],
  });
  const { allToAllGlobal: _, ...bandwidth } = instance.cluster.bandwidth;
  const without = { ...instance, cluster: { ...instance.cluster, bandwidth } };
  const { budgetBytes } = buildRowTiers(without, access);
  expect(budgetBytes.toString()).toBe(buildRowTiers(instance, access).budgetBytes.toString());
});
