import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { enumerateOptions } from "../../../src/cost/torchrec/enumerate.js";
import { readTorchrecProblem } from "../../../src/cost/torchrec/read-problem.js";

/**
 * Random problems with what a second implementation of the formulas, in Python, makes of them: several hosts and NVLink
 * domains, weights, quantised collectives, optimizers, caches, key-value kernels, buckets, inference, the CPU, and tables
 * whose bytes leave the integers of a double. Origin and format are in the file.
 */
type Run = readonly [
  shards: number,
  sizes: readonly [number, number],
  total: number,
  phases: readonly number[],
  hbm: number,
  host: number,
  ssd: number,
];
interface RandomProblem {
  readonly problem: unknown;
  readonly options: readonly (readonly [shardingType: string, kernel: string, runs: readonly Run[]])[];
}

const { cases }: { cases: readonly RandomProblem[] } = JSON.parse(
  readFileSync(new URL("fixtures/random-problems.json", import.meta.url), "utf8"),
);

test("there are random problems", () => expect(cases).toHaveLength(37));

test.each(cases.map((one, index) => ({ index, ...one })))("random problem $index", ({ problem, options }) => {
  const [ours = []] = enumerateOptions(readTorchrecProblem(problem));
  expect(new Set(ours.map(({ shardingType, kernel }) => `${shardingType} ${kernel}`))).toEqual(
    new Set(options.map(([shardingType, kernel]) => `${shardingType} ${kernel}`)),
  );
  expect(ours).toHaveLength(options.length);
  for (const [shardingType, kernel, runs] of options) {
    const option = ours.find((one) => one.shardingType === shardingType && one.kernel === kernel);
    const estimates = option?.shards.map(({ sizes, cost, perf, hbmBytes, hostBytes, ssdBytes }) => [
      sizes,
      cost,
      [
        perf.forwardCompute,
        perf.forwardComms,
        perf.backwardCompute,
        perf.backwardComms,
        perf.prefetchCompute,
        perf.inputDistribution,
      ],
      hbmBytes,
      hostBytes,
      ssdBytes,
    ]);
    const expected = runs.flatMap(([shards, ...estimate]) => Array.from({ length: shards }, () => estimate));
    expect(estimates, `${shardingType} ${kernel}`).toEqual(expected);
  }
});
