import { expect, test } from "vitest";
import { crossProduct, withValues } from "../../../src/study/vary.js";

test("all choices of one value for each key, the last key fastest", () => {
  expect(crossProduct({})).toEqual([{}]);
  expect(crossProduct({ a: [1, 2], b: ["x", "y"] })).toEqual([
    { a: 1, b: "x" },
    { a: 1, b: "y" },
    { a: 2, b: "x" },
    { a: 2, b: "y" },
  ]);
});

test("paths lead through maps and lists, * to all entries, and what they lead from stays as it is", () => {
  const document = { cluster: { nodes: 1 }, tables: [{ rows: 1 }, { rows: 2 }] };
  const varied = withValues(document, { "cluster.nodes": 4, "tables.*.rows": 9, "tables.1.dim": 3, "splits.most": 2 });
  expect(varied).toEqual({
    cluster: { nodes: 4 },
    tables: [{ rows: 9 }, { rows: 9, dim: 3 }],
    splits: { most: 2 },
  });
  expect(document).toEqual({ cluster: { nodes: 1 }, tables: [{ rows: 1 }, { rows: 2 }] });
});

test("a path that leads nowhere says where", () => {
  expect(() => withValues({ name: "a" }, { "name.x": 1 })).toThrow(
    'expected a map or a list at name, received string "a"',
  );
  expect(() => withValues({ tables: [1] }, { "tables.1": 1 })).toThrow("expected an index of a list of 1 at tables.1");
  expect(() => withValues({ tables: [] }, { "tables.*.rows": 1 })).toThrow("expected entries at tables");
});
