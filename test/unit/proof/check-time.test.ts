import { expect, test } from "vitest";
import { seededRandom } from "../../../src/exact/random.js";
import { Rational } from "../../../src/exact/rational.js";
import type { Grouping } from "../../../src/program/grouping/grouping.js";
import { programHash } from "../../../src/program/hash.js";
import { linearForm, makeProgram } from "../../../src/program/program.js";
import type { Certificate } from "../../../src/proof/certificate.js";
import { checkCertificate } from "../../../src/proof/check.js";
import { Verdict } from "../../../src/proof/verdict.js";
import { groupingCertificate } from "../../support/grouping-proof.js";

const { zero, one } = Rational;
const late = new Error("late");

/** Lets so many looks at the time pass, and throws at the next. */
function patience(looks: number) {
  let left = looks;
  return () => {
    if (left-- === 0) throw late;
  };
}

/** min x + y over {0, 1, 2}², 2x + 2y ≥ 3: 3/2 by the relaxation, 2 by lattice; closed leaf by leaf. */
const program = makeProgram({
  columns: ["x", "y"].map((name) => ({ name, lower: zero, upper: Rational.of(2n), integer: true })),
  rows: [
    {
      name: "r",
      form: linearForm([0, 1].map((j) => [j, Rational.of(2n)] as const)),
      lower: Rational.of(3n),
      upper: null,
    },
  ],
  objective: { form: linearForm([0, 1].map((j) => [j, one] as const)) },
});
const steps: Certificate["steps"] = [{ branch: "x", at: "0" }, { bound: { r: "1/2" } }, { bound: { r: "1/2" } }];
const certificate: Certificate = {
  format: "shardproof-certificate 1",
  program: programHash(program),
  claim: { kind: "bound", bound: "2" },
  steps,
};

test("the check of a program looks at the time before every step, and ends with what that throws", () => {
  expect(checkCertificate(program, certificate, patience(steps.length)).bound?.toString()).toBe("2");
  for (let looks = 0; looks < steps.length; looks++) {
    expect(() => checkCertificate(program, certificate, patience(looks))).toThrow(late);
  }
});

test("a verdict is not to be had from a check that was ended", () => {
  expect(() => Verdict.of(program, certificate, [one, one], zero, patience(1))).toThrow(late);
  expect(Verdict.of(program, certificate, [one, one], zero, patience(3)).status).toBe("proved");
});

test("what was checked once gives the verdict again, of its own program alone", () => {
  const checked = checkCertificate(program, certificate);
  expect(Verdict.ofChecked(program, checked, [one, one], zero)).toMatchObject({ status: "proved", checked });
  expect(Verdict.ofChecked(program, checked, [one, Rational.of(2n)], zero).status).toBe("feasible");
  const other = makeProgram({ ...program, rows: [] });
  expect(() => Verdict.ofChecked(other, checked, [one, one], zero)).toThrow("checked for another program");
  expect(() => Verdict.ofChecked(program, checked, [zero, zero], zero)).toThrow("breaks");
});

test("a walk through groups looks at the time within its steps too", () => {
  const items = Array.from({ length: 24 }, (_, k) => `i${k}`);
  const random = seededRandom(3);
  const grouping: Grouping = {
    ...{ name: "halves", elements: items, clusters: 2, share: "whole", load: null },
    windows: [{ least: 12, most: 12 }],
    pairs: Array.from({ length: 276 }, () => Rational.of(BigInt(random.integer(1000)))),
  };
  const proof = groupingCertificate(grouping, Rational.of(58831n), [{ halves: {} }]);
  expect(checkCertificate(grouping, proof).bound?.toString()).toBe("58831");
  let looks = 0;
  const count = () => {
    // The first is before the step.
    if (++looks === 2) throw late;
  };
  expect(() => checkCertificate(grouping, proof, count)).toThrow(late);
});
