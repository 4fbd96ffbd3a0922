import { expect, test } from "vitest";
import { compareClaim } from "../../../src/plan-file/claim.js";

const PROVED = { value: 2, bound: 1.999999 };
const NONE = { value: null, bound: null };

test.each([
  { status: "optimal", value: 2, bound: 2, proved: PROVED, agrees: true },
  { status: "optimal", value: 1.9999995, bound: 1.9999995, proved: PROVED, agrees: true },
  { status: "optimal", value: 1.9, bound: 1.9, proved: PROVED, agrees: false },
  { status: "optimal", value: 2.1, bound: 2.1, proved: PROVED, agrees: false },
  { status: "optimal", value: 2.1, bound: null, proved: PROVED, agrees: false },
  { status: "feasible", value: 2.1, bound: 1.5, proved: PROVED, agrees: true },
  { status: "unknown", value: null, bound: 2.1, proved: PROVED, agrees: false },
  { status: "infeasible", value: null, bound: null, proved: PROVED, agrees: false },
  { status: "infeasible", value: null, bound: null, proved: NONE, agrees: true },
  { status: "optimal", value: 2, bound: 2, proved: NONE, agrees: false },
  { status: "crash", value: null, bound: null, proved: PROVED, agrees: true },
])("$status with $value and $bound beside $proved: $agrees", ({ proved, agrees, ...claim }) => {
  expect(compareClaim({ solver: "a solver", ...claim }, proved).agrees).toBe(agrees);
});
