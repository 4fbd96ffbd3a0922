import { expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import type { Grouping } from "../../../src/program/grouping/grouping.js";
import { ProgramError } from "../../../src/program/program.js";
import { type Certificate, readCertificate } from "../../../src/proof/certificate.js";
import { checkCertificate, hashOf } from "../../../src/proof/check.js";

const pairs = [Rational.zero, Rational.zero, Rational.zero];
const grouping: Grouping = {
  name: "three",
  elements: ["a", "b", "c"],
  clusters: 3,
  pairs,
  share: "whole",
  windows: [{ least: 1, most: 1 }],
  load: null,
};
const cut = { items: ["a", "b", "c"], price: "0" };
const json = {
  format: "shardproof-certificate 1",
  program: hashOf(grouping),
  claim: { kind: "bound", bound: "0" },
  steps: [{ groups: { prices: {}, cuts: [cut] } }],
};

test("a certificate that was read cannot be changed where the grammar is not asked again", () => {
  const certificate = readCertificate(json);
  const inner = certificate.steps[0] as unknown as { groups: { cuts: { price: string }[]; prices: object } };
  const changes = [
    () => Object.assign(certificate.claim, { bound: "5" }),
    () => Object.assign(inner.groups.cuts[0] as object, { price: "-5" }),
    () => Object.assign(inner.groups.prices, { a: "1" }),
    () => (certificate.steps as unknown[]).push({ halves: {} }),
  ];
  for (const change of changes) expect(change).toThrow(TypeError);
  expect(checkCertificate(grouping, certificate).bound).toEqual(Rational.zero);
  // What it was read from is another thing.
  cut.price = "-5";
  expect(() => checkCertificate(grouping, json as Certificate)).toThrow("the price of a cut is not negative");
  expect(checkCertificate(grouping, certificate).bound).toEqual(Rational.zero);
});

test("a grouping that was changed after a proof about it is looked at again", () => {
  const certificate = readCertificate({ ...json, steps: [{ groups: { prices: {} } }] });
  expect(checkCertificate(grouping, certificate).bound).toEqual(Rational.zero);
  pairs[0] = Rational.of(-5n);
  expect(() => checkCertificate(grouping, certificate)).toThrow(ProgramError);
});
