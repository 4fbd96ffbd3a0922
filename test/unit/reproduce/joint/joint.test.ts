import { expect, test } from "vitest";
import { instanceCosts } from "../../../../src/cost/placement/table-costs.js";
import { loadWith } from "../../../../src/instance/load.js";
import { tablePlacementReader } from "../../../../src/problems/table-placement/instance/reader.js";
import { FREEDOMS, isWholeJoint, tightened, variantsOf } from "../../../../src/reproduce/joint/freedoms.js";
import { jointNumbers } from "../../../../src/reproduce/joint/numbers.js";
import { JOINT_MODELS } from "../../../../src/reproduce/joint/reproduce.js";
import type { JointReproduction, JointVariant } from "../../../../src/reproduce/joint/reproduction.js";
import { papersPage } from "../../../../src/reproduce/papers/page.js";
import { shownPaper } from "../../../../src/reproduce/papers/paper.js";

const variant = (without: readonly string[], value: number | null, bound: number | null): JointVariant => ({
  ...{ without, status: "feasible", value, bound },
});

const reproduction = (variants: readonly JointVariant[]): JointReproduction => ({
  workSeconds: 1,
  models: [{ name: "m", instance: "joint/m.yaml", tables: 3, devices: 8, unit: "ms", variants }],
});

test("freedoms are switched off one by one, and all", () => {
  const left = variantsOf(FREEDOMS).map((freedoms) => freedoms.map(({ name }) => name));
  expect(left).toEqual([[], ["hot rows"], ["sizes of caches"], ["hot rows", "sizes of caches"]]);
  expect(variantsOf(FREEDOMS.slice(0, 1))).toHaveLength(2);
});

test("what is left without a freedom are options of the whole instance, with the same costs", async () => {
  const whole = await loadWith([tablePlacementReader], "instances/tiny/placement-hot-rows.yaml");
  const options = (instance: typeof whole) =>
    instanceCosts(instance).tables.map((table) => table.options.map((one) => JSON.stringify(one)));
  const all = options(whole).map((list) => new Set(list));
  for (const freedom of FREEDOMS) {
    const left = options(freedom.without(whole));
    for (const [t, list] of left.entries()) expect(list.filter((one) => !all[t]?.has(one))).toEqual([]);
    expect(left.flat().length).toBeLessThan(options(whole).flat().length);
  }
});

test("bounds with more freedoms hold with fewer, plans with fewer are plans with more", () => {
  const found = tightened([
    variant([], 5, 3),
    variant(["a"], null, 2),
    variant(["b"], 4, 4),
    variant(["a", "b"], 9, null),
  ]);
  expect(found.map(({ value, bound }) => [value, bound])).toEqual([
    [4, 3],
    [9, 3],
    [4, 4],
    [9, 4],
  ]);
});

test("that no plan without a freedom is as good is said where a bound proves it, or a plan disproves it", () => {
  const numbers = jointNumbers(
    reproduction([variant([], 4, 3), variant(["hot rows"], 8, 6), variant(["sizes of caches"], 3, 3)]),
  );
  expect(numbers.map(({ what, verdict, ours, proved }) => [what, verdict, ours, proved])).toEqual([
    ["no plan without hot rows is as good", "holds", 0.5, true],
    ["no plan without sizes of caches is as good", "does not hold", null, true],
  ]);
  const open = jointNumbers(reproduction([variant([], 4, 3), variant(["hot rows"], 4, 3.5)]));
  expect(open.map(({ verdict, by, proved }) => [verdict, by, proved])).toEqual([
    ["cannot be checked", "the gaps leave it open", false],
    ["cannot be checked", "not reached in the time limit", false],
  ]);
});

test("terminal and page say the same, and what the time limit left out", async () => {
  const data = reproduction([variant([], 4, 3), variant(["hot rows"], 8, 6)]);
  expect(isWholeJoint(data)).toBe(false);
  const { sections } = shownPaper({ paper: "joint", data });
  expect(sections[0]?.parts?.[0]).toMatchObject({
    rows: [
      { cells: ["m", "3", "8", expect.anything(), ...new Array(4).fill(expect.anything())] },
      { cells: expect.arrayContaining(["hot rows", "50.0 %"]) },
    ],
  });
  const page = await papersPage([{ paper: "joint", data }]);
  expect(page).toContain("Of 2 statements 1 holds, 0 do not, 1 cannot be checked here.");
  const none = shownPaper({ paper: "joint", data: reproduction([]) });
  expect(none.sections[0]?.parts).toBeNull();
});

test("the models are shipped, with both freedoms and an access curve for every table", async () => {
  for (const file of JOINT_MODELS) {
    const { hotRows, caches, tables } = await loadWith([tablePlacementReader], `instances/${file}`);
    expect([hotRows, caches]).toEqual([{ maxPoints: 8 }, { maxPoints: 8 }]);
    expect(tables.filter(({ access }) => access === undefined)).toEqual([]);
  }
});
