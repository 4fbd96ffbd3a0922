import { expect, test } from "vitest";
import { readMps } from "../../src/program/mps/read.js";
import { solveExactly } from "../../src/search/exact-milp/solve-exactly.js";

// Multipliers were assigned by row name, and an assignment to `__proto__` sets no field: the certificate lost its row.
test("a row called __proto__ keeps its multiplier", async () => {
  const text = "NAME p\nROWS\n N o\n G __proto__\nCOLUMNS\n __proto__ o 1 __proto__ 2\nRHS\n r __proto__ 5\nENDATA\n";
  const { verdict, certificate } = await solveExactly(readMps(text));
  expect([verdict?.status, verdict?.bound?.toString()]).toEqual(["proved", "5/2"]);
  expect(JSON.stringify(certificate?.steps)).toBe('[{"bound":{"__proto__":"1/2"}}]');
});
