import fc from "fast-check";
import { expect, test } from "vitest";
import { blockSizes, dealt, rowBlocks } from "../../../src/interop/torchrec/blocks.js";

const sizes = fc.record({ rows: fc.integer({ min: 1, max: 300 }), ranks: fc.integer({ min: 1, max: 20 }) });

test("blocks are TorchRec's own", () => {
  expect(blockSizes(10, 4)).toEqual([3, 3, 3, 1]);
  expect(blockSizes(5, 4)).toEqual([2, 2, 1, 0]);
  expect(blockSizes(4, 4)).toEqual([1, 1, 1, 1]);
  expect(blockSizes(1, 3)).toEqual([1, 0, 0]);
});

test("dealing hot rows out is a permutation", () => {
  fc.assert(
    fc.property(sizes, ({ rows, ranks }) => {
      const blocks = rowBlocks(rows, ranks);
      const places = Array.from({ length: rows }, (_, position) => dealt(position, blocks));
      expect([...places].sort((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, row) => row));
    }),
  );
});

test("every GPU that is not full has as many of the hottest rows as the others, up to one", () => {
  fc.assert(
    fc.property(sizes, ({ rows, ranks }) => {
      const blocks = rowBlocks(rows, ranks);
      const capacity = blockSizes(rows, ranks);
      const held = capacity.map(() => 0);
      for (let position = 0; position < rows; position++) {
        const rank = Math.floor(dealt(position, blocks) / blocks.block);
        held[rank] = (held[rank] as number) + 1;
        const open = held.filter((count, k) => count < (capacity[k] as number));
        const most = Math.max(...held);
        for (const count of open) expect(most - count).toBeLessThanOrEqual(1);
      }
      expect(held).toEqual(capacity);
    }),
  );
});
