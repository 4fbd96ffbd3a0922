import { expect, test } from "vitest";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { boundsOnGrid } from "../../../../../../src/problems/table-placement/solve/base-tree/pattern-grid.js";

interface Item {
  readonly part: { readonly cost: number; readonly hbm: number };
  readonly value: number;
}

/** The best value of at most one item of each table within both rooms, by trying all. */
function best(tables: readonly (readonly Item[])[], cost: number, bytes: number): number {
  const [own, ...others] = tables;
  if (own === undefined) return 0;
  const ways = own.flatMap(({ part, value }) =>
    part.cost > cost || part.hbm > bytes ? [] : [value + best(others, cost - part.cost, bytes - part.hbm)],
  );
  return Math.max(best(others, cost, bytes), ...ways);
}

const MEMORIES = [1, 1, 1, 0, Number.POSITIVE_INFINITY];

test("no pattern of the first tables is worth more than the grid says, and the bound is near, whatever is limited", () => {
  const random = seededRandom(11);
  let [near, draws] = [0, 0];
  for (let k = 0; k < 200; k++) {
    const memory = MEMORIES[k % MEMORIES.length] as number;
    const tables = Array.from({ length: 6 }, () =>
      Array.from({ length: 1 + random.integer(3) }, (): Item => {
        const hbm = memory === 0 || random.next() < 0.2 ? 0 : random.next();
        return { part: { cost: random.next(), hbm }, value: random.next() };
      }),
    );
    const { rest, most, cells } = boundsOnGrid(tables, 1.5, memory);
    expect(cells).toBeGreaterThan(0);
    expect(most).toBeGreaterThanOrEqual(best(tables, 1.5, memory));
    for (let open = 0; open <= tables.length; open++) {
      const [cost, bytes] = [1.5 * random.next(), memory === 1 ? random.next() : memory];
      const exact = best(tables.slice(0, open), cost, bytes);
      expect(rest(open, cost, bytes), `draw ${k}`).toBeGreaterThanOrEqual(exact);
      draws++;
      if (rest(open, cost, bytes) <= 1.05 * exact + 1e-9) near++;
    }
  }
  expect(near / draws).toBeGreaterThan(0.8);
});
