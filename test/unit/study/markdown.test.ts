import { expect, test } from "vitest";
import { type CheckedLine, rowsOf } from "../../../src/study/row.js";
import { studyMarkdown } from "../../../src/study/written-tables.js";

function line(name: string, file: string, method: string, value: number, bound: number | null = null): CheckedLine {
  const instance = { file, sha256: name, name, problem: "row-tiers" };
  return {
    line: { id: "0".repeat(64), instance, vary: {}, method, seed: 0, timeLimitSeconds: 60 },
    status: bound === null ? "heuristic" : "proved",
    value,
    bound,
    exact: { value: String(value), bound: bound === null ? null : String(bound) },
    unit: "",
    goal: "objective",
    verified: true,
    reason: "",
    stopped: false,
    seconds: { solve: 1, prove: 1 },
  };
}

const CHECKED = [
  line("drawn-2x4-1", "instances/a.yaml", "optimal", 4, 4),
  line("drawn-2x4-1", "instances/a.yaml", "greedy", 5),
  line("drawn-2x4-2", "instances/b.yaml", "optimal", 8, 8),
  line("drawn-2x4-2", "instances/b.yaml", "greedy", 8),
  line("published", "../paper/published.yaml", "optimal", 10, 10),
  line("published", "../paper/published.yaml", "my_own|<b>", 13),
];

test("a table for each kind of instances, in whose cells names stay letters", () => {
  const study = { shardproof: 1, study: "*two* kinds", source: "Of tests.\nAnd more.", lines: 6 } as const;
  expect(studyMarkdown(study, rowsOf(CHECKED))).toBe(`# \\*two\\* kinds

Of tests. And more.

plans: 6 asked for, of 3 instances; checked: 6 results read and derived again.

Plans that keep to all limits, of the instances that a method applies to; optimal: proved by the exact one, of the others at the proved bound; how far above that bound they are.

## row-tiers

### 2 instances of drawn-2x4

| method | plans | optimal | mean above | median | worst |
| --- | ---: | ---: | ---: | ---: | ---: |
| exact | 2 of 2 | 2 (100.0 %), proved | 0 % | 0 % | 0 % |
| greedy | 2 of 2 | 1 (50.0 %) | 12.5 % | 12.5 % | 25.0 % |

### 1 instance in paper

| method | plans | optimal | mean above | median | worst |
| --- | ---: | ---: | ---: | ---: | ---: |
| exact | 1 of 1 | 1 (100.0 %), proved | 0 % | 0 % | 0 % |
| my\\_own\\|\\<b\\> | 1 of 1 | 0 (0 %) | 30.0 % | 30.0 % | 30.0 % |
`);
});

test("what is missing or does not hold is said before the numbers", () => {
  const missing = { ...line("a", "instances/a.yaml", "optimal", 4), status: "missing", value: null, verified: null };
  const failed = { ...line("b", "instances/b.yaml", "optimal", 4, 4), verified: false };
  const text = studyMarkdown({ shardproof: 1, study: "half", lines: 2 }, rowsOf([missing, failed]));
  expect(text).toContain("checked: 0 results read and derived again; failed: 1 result; not done: 1 plan missing.");
});
