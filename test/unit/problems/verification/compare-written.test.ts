import { expect, test } from "vitest";
import { z } from "zod";
import { covered, number, text } from "../../../../src/plan-file/fields.js";
import { compareWritten } from "../../../../src/problems/verification/compare-written.js";
import { VerificationDraft } from "../../../../src/problems/verification/verification.js";

const schema = z.strictObject({
  value: number,
  rows: z.array(z.strictObject({ name: text, more: covered("later", number.optional()) })),
  digest: text,
});
const expected = { value: 1, rows: [{ name: "a", more: 2 }], digest: "of all" };

function compared(written: object) {
  const draft = new VerificationDraft();
  compareWritten(draft, { expected, written }, schema, "the plan");
  const { passed, differences, checks } = draft.done();
  return { passed, paths: differences.map(({ path }) => path), detail: checks[0]?.detail };
}

test("a file from before a field was there is without it, and has the digest of what it has", () => {
  const older = { value: 1, rows: [{ name: "a" }], digest: "of what there is" };
  expect(compared(older)).toEqual({
    ...{ passed: true, paths: [] },
    detail: "1 number computed again from the plan, all equal",
  });
  expect(compared({ ...older, value: 3 })).toMatchObject({ passed: false, paths: ["value"] });
  expect(compared({ ...older, rows: [{}] })).toMatchObject({ passed: false, paths: ["rows[0].name"] });
});

test("where the field is there it is computed again, and the digest is of all", () => {
  expect(compared(expected)).toMatchObject({
    passed: true,
    detail: "2 numbers computed again from the plan, all equal",
  });
  const other = { ...expected, rows: [{ name: "a", more: 3 }] };
  expect(compared(other)).toMatchObject({ passed: false, paths: ["rows[0].more"] });
  expect(compared({ ...expected, digest: "x" })).toMatchObject({ passed: false, paths: ["digest"] });
});
