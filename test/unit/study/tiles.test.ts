import { expect, test } from "vitest";
import { studyTiles } from "../../../src/study/page.js";
import type { Row } from "../../../src/study/row.js";
import { summaries } from "../../../src/study/summary.js";

function row(method: string, instance: string, above: number | null): Row {
  return {
    line: {
      id: "",
      instance: { file: instance, sha256: instance, name: instance, problem: "table-placement" },
      ...{ vary: {}, method, seed: 0, timeLimitSeconds: 60 },
    },
    ...{ status: above === null ? "none" : method === "optimal" ? "proved" : "heuristic", number: 1 },
    ...{ value: above === null ? null : 1 + above, bound: 1, exact: { value: null, bound: null } },
    ...{ unit: "", goal: "objective", verified: true, reason: "", stopped: false, seconds: null },
    ...{ provedBound: 1, above, noneExists: false, contradicts: false, provedBy: null },
  };
}

test("the heuristic shown in large is one that finds plans, and is called so, not one that finds few of the best", () => {
  const rows = [
    ...[row("optimal", "a", 0), row("optimal", "b", 0)],
    ...[row("picky", "a", 0), row("picky", "b", null)],
    ...[row("steady", "a", 0.5), row("steady", "b", 0.1)],
  ];
  expect(studyTiles(summaries(rows))).toEqual([
    { name: "proved optima", value: "2 of 2", beside: "each proof checked again", mark: "good" },
    {
      name: "a heuristic is optimal on",
      value: "50.0 %",
      beside: "of picky's instances: no other is optimal as often",
    },
    { name: "the heuristic with most plans, mean", value: "+30.0 %", beside: "steady, plans for 2 of 2" },
    { name: "at worst", value: "+50.0 %", beside: "of the same, above the proved bound" },
  ]);
});
