import { expect, test } from "vitest";
import { ReliabilityBranching } from "../../../../src/search/exact-milp/reliability-branching.js";

const candidates = [
  { column: 3, value: 1.5 },
  { column: 7, value: 4.5 },
];

test("without probes the column is taken whose halves rose most where they were branched on", () => {
  const branching = new ReliabilityBranching();
  expect(branching.choose(candidates, () => null)?.column).toBe(3);
  for (const half of ["below", "above"] as const) {
    branching.learn(3, half, 1);
    branching.learn(7, half, 5);
  }
  expect(branching.choose(candidates, () => null)?.column).toBe(7);
  // What happens later counts as much as what was seen first.
  for (let k = 0; k < 8; k++) for (const half of ["below", "above"] as const) branching.learn(3, half, 20);
  expect(branching.choose(candidates, () => null)?.column).toBe(3);
});

test("what was learned often enough is not probed any more", () => {
  const branching = new ReliabilityBranching();
  const probed: number[] = [];
  const probe = (column: number) => {
    probed.push(column);
    return 1;
  };
  for (let k = 0; k < 8; k++) for (const half of ["below", "above"] as const) branching.learn(3, half, 2);
  branching.choose(candidates, probe);
  expect(new Set(probed)).toEqual(new Set([7]));
});
