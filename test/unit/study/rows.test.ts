import { expect, test } from "vitest";
import type { JobLine } from "../../../src/study/job.js";
import { type CheckedLine, rowsOf } from "../../../src/study/row.js";
import { summaries, worstRows } from "../../../src/study/summary.js";
import { csvText, resultColumns } from "../../../src/study/table.js";

function line(instance: string, method: string, parts: Partial<CheckedLine>): CheckedLine {
  const of: JobLine = {
    id: "0".repeat(64),
    instance: { file: `${instance}.yaml`, sha256: instance, name: instance, problem: "table-placement" },
    vary: { devices: 2, note: 'a "b", c' },
    method,
    seed: 0,
    timeLimitSeconds: 60,
  };
  const value = parts.value ?? null;
  const bound = parts.bound ?? null;
  const exact = { value: value === null ? null : String(value), bound: bound === null ? null : String(bound) };
  const shared = { status: "heuristic", unit: "", goal: "objective", verified: true, reason: "", stopped: false };
  return { ...shared, line: of, exact, seconds: { solve: 1, prove: 0 }, ...parts, value, bound };
}

const CHECKED = [
  line("a", "optimal", { status: "proved", value: 4, bound: 4 }),
  line("a", "greedy", { value: 5 }),
  line("b", "optimal", { status: "feasible", value: 10, bound: 8 }),
  line("b", "greedy", { value: 10 }),
  line("c", "optimal", { status: "infeasible" }),
  line("c", "greedy", { status: "none", verified: null }),
  line("d", "optimal", { status: "missing", verified: null, seconds: null }),
  line("d", "greedy", { status: "breaks-limits", value: 1 }),
  line("e", "optimal", { status: "proved", value: 3, bound: 3 }),
  line("e", "greedy", { value: 3 }),
];

test("every plan is held against the best bound of its instance; one that breaks a limit is not", () => {
  const rows = rowsOf(CHECKED);
  expect(rows.map(({ above }) => above)).toEqual([0, 0.25, 0.25, 0.25, null, null, null, null, 0, 0]);
  expect(rows.filter(({ contradicts }) => contradicts)).toEqual([]);
});

test("a value below a proved bound, a plan where none can be, and a bound that failed its check", () => {
  const wrong = rowsOf([
    line("a", "optimal", { status: "proved", value: 4, bound: 4 }),
    line("a", "greedy", { value: 3 }),
  ]);
  expect(wrong.map(({ contradicts }) => contradicts)).toEqual([false, true]);
  const impossible = rowsOf([line("c", "optimal", { status: "infeasible" }), line("c", "greedy", { value: 3 })]);
  expect(impossible.map(({ contradicts }) => contradicts)).toEqual([false, true]);
  const unproved = rowsOf([
    line("a", "optimal", { status: "proved", value: 4, bound: 4, verified: false }),
    line("a", "greedy", { value: 3 }),
  ]);
  expect(unproved.map(({ provedBound, contradicts }) => [provedBound, contradicts])).toEqual([
    [null, false],
    [null, false],
  ]);
});

test("a method without a plan is held against the bound of its instance too, whatever its goal is called", () => {
  const rows = rowsOf([
    line("a", "optimal", { status: "proved", value: 4, bound: 4 }),
    line("a", "greedy", { status: "none", goal: "" }),
  ]);
  expect(rows.map(({ provedBound, above }) => [provedBound, above])).toEqual([
    [4, 0],
    [4, null],
  ]);
});

test("shares are of the lines that are done, apply and whose instance has a plan", () => {
  const [optimal, greedy] = summaries(rowsOf(CHECKED));
  expect(optimal).toMatchObject({ lines: 5, missing: 1, applicable: 3, plans: 3, optimal: 2, none: 0 });
  expect(greedy).toMatchObject({ lines: 5, missing: 0, applicable: 4, plans: 3, optimal: 1, none: 1 });
  expect(greedy?.gaps).toEqual({ count: 3, mean: 0.5 / 3, median: 0.25, worst: 0.25 });
  expect(worstRows(rowsOf(CHECKED), 1).map(({ line }) => line.instance.name)).toEqual(["a"]);
});

test("a cell with quotes and commas is one cell, and nothing stands for what is not there", () => {
  const rows = rowsOf(CHECKED.slice(0, 1));
  const columns = resultColumns(rows);
  expect(csvText(rows, columns)).toBe(
    `line,instance,problem,file,devices,note,method,askedGap,seed,status,value,bound,provedBound,aboveBound,verified,stopped,reason
1,a,table-placement,a.yaml,2,"a ""b"", c",optimal,,0,proved,4,4,4,0,true,false,
`,
  );
});
