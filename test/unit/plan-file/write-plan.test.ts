import fc from "fast-check";
import { expect, test } from "vitest";
import { hasRepeatedKeys } from "../../../src/input/json.js";
import { canonicalJson, planDigest } from "../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../src/plan-file/write-plan.js";

const object = fc.dictionary(fc.string(), fc.jsonValue());

test("what is written reads back, and no key is there twice", () => {
  fc.assert(
    fc.property(object, (value) => {
      const text = writePlan(value);
      const read = JSON.parse(text);
      expect(canonicalJson(read)).toBe(canonicalJson(JSON.parse(JSON.stringify(value))));
      expect(hasRepeatedKeys(text, read)).toBe(false);
    }),
  );
});

test("the canonical form does not depend on the order of keys", () => {
  expect(canonicalJson({ b: [1, { d: "x", c: null }], a: true })).toBe('{"a":true,"b":[1,{"c":null,"d":"x"}]}');
});

test("the digest leaves out timing and itself, and nothing else", () => {
  const plan = { status: "feasible", timing: { totalSeconds: 1 }, digest: "" };
  expect(planDigest({ ...plan, timing: { totalSeconds: 2 }, digest: "x" })).toBe(planDigest(plan));
  expect(planDigest({ ...plan, status: "infeasible" })).not.toBe(planDigest(plan));
});

test("what fits on a line of 120 is on one, what does not is indented", () => {
  const short = {
    runs: [
      [1, "flex"],
      [2, "row_wise"],
    ],
  };
  expect(writePlan(short)).toBe('{"runs": [[1, "flex"], [2, "row_wise"]]}\n');
  const long = { runs: Array.from({ length: 30 }, (_, k) => [k, "flex"]) };
  const lines = writePlan(long).split("\n");
  expect(lines.slice(0, 3)).toEqual(["{", '  "runs": [', '    [0, "flex"],']);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
});

test("long lists of names and numbers stand one on a line, however deep", () => {
  const list = ['t"0', ...Array.from({ length: 60 }, (_, k) => k / 3), null, true];
  for (let depth = 0, value: object = list; depth < 9; depth++, value = [value]) {
    expect(writePlan(value)).toBe(`${JSON.stringify(value, null, 2)}\n`);
  }
});

test("a key that is there twice is seen, also beside strings that look like keys", () => {
  const seen = (text: string) => hasRepeatedKeys(text, JSON.parse(text));
  expect(seen('{"a": 1, "a": 2}')).toBe(true);
  expect(seen('{"a": {"b": 1, "b": 2}}')).toBe(true);
  expect(seen('{"a": "b\\": 1", "c": ["d: ", ":"]}')).toBe(false);
});
