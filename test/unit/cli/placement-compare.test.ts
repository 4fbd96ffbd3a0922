import { expect, test } from "vitest";
import { showPlacementCompare } from "../../../src/problems/table-placement/show/compare.js";
import type { PlacementCompareRow } from "../../../src/problems/table-placement/solve/compare.js";

const SHARED = { instance: "small", bound: 12.34, unit: "ms", seconds: 0.001 };

type Row = Pick<PlacementCompareRow, "value" | "status" | "gap">;

function rows(optimal: Row, published: Readonly<Record<string, Row>>): PlacementCompareRow[] {
  return [
    { ...SHARED, method: "optimal", ...optimal },
    ...Object.entries(published).map(([method, row]) => ({ ...SHARED, method, ...row })),
  ];
}

function closingLine(...of: Parameters<typeof rows>): string | undefined {
  return showPlacementCompare({ rows: rows(...of) })
    .split("\n")
    .find((line) => line.includes("already optimal"));
}

const proved = { value: 12.34, status: "proved", gap: 0 } as const;
const at = (value: number) => ({ value, status: "heuristic", gap: (value - 12.34) / 12.34 }) as const;

test("one published method that reaches the proved optimum is named", () => {
  const shown = showPlacementCompare({ rows: rows(proved, { "dim-greedy": at(13), "lookup-greedy": at(12.34) }) });
  expect(shown.endsWith("\n\nlookup-greedy is already optimal here: 12.3400 ms\n")).toBe(true);
  expect(shown).toMatch(/exact +12\.3400 .*proved optimal/);
  expect(shown).toMatch(/lookup-greedy .*optimal too/);
  expect(shown).not.toMatch(/dim-greedy .*optimal too/);
});

test("several are named together", () => {
  const published = { "size-greedy": at(12.34), "dim-greedy": at(12.34), "lookup-greedy": at(12.34) };
  expect(closingLine(proved, published)).toBe(
    "size-greedy, dim-greedy and lookup-greedy are already optimal here: 12.3400 ms",
  );
});

test("nothing is said where none reaches the bound, where there is none, or where a plan breaks a limit", () => {
  expect(closingLine(proved, { "lookup-greedy": at(12.3400001) })).toBeUndefined();
  expect(
    closingLine(proved, { "lookup-greedy": { value: 12.34, status: "breaks-limits", gap: null } }),
  ).toBeUndefined();
  const none = { value: null, gap: null } as const;
  expect(closingLine({ ...none, status: "infeasible" }, { random: { ...none, status: "none" } })).toBeUndefined();
});

test("a method as good as a plan that is proved within a gap is not optimal", () => {
  const within = { value: 12.5, status: "proved", gap: 0.013 } as const;
  const same = { value: 12.5, status: "heuristic", gap: 0.013 } as const;
  const shown = showPlacementCompare({ rows: rows(within, { "lookup-greedy": same }) });
  expect(shown).not.toContain("optimal");
  expect(shown).toContain("within 1.4 % of the optimum, proved");
});

test("the bound is said once, rounded down", () => {
  const [heading] = showPlacementCompare({
    rows: rows(proved, {}).map((row) => ({ ...row, bound: 12.3456789 })),
  }).split("\n");
  expect(heading).toBe("small  proved bound 12.3456 ms");
  const none = rows({ value: null, status: "infeasible", gap: null }, {}).map((row) => ({ ...row, bound: null }));
  expect(showPlacementCompare({ rows: none }).split("\n")[0]).toBe("small");
});

test("how often the reward prefers the slower plan, where costs are learned", () => {
  const group = (plans: number, pairs: number, misled: number) => ({ plans, pairs, misled, meanExcess: 0.125 });
  const reward = {
    instance: "small",
    ...{ methods: group(4, 6, 1), random: group(100, 4950, 900), policy: group(0, 0, 0), all: group(104, 5356, 1339) },
  };
  const shown = showPlacementCompare({ rows: rows(proved, {}), reward });
  expect(shown).toContain(
    "prefers the slower plan in 25.0 % of 5,356 pairs, slower by 12.5 % on average\n(4 plans above, 100 random)\n",
  );
  const ofPolicy = { ...reward, policy: group(50, 1225, 200), all: group(2, 0, 0) };
  expect(showPlacementCompare({ rows: rows(proved, {}), reward: ofPolicy })).toContain(
    "prefers the slower plan in 0 % of 0 pairs\n(4 plans above, 100 random, 50 of the policy)\n",
  );
});
