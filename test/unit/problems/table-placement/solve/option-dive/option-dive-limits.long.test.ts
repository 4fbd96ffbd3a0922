import { afterEach, expect, test, vi } from "vitest";
import { lognormalPlacement } from "../../../../../../bench/drawn-instances.js";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import type { Rational } from "../../../../../../src/exact/rational.js";
import { OptionDive } from "../../../../../../src/problems/table-placement/solve/option-dive/option-dive.js";
import { OptionDiveTurns } from "../../../../../../src/problems/table-placement/solve/option-dive/option-dive-turns.js";
import { SolverError } from "../../../../../../src/solvers/solver-error.js";
import { begunTurns, UNITS } from "./begun-turns.js";

afterEach(() => vi.restoreAllMocks());

const problem = lognormalPlacement(20, 12, 10, 2);

const begun = () => begunTurns(problem);

test("it is for one host of like devices, of limited memory, and for what is open", () => {
  const applies = (own: PlacementProblem, bound = 1) =>
    new OptionDiveTurns(own, directProgram(own), 0).applies(bound, 2);
  expect(applies(problem)).toBe(true);
  expect(applies(problem, 1.9999)).toBe(false);
  expect(applies({ ...problem, nodes: 2, gpusPerNode: 6 })).toBe(false);
  expect(applies({ ...problem, hbmBytes: problem.hbmBytes.map(() => Number.POSITIVE_INFINITY) })).toBe(false);
  expect(applies({ ...problem, apart: [[0, 1]] })).toBe(false);
});

test("a limit that relaxations are above is not asked about again, nor is what is below it", async () => {
  const { search, turns } = begun();
  const open = vi.spyOn(OptionDive, "open");
  vi.spyOn(OptionDive.prototype, "isOpen").mockReturnValue(false);
  const run = vi.spyOn(OptionDive.prototype, "run");
  await turns.turn(search, search.work.slice(UNITS));
  const limits = open.mock.calls.map(([, , limit]) => limit);
  expect(limits.length).toBeGreaterThan(3);
  limits.forEach((limit, k) => {
    expect(limit).toBeGreaterThan(limits[k - 1] ?? search.bound.toNumber());
    expect(limit).toBeLessThan(search.incumbent.value?.toNumber() as number);
  });
  expect(run).not.toHaveBeenCalled();
  const { bound, incumbent } = search;
  expect(turns.applies(bound.toNumber(), incumbent.value?.toNumber() as number)).toBe(false);
});

test("a limit that is open still at the end of a turn is gone on with at the next one", async () => {
  const { search, turns } = begun();
  const open = vi.spyOn(OptionDive, "open");
  const stopped = (units: number) =>
    vi.spyOn(OptionDive.prototype, "isOpen").mockImplementation((shouldStop) => (shouldStop(units) ? null : true));
  stopped(UNITS / 8);
  await turns.turn(search, search.work.slice(UNITS / 8));
  await turns.turn(search, search.work.slice(UNITS / 8));
  expect(open).toHaveBeenCalledTimes(1);
  stopped(1);
  const run = vi.spyOn(OptionDive.prototype, "run").mockImplementation(async (_, shouldStop) => {
    shouldStop(UNITS / 20);
    return null;
  });
  await turns.turn(search, search.work.slice(UNITS / 20));
  await turns.turn(search, search.work.slice(UNITS / 20));
  expect(run.mock.calls.map(([random]) => random === null)).toEqual([true, false]);
  expect(open).toHaveBeenCalledTimes(1);
});

test("where a limit was open before, one that takes too long is as good as closed", async () => {
  const { search, turns } = begun();
  const open = vi.spyOn(OptionDive, "open");
  vi.spyOn(OptionDive.prototype, "isOpen").mockImplementation((shouldStop) => {
    if (open.mock.calls.length === 1) return true;
    while (!shouldStop(100));
    return null;
  });
  vi.spyOn(OptionDive.prototype, "run").mockImplementation(async (_, shouldStop) => {
    shouldStop(UNITS / 5);
    return null;
  });
  await turns.turn(search, search.work.slice(UNITS));
  const limits = open.mock.calls.map(([, , limit]) => limit);
  expect(limits.length).toBeGreaterThan(2);
  expect(limits).toEqual([...new Set(limits)].sort((a, b) => a - b));
});

test("relaxations that take too long are given up, and dives with them", async () => {
  const { search, turns } = begun();
  vi.spyOn(OptionDive.prototype, "isOpen").mockImplementation((shouldStop) => {
    while (!shouldStop(100));
    return null;
  });
  await turns.turn(search, search.work.slice(UNITS));
  expect(turns.applies(1, 2)).toBe(false);
});

test("where HiGHS ends, there are no more dives", async () => {
  const { search, turns } = begun();
  const open = vi.spyOn(OptionDive, "open").mockRejectedValue(new SolverError("crash", "aborted"));
  await turns.turn(search, search.work.slice(UNITS));
  expect(open).toHaveBeenCalledTimes(1);
  expect(turns.applies(1, 2)).toBe(false);
});

test("where a placement is refused that patterns have room for, there are no more dives", async () => {
  const { direct, search, turns } = begun();
  const known = direct.recover(search.incumbent.point as readonly Rational[]);
  vi.spyOn(OptionDive.prototype, "isOpen").mockReturnValue(true);
  const run = vi.spyOn(OptionDive.prototype, "run").mockResolvedValue(known);
  await turns.turn(search, search.work.slice(UNITS));
  expect(run).toHaveBeenCalledTimes(1);
  expect(turns.applies(1, 2)).toBe(false);
});
