import { describe, expect, test } from "vitest";
import { towerGrouping } from "../../../../../models/tower-partition/build.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { type GroupingProgress, solveGrouping } from "../../../../../src/problems/tower-partition/solve/solve.js";
import { evaluateGrouping } from "../../../../../src/program/grouping/evaluate.js";
import { checkCertificate } from "../../../../../src/proof/check.js";
import { someOf } from "../../../../support/draws.js";
import { onSteppingClock } from "../../../../support/stepping-clock.js";
import { seededGrouping } from "../../../../support/tower-matrices.js";

const ask = { starts: [], gap: Rational.zero, timeLimitSeconds: 60, seed: 0 };

describe("26 features, as in the paper", () => {
  const shapes = [2, 4, 8, 13, 16, 26].flatMap((towers) => [1, 2].map((sizeRatio) => ({ towers, sizeRatio })));
  const cases = shapes.flatMap((shape) =>
    (["uniform", "planted"] as const).flatMap((kind) =>
      (["pairwise", "kmeans"] as const).map((objective) => ({ ...shape, kind, objective })),
    ),
  );

  test.each(someOf(cases, 12))("$kind, $towers towers, ratio $sizeRatio, $objective: proved", async (shape) => {
    const { kind, towers, sizeRatio, objective } = shape;
    const grouping = seededGrouping(kind, { features: 26, towers, sizeRatio }, objective, 3);
    const { verdict } = await solveGrouping(grouping, ask);
    expect(verdict?.status).toBe("proved");
    expect(verdict?.gap?.toString()).toBe("0");
  });
});

test("the same request gives the same certificate, byte for byte", async () => {
  const grouping = seededGrouping("uniform", { features: 24, towers: 5 }, "kmeans", 1);
  const [one, other] = [await solveGrouping(grouping, ask), await solveGrouping(grouping, ask)];
  expect(JSON.stringify(one.certificate)).toBe(JSON.stringify(other.certificate));
  expect(one.labels).toEqual(other.labels);
});

test("another seed proves the same value", async () => {
  const grouping = seededGrouping("planted", { features: 20, towers: 4, sizeRatio: 1.5 }, "pairwise", 5);
  const values = await Promise.all([0, 1, 2].map((seed) => solveGrouping(grouping, { ...ask, seed })));
  expect(new Set(values.map(({ verdict }) => verdict?.value?.toString())).size).toBe(1);
  expect(values.every(({ verdict }) => verdict?.status === "proved")).toBe(true);
});

test("groups are numbered in the order of their first items", async () => {
  const { labels } = await solveGrouping(seededGrouping("planted", { features: 12, towers: 4 }, "kmeans", 8), ask);
  const firsts = [0, 1, 2, 3].map((cluster) => labels?.indexOf(cluster) as number);
  expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
  expect(firsts[0]).toBe(0);
});

test("where too many partitions are left of a list, its parts are priced and branched", async () => {
  const grouping = seededGrouping("uniform", { features: 54, towers: 9, sizeRatio: 1.5 }, "kmeans", 1);
  const { verdict, certificate } = await solveGrouping(grouping, { ...ask, workSeconds: 20, mostUnits: 4000 });
  expect(verdict?.status).toBe("proved");
  expect(JSON.stringify(certificate)).toContain('"split"');
});

test("a bound proved in little time holds, and what it is of is reported", async () => {
  const grouping = seededGrouping("uniform", { features: 48, towers: 4 }, "pairwise", 2);
  const seen: GroupingProgress[] = [];
  const onProgress = (progress: GroupingProgress) => seen.push(progress);
  const { result, looks } = await onSteppingClock(1, () =>
    solveGrouping(grouping, { ...ask, timeLimitSeconds: 1.5, onProgress }),
  );
  const { verdict, certificate, labels } = result;
  expect(looks / 1000).toBeLessThan(6);
  expect(labels).not.toBeNull();
  const value = evaluateGrouping(grouping, labels as readonly number[]).objective;
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.at(-1)?.incumbent).toBeGreaterThanOrEqual(value.toNumber());
  if (verdict !== null && certificate !== null) {
    expect(verdict.value?.toString()).toBe(value.toString());
    expect(checkCertificate(grouping, certificate).bound?.compare(value)).toBeLessThanOrEqual(0);
  }
});

test("told to stop at once, it still gives the best start", async () => {
  const grouping = seededGrouping("uniform", { features: 30, towers: 3 }, "kmeans", 4);
  const start = Array.from({ length: 30 }, (_, element) => element % 3);
  const { labels } = await solveGrouping(grouping, { ...ask, starts: [start], shouldStop: () => true });
  expect(labels).toEqual(start);
});

test("a gap that is asked for is enough", async () => {
  const grouping = seededGrouping("planted", { features: 30, towers: 6 }, "pairwise", 6);
  const { verdict } = await solveGrouping(grouping, { ...ask, gap: Rational.parse("0.05") });
  expect(verdict?.status).toBe("proved");
  expect(verdict?.gap?.compare(Rational.parse("0.05"))).toBeLessThanOrEqual(0);
});

describe("what cannot be", () => {
  const features = Array.from({ length: 6 }, (_, i) => `f${i}`);
  const parts = { name: "none", features, strategy: "coherent", objective: "kmeans" } as const;
  const interaction = new Float64Array(36).fill(0.5);

  test("more groups than items: proved without steps", async () => {
    const grouping = towerGrouping({ ...parts, towers: 7, sizeRatio: 1, load: null }, interaction);
    const { verdict, certificate, labels } = await solveGrouping(grouping, ask);
    expect(verdict?.status).toBe("infeasible");
    expect(certificate?.steps).toEqual([]);
    expect(labels).toBeNull();
  });

  test("weights that no two groups can share evenly", async () => {
    const load = { weights: [4, 4, 4, 3, 3, 3], ratio: 1.04 };
    const grouping = towerGrouping({ ...parts, towers: 2, sizeRatio: 2, load }, interaction);
    const { verdict } = await solveGrouping(grouping, ask);
    // 21 in all: 11 and 10 at best, and 10.92 is allowed.
    expect(verdict?.status).toBe("infeasible");
  });

  test("weights that just fit", async () => {
    const load = { weights: [4, 4, 4, 3, 3, 3], ratio: 1.05 };
    const grouping = towerGrouping({ ...parts, towers: 2, sizeRatio: 2, load }, interaction);
    const { verdict, labels } = await solveGrouping(grouping, ask);
    // At most 11.025: 4 + 4 + 3 beside 4 + 3 + 3.
    expect(verdict?.status).toBe("proved");
    const carried = (load.weights as readonly number[]).reduce((sum, w, i) => sum + (labels?.[i] === 0 ? w : 0), 0);
    expect([10, 11]).toContain(carried);
  });
});
