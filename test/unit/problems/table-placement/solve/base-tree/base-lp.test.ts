import { expect, test } from "vitest";
import { drawnPlacement } from "../../../../../../bench/drawn-instances.js";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { BaseLp } from "../../../../../../src/problems/table-placement/solve/base-tree/base-lp.js";
import {
  type BaseModel,
  baseModel,
  type FreePart,
} from "../../../../../../src/problems/table-placement/solve/base-tree/base-model.js";
import { rootNode } from "../../../../../../src/problems/table-placement/solve/base-tree/node.js";
import { distinctOptions } from "../../../../../../src/problems/table-placement/solve/bounds/reduction.js";

const LIMIT = 0.9;

/** A relaxation at the root with so many drawn patterns of three parts each, and those. */
async function filled(count: number) {
  const problem = drawnPlacement({ tables: 12, nodes: 2, gpus: 4, seed: 3 });
  const model = baseModel(problem, directProgram(problem), distinctOptions(problem), 3) as BaseModel;
  const lp = await BaseLp.open(model, null);
  const random = seededRandom(1);
  const drawn: { readonly group: number; readonly parts: readonly FreePart[] }[] = [];
  for (let tries = 0; drawn.length < count && tries < 20 * count; tries++) {
    const group = random.integer(model.groups.length);
    const tables = (model.groups[group]?.parts ?? []).filter((own) => own.length > 0);
    const own = [0, 1, 2].map(() => tables[random.integer(tables.length)] as readonly FreePart[]);
    const parts = [...new Set(own)].map((of) => of[random.integer(of.length)] as FreePart);
    if (lp.add(group, parts)) drawn.push({ group, parts });
  }
  lp.goTo(rootNode(model), LIMIT);
  return { lp, drawn };
}

test("of many patterns those of the optimum are kept, and the others can come again", async () => {
  const { lp, drawn } = await filled(1500);
  expect(lp.patterns).toHaveLength(1500);
  const before = lp.solve() as number;
  const uses = lp.point().uses.map(({ pattern, times }) => `${pattern.key} ${times.toFixed(6)}`);
  expect(uses.length).toBeGreaterThan(3);
  lp.trim();
  expect(lp.patterns.length).toBeLessThan(600);
  expect(lp.solve()).toBeCloseTo(before, 9);
  const after = lp.point().uses.map(({ pattern, times }) => `${pattern.key} ${times.toFixed(6)}`);
  expect(after.sort()).toEqual(uses.sort());
  const left = lp.patterns.length;
  const added = drawn.filter(({ group, parts }) => lp.add(group, parts));
  expect(added).toHaveLength(1500 - left);
  expect(lp.solve()).toBeCloseTo(before, 9);
  lp.dispose();
});

test("few patterns are kept, and so are all where some came since the last solve", async () => {
  const few = await filled(900);
  few.lp.solve();
  few.lp.trim();
  expect(few.lp.patterns).toHaveLength(900);
  few.lp.dispose();
  const unsolved = await filled(1500);
  unsolved.lp.trim();
  expect(unsolved.lp.patterns).toHaveLength(1500);
  unsolved.lp.dispose();
});
