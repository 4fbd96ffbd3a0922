import { describe, expect, test } from "vitest";
import type { PlacementOption, PlacementProblem, ShardNeed } from "../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../src/exact/random.js";
import {
  describePlacementInfeasibility,
  leastExtraBytes,
} from "../../../../src/problems/table-placement/plan-file/infeasibility.js";
import { bruteForcePlacement, combinations } from "../../../support/brute-force-placement.js";
import { randomPlacementProblem } from "../../../support/random-placement.js";

function option(...bytes: readonly (readonly [hbm: number, host: number])[]): PlacementOption {
  const shards = bytes.map(([hbmBytes, hostBytes]): ShardNeed => ({ cost: 1, hbmBytes, hostBytes }));
  const shardingType = shards.length === 1 ? "table_wise" : "column_wise";
  return { shardingType, kernel: "fused", partitionBy: "device", shards };
}

function problemOf(
  hbmBytes: readonly number[],
  tables: readonly (readonly PlacementOption[])[],
  changes: Partial<PlacementProblem> = {},
): PlacementProblem {
  return {
    name: "x",
    nodes: 1,
    gpusPerNode: hbmBytes.length,
    hbmBytes,
    hostBytes: null,
    hostIsPooled: false,
    tables: tables.map((options, t) => ({ name: `t${t}`, options, devices: null })),
    together: [],
    apart: [],
    ...changes,
  };
}

describe("the shortest reason is said, with the bytes it is about", () => {
  test("a table that is larger than any device it may use", () => {
    const tables = [[option([10, 0])], [option([90, 0]), option([61, 0], [5, 0])]];
    expect(describePlacementInfeasibility(problemOf([50, 60], tables), null)).toMatchObject({
      kind: "table",
      memory: "device",
      conflict: ["t1"],
      bytesNeeded: 61,
      bytesAvailable: 60,
      leastExtraBytesPerDevice: 1,
    });
    const pinned = problemOf([50, 60], [[option([55, 0])]]);
    const [table] = pinned.tables;
    const kept = { ...pinned, tables: [{ ...(table as (typeof pinned.tables)[number]), devices: [0] }] };
    expect(describePlacementInfeasibility(kept, null)).toMatchObject({
      bytesAvailable: 50,
      leastExtraBytesPerDevice: 5,
    });
  });

  test("no arrangement that moves so few tables, where more would do", () => {
    const tables = [[option([30, 0])], [option([30, 0])]];
    const homes = [[{ option: 0, devices: [0] }], [{ option: 0, devices: [0] }]];
    const { kind, explanation } = describePlacementInfeasibility(
      problemOf([50, 50], tables, { stay: { homes, mostMoved: 0 } }),
      null,
    );
    expect(kind).toBe("arrangement");
    expect(explanation).toMatch(/no arrangement of all shards that moves at most 0 of them does$/);
  });

  test("tables whose total is too much, the fewest of them", () => {
    const tables = [[option([5, 0], [5, 0])], [option([20, 0], [20, 0])], [option([20, 0], [20, 0])]];
    expect(describePlacementInfeasibility(problemOf([30, 30], tables), null)).toMatchObject({
      kind: "total",
      memory: "device",
      conflict: ["t1", "t2"],
      bytesNeeded: 90,
      bytesAvailable: 60,
      leastExtraBytesPerDevice: 15,
    });
  });

  test("host memory, and both memories together", () => {
    const hosted = [[option([0, 30])], [option([0, 30])], [option([0, 30])]];
    const hostShort = problemOf([10, 10], hosted, { hostBytes: [40, 40] });
    expect(describePlacementInfeasibility(hostShort, null)).toMatchObject({
      kind: "total",
      memory: "host",
      leastExtraBytesPerDevice: null,
    });
    const either = Array.from({ length: 4 }, () => [option([10, 0]), option([0, 10])]);
    const both = problemOf([10], either, { hostBytes: [20] });
    expect(describePlacementInfeasibility(both, null)).toMatchObject({ kind: "total", memory: "device and host" });
  });

  test("too many large tables for the devices", () => {
    const tables = [60, 55, 52, 10].map((bytes) => [option([bytes, 0])]);
    expect(describePlacementInfeasibility(problemOf([100, 100], tables), null)).toMatchObject({
      kind: "crowding",
      conflict: ["t0", "t1", "t2"],
      bytesNeeded: 107,
      bytesAvailable: 100,
      leastExtraBytesPerDevice: 7,
    });
  });

  test("an arrangement that none of these explains, and what a relaxed plan shows", () => {
    // Two nines need a device each; with a four beside them they need 13, and the other device has room for a nine alone.
    const tables = [9, 9, 4, 4].map((bytes) => [option([bytes, 0])]);
    const problem = problemOf([14, 12], tables);
    expect(bruteForcePlacement(problem)).toBeNull();
    const relaxed = { choices: [0, 1, 0, 1].map((device) => ({ option: 0, devices: [device] })) };
    const said = describePlacementInfeasibility(problem, relaxed);
    expect(said).toMatchObject({ kind: "arrangement", leastExtraBytesPerDevice: null });
    expect(said.relaxed).toMatchObject({ extraBytesPerDevice: 1 });
    expect(said.explanation).toContain("1 byte more on every device is enough");
    const fits = { choices: [0, 1].map((device) => ({ option: 0, devices: [device] })) };
    const roomy = problemOf([14, 12], tables.slice(0, 2));
    expect(() => describePlacementInfeasibility(roomy, fits)).toThrow("it breaks nothing");
  });
});

test("on random problems, less than the least extra memory never makes a plan fit", () => {
  const random = seededRandom(5);
  let infeasible = 0;
  let explained = 0;
  while (infeasible < 60) {
    const problem = randomPlacementProblem(random);
    if (combinations(problem) > 5000 || bruteForcePlacement(problem) !== null) continue;
    infeasible++;
    const least = leastExtraBytes(problem);
    if (least === 0) continue;
    explained++;
    const wider = { ...problem, hbmBytes: problem.hbmBytes.map((bytes) => bytes + least - 1) };
    expect(bruteForcePlacement(wider)).toBeNull();
  }
  expect(explained).toBeGreaterThan(10);
});
