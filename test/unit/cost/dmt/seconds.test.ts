import { describe, expect, test } from "vitest";
import {
  bandwidthAt,
  exchangeSeconds,
  iterationSeconds,
  stepSeconds,
  type WireSpeeds,
  wireSeconds,
} from "../../../../src/cost/dmt/collective-seconds.js";
import { HARDWARE } from "../../../../src/cost/dmt/hardware.js";
import { flatSteps, type StepTraffic } from "../../../../src/cost/dmt/steps.js";
import { Rational } from "../../../../src/exact/rational.js";

const points = [
  { world: 2, bytesPerSecond: 100 },
  { world: 4, bytesPerSecond: 80 },
  { world: 16, bytesPerSecond: 20 },
];

describe("bandwidth at a world size", () => {
  test.each([
    [1, "100"],
    [2, "100"],
    [3, "90"],
    [4, "80"],
    [8, "60"],
    [16, "20"],
    [512, "20"],
  ])("%d ranks: %s", (world, expected) => {
    expect(bandwidthAt(points, world).toString()).toBe(expected);
  });

  test("tables that are none", () => {
    expect(() => bandwidthAt([], 4)).toThrow("a table of bandwidths needs a point");
    expect(() => bandwidthAt([...points].reverse(), 4)).toThrow("must ascend in the size of the world");
    expect(() => bandwidthAt([{ world: 2, bytesPerSecond: 0 }], 4)).toThrow("is not positive");
  });
});

const speeds: WireSpeeds = {
  insideHost: { latencySeconds: 0.25, bandwidth: [{ world: 1, bytesPerSecond: 1000 }] },
  acrossHosts: { latencySeconds: 0.5, bandwidth: points },
};

test("latency + bytes / bandwidth(world); nothing for no bytes", () => {
  expect(wireSeconds(speeds.acrossHosts, 8, Rational.of(30n)).toString()).toBe("1");
  expect(wireSeconds(speeds.acrossHosts, 8, Rational.zero).toString()).toBe("0");
});

/** Two hosts of two; one table of one column of one byte on rank 1. */
const steps = flatSteps({
  world: { ranks: 4, gpusPerHost: 2, hostsPerTower: 1 },
  towers: [
    { features: [{ dim: 1, hotness: 1, sharding: { kind: "table", slot: 1 } }] },
    { features: [{ dim: 1, hotness: 1, sharding: { kind: "table", slot: 0 } }] },
  ],
  ...{ localBatch: 20, elementBytes: 1, idBytes: 8, lengthBytes: 0 },
});

test("a step ends with the slower kind of link and its busiest rank", () => {
  // Rank 1 sends 20 bytes inside its host and 40 across: 0.25 + 20/1000 against 0.5 + 40/80.
  const [ids, vectors, gradients] = steps as readonly [StepTraffic, StepTraffic, StepTraffic];
  expect(stepSeconds(vectors, speeds).toString()).toBe("1");
  expect(stepSeconds(gradients, speeds).toString()).toBe("1");
  expect(stepSeconds(ids, speeds).toString()).toBe("9/2");
  const slowInside = { ...speeds, insideHost: { latencySeconds: 7, bandwidth: [{ world: 1, bytesPerSecond: 20 }] } };
  expect(stepSeconds(vectors, slowInside).toString()).toBe("8");
});

test("an iteration: compute and exposed steps, one after the other", () => {
  expect(exchangeSeconds(steps, speeds).toString()).toBe("13/2");
  const iteration = { computeSeconds: Rational.of(3n), exposed: steps.slice(1) };
  expect(iterationSeconds(iteration, speeds).toString()).toBe("5");
});

test("table 1", () => {
  expect(
    HARDWARE.map(({ name, scaleOutBytesPerSecond, scaleUpBytesPerSecond }) => [
      name,
      scaleOutBytesPerSecond,
      scaleUpBytesPerSecond,
    ]),
  ).toEqual([
    ["V100", 12.5e9, 150e9],
    ["A100", 25e9, 300e9],
    ["H100", 50e9, 450e9],
  ]);
  expect(HARDWARE.map(({ peakFlopsPerSecond }) => peakFlopsPerSecond)).toEqual([15.7e12, 156e12, 989e12]);
});
