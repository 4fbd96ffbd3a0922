import { afterEach, expect, test, vi } from "vitest";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import { placementProblem } from "../../../../../../models/table-placement/from-instance.js";
import type { Placement, PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { parseInstance } from "../../../../../../src/problems/planning/instances.js";
import type { Switch } from "../../../../../../src/problems/table-placement/solve/base-tree/base-model.js";
import { distinctOptions } from "../../../../../../src/problems/table-placement/solve/bounds/reduction.js";
import { GuidedSearch } from "../../../../../../src/problems/table-placement/solve/guided/guided-search.js";
import { JOB_UNITS, type Job, runJob } from "../../../../../../src/problems/table-placement/solve/guided/job.js";
import { SearchThread } from "../../../../../../src/problems/table-placement/solve/guided/search-thread.js";
import { searchPlacement } from "../../../../../../src/problems/table-placement/solve/local-search/index.js";
import { Incumbent } from "../../../../../../src/search/branch-and-bound/incumbent.js";
import { Work } from "../../../../../../src/search/work.js";
import { generate } from "../../../../../../src/study/generate/generate.js";

afterEach(() => vi.restoreAllMocks());

/** A drawn problem of two hosts of two GPUs. */
function drawn(seed = 1) {
  const text = generate("tables", { distribution: "torchrec", tables: 10, nodes: 2, gpusPerNode: 2 }, seed);
  const instance = parseInstance(text, "drawn.yaml");
  if (instance.problem !== "table-placement") throw new TypeError("a drawn instance places tables");
  const problem = placementProblem(instance);
  return { problem, direct: directProgram(problem), open: distinctOptions(problem) };
}

const guide = { options: { seed: 1 } };

/** What local search finds. */
function foundBy(problem: PlacementProblem, job: Pick<Job, "taken" | "open" | "best">) {
  return runJob(problem, { seed: 1, without: new Set(), ...job });
}

/** A relaxation that takes one option of each table. */
function relaxationOf({ problem }: ReturnType<typeof drawn>, placement: Placement) {
  const switches = problem.tables.flatMap(({ options }, table) =>
    options.map((_, option) => ({ table, option, group: -1 }) as Switch),
  );
  const values = Float64Array.from(switches, ({ table, option }) =>
    placement.choices[table]?.option === option ? 1 : 0,
  );
  return { switches, values };
}

/** Values after each exchange, with the last relaxation that it was told of. */
async function searched(from: ReturnType<typeof drawn>, placement: Placement | null, exchanges: number) {
  const { problem, direct, open } = from;
  const work = new Work();
  const incumbent = new Incumbent(direct.program);
  const beside = new GuidedSearch(problem, direct, { ...guide, incumbent, work, open }, false);
  if (placement !== null) {
    const { switches, values } = relaxationOf(from, placement);
    beside.heed(switches, values);
  }
  const values: (number | undefined)[] = [];
  const isBetter: boolean[] = [];
  for (let k = 0; k < exchanges; k++) {
    expect(beside.isDue).toBe(false);
    work.spend(JOB_UNITS * 4);
    expect(beside.isDue).toBe(true);
    isBetter.push(await beside.exchange());
    values.push(incumbent.value?.toNumber());
  }
  const { done } = work;
  await beside.dispose();
  return { values, isBetter, done };
}

test("a job looks among the options that a relaxation takes, and then among all", () => {
  const { problem, open } = drawn();
  const { placement } = searchPlacement(problem, { seed: 3, maxRounds: 4 });
  const options = (placement as Placement).choices.map(({ option }) => option);
  const taken = problem.tables.map((table, t) => table.options.map((_, o) => o === options[t]));
  const optionsOf = (found: Placement | null) => found?.choices.map(({ option }) => option);
  // Where no others are open the second search keeps to them.
  expect(optionsOf(foundBy(problem, { taken, open: taken, best: null }))).toEqual(options);
  const dearest = problem.tables.map((table) => table.options.map((_, o) => o === table.options.length - 1));
  const all = foundBy(problem, { taken: dearest, open, best: null });
  expect(optionsOf(all)).not.toEqual(problem.tables.map((table) => table.options.length - 1));
});

test("a job without a relaxation goes on from the best placement", () => {
  const { problem, direct, open } = drawn();
  const { placement: best } = searchPlacement(problem, { seed: 3, maxRounds: 4 });
  const worthOf = (placement: Placement | null) =>
    direct.pointOf(placement as Placement)[direct.structure.largest]?.toNumber();
  const found = foundBy(problem, { taken: null, open, best });
  expect(worthOf(found)).toBeLessThanOrEqual(worthOf(best) as number);
});

test("what is found is taken, told as better once, and does not depend on who comes first", async () => {
  const from = drawn();
  const { placement } = searchPlacement(from.problem, { seed: 3, maxRounds: 4 });
  const [first, second] = [await searched(from, placement, 3), await searched(from, placement, 3)];
  expect(first.values[0]).toBeUndefined();
  expect(first.values[1]).toBeGreaterThan(0);
  expect(first.isBetter.slice(0, 2)).toEqual([false, true]);
  expect(second).toEqual(first);
}, 300_000);

test("without threads jobs find the same in between, and count as work", async () => {
  const from = drawn();
  const { placement } = searchPlacement(from.problem, { seed: 3, maxRounds: 4 });
  const beside = await searched(from, placement, 2);
  vi.spyOn(SearchThread, "open").mockReturnValue(null);
  const between = await searched(from, placement, 2);
  expect(between.values).toEqual(beside.values);
  expect(between.done).toBeGreaterThan(beside.done + JOB_UNITS);
}, 300_000);

test("a thread that ends is not asked again", async () => {
  const { problem, direct, open } = drawn();
  const work = new Work();
  const own = { ...guide, incumbent: new Incumbent(direct.program), work, open };
  const run = vi.fn(() => Promise.reject(new Error("ended")));
  vi.spyOn(SearchThread, "open").mockReturnValue({ run, close: async () => {} } as unknown as SearchThread);
  const beside = new GuidedSearch(problem, direct, own, false);
  work.spend(1e6);
  await beside.exchange();
  work.spend(1e6);
  expect(await beside.exchange()).toBe(false);
  work.spend(1e6);
  expect([beside.isDue, beside.isAtWork]).toEqual([false, false]);
  expect(run).toHaveBeenCalledTimes(1);
});

test("a job that is late is not waited for", async () => {
  const { problem, direct, open } = drawn();
  let isOver = false;
  const work = new Work(() => isOver);
  const own = { ...guide, incumbent: new Incumbent(direct.program), work, open };
  const run = () => new Promise<null>(() => {});
  vi.spyOn(SearchThread, "open").mockReturnValue({ run, close: async () => {} } as unknown as SearchThread);
  const beside = new GuidedSearch(problem, direct, own, false);
  work.spend(1e6);
  await beside.exchange();
  isOver = true;
  expect(await beside.exchange()).toBe(false);
});
