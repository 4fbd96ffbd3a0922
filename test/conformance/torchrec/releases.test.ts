import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { enumerateOptions } from "../../../src/cost/torchrec/enumerate.js";
import { readTorchrecProblem } from "../../../src/cost/torchrec/read-problem.js";
import { NEWEST_RELEASE, RELEASES, releaseOf } from "../../../src/cost/torchrec/release.js";

/** One problem under the planners of several releases of TorchRec. Origin and format are in the file. */
type Run = readonly [
  shards: number,
  sizes: readonly [number, number],
  total: number,
  phases: readonly number[],
  hbm: number,
  host: number,
  ssd: number,
];
type RecordedOption = readonly [table: string, shardingType: string, kernel: string, runs: readonly Run[]];
interface Recorded {
  readonly problem: object;
  readonly releases: readonly { readonly versions: readonly string[]; readonly options: readonly RecordedOption[] }[];
}

const { problem, releases }: Recorded = JSON.parse(
  readFileSync(new URL("fixtures/releases.json", import.meta.url), "utf8"),
);
const recorded = releases.flatMap(({ versions, options }) => versions.map((version) => ({ version, options })));

function optionsOf(version?: string | number) {
  return enumerateOptions(readTorchrecProblem({ ...problem, ...(version === undefined ? {} : { version }) })).flat();
}

describe.each(recorded)("TorchRec $version", ({ version, options }) => {
  const ours = optionsOf(version);

  test("enumerates the same options", () => {
    const names = (all: readonly (readonly string[])[]) => all.map((parts) => parts.join(" ")).sort();
    expect(names(ours.map(({ table, shardingType, kernel }) => [table, shardingType, kernel]))).toEqual(
      names(options.map(([table, shardingType, kernel]) => [table, shardingType, kernel])),
    );
  });

  test.each(options.map((option) => ({ name: option.slice(0, 3).join(" "), option })))(
    "$name costs the same",
    ({ option: [table, shardingType, kernel, runs] }) => {
      const found = ours.find(
        (one) => one.table === table && one.shardingType === shardingType && one.kernel === kernel,
      );
      const estimates = found?.shards.map(({ sizes, cost, perf, hbmBytes, hostBytes, ssdBytes }) => [
        sizes,
        cost,
        [perf.forwardCompute, perf.forwardComms, perf.backwardCompute, perf.backwardComms, perf.prefetchCompute],
        hbmBytes,
        hostBytes,
        // Releases before 1.7 know no bytes on SSD; these kernels have none.
        ssdBytes,
      ]);
      expect(estimates).toEqual(
        runs.flatMap(([shards, ...estimate]) => Array.from({ length: shards }, () => estimate)),
      );
    },
  );
});

test("without a version the newest release's costs apply", () => {
  expect(readTorchrecProblem(problem).release).toBe(NEWEST_RELEASE);
  expect(optionsOf()).toEqual(optionsOf("1.9.0a0"));
});

test.each([
  [1, "1.0"],
  [1.1, "1.1"],
  ["1.2.0", "1.2"],
  ["1.7.0-rc1", "1.7"],
  ["1.9.0a0", "1.9"],
  ["1.9.0+cu128", "1.9"],
  [0.8, null],
  ["2.0.0", null],
  ["1.10", null],
  ["1.1x", null],
  ["v1.1", null],
  ["", null],
])("version %j is of release %j", (version, release) => expect(releaseOf(version)).toBe(release));

test("releases are listed from the oldest to the newest", () => expect(RELEASES.at(-1)).toBe(NEWEST_RELEASE));
