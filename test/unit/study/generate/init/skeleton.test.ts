import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseInstance } from "../../../../../src/problems/planning/instances.js";
import { PRESETS } from "../../../../../src/study/generate/init/presets.js";
import { SKELETONS, skeleton } from "../../../../../src/study/generate/init/skeleton.js";

describe.each(SKELETONS)("%s", (problem) => {
  test.each(PRESETS)("of $name is an instance, and a comment explains every key", (preset) => {
    const text = skeleton(problem, preset);
    expect(parseInstance(text, "init.yaml").problem).toBe(problem);
    const lines = text.split("\n");
    const bare = lines.filter((line, k) => /^\s*\w+:/.test(line) && !/^\s*# \S/.test(lines[k - 1] as string));
    expect(bare).toEqual([]);
    expect(lines.filter((line) => line.length > 120 && !line.startsWith("source:"))).toEqual([]);
  });
});

test("a preset says its source, and the bandwidths that are not given are made of it", () => {
  for (const preset of PRESETS) {
    const { source, cluster } = parse(skeleton("row-tiers", preset));
    expect(source).toBe(`Cluster: ${preset.source}`);
    const { allToAllGlobal, allReduceGlobal, allReduceCross } = cluster.bandwidth;
    expect(allToAllGlobal).toBe(preset.network);
    if (preset.allReduce !== undefined) continue;
    expect([allReduceGlobal, allReduceCross]).toEqual([3 * preset.network, preset.network / 2]);
  }
  const h100 = PRESETS.find(({ name }) => name === "dmt-h100");
  expect([h100?.network, h100?.nvlink]).toEqual([50e9, 450e9]);
});

test("memory is what is left of HBM, and replicas are explained by the optimizer", () => {
  const text = skeleton("row-tiers", PRESETS[0] as (typeof PRESETS)[number]);
  expect(parse(text).cluster.hbmBytesPerGpu).toBe(0.85 * 40e9);
  const said = text.replace(/\n\s*# /g, " ");
  expect(said).toContain("What is left for tables, not all of HBM");
  expect(said).toContain("Adam: 1 + 1 + 1 + 2 = 5");
});
