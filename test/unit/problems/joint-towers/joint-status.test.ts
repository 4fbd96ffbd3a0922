import { describe, expect, test } from "vitest";
import type { JointStatus } from "../../../../src/problems/joint-towers/plan-file/plan-file.js";
import { type PlacesStatus, placesStatus, rowClaim } from "../../../../src/problems/joint-towers/plan-file/row.js";

const PLACES: readonly PlacesStatus[] = ["none", "impossible", "missing", "unbounded", "feasible", "proved"];

describe("what is said of a number of towers", () => {
  const open = ["unknown", "unknown", "unknown"];
  // By places: there are none, a tower's tables have none, of one none is known, some are without a bound, with bounds, proved.
  test.each<[JointStatus, readonly string[], readonly (string | null)[]]>([
    ["proved", [...open, "feasible", "feasible", "proved"], ["any", "any", "any", "any", "these", "these"]],
    ["feasible", [...open, "feasible", "feasible", "feasible"], ["any", "any", "any", "any", "any", "any"]],
    ["unknown", [...open, "feasible", "feasible", "feasible"], ["any", "any", "any", "any", "any", "any"]],
    ["infeasible", PLACES.map(() => "infeasible"), PLACES.map(() => null)],
  ])("with a partition that is %s", (partition, statuses, bounds) => {
    const claims = PLACES.map((places) => rowClaim(partition, places));
    expect(claims.map(({ status }) => status)).toEqual(statuses);
    expect(claims.map(({ bound }) => bound)).toEqual(bounds);
  });

  test("only a proof about all partitions makes it infeasible, only one about the partition and all places proves it", () => {
    for (const partition of ["proved", "feasible", "unknown"] as const) {
      for (const places of PLACES) {
        const { status, bound } = rowClaim(partition, places);
        expect(status).not.toBe("infeasible");
        expect(bound).not.toBeNull();
        expect(status === "proved").toBe(partition === "proved" && places === "proved");
      }
    }
  });
});

describe("the places of all towers together", () => {
  const placed = (status: JointStatus) => ({ status, isPlaced: true });
  const without = (status: JointStatus) => ({ status, isPlaced: false });

  test.each<[PlacesStatus, Parameters<typeof placesStatus>[0]]>([
    ["none", []],
    ["proved", [placed("proved"), placed("proved")]],
    ["feasible", [placed("proved"), placed("feasible")]],
    ["unbounded", [placed("feasible"), placed("unknown")]],
    ["missing", [placed("proved"), without("unknown")]],
    ["impossible", [without("unknown"), without("infeasible")]],
    ["impossible", [placed("proved"), without("infeasible")]],
  ])("%s", (status, towers) => {
    expect(placesStatus(towers)).toBe(status);
    expect(placesStatus(towers.toReversed())).toBe(status);
  });
});
