import { expect, test } from "vitest";
import { towerGrouping } from "../../models/tower-partition/build.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import type { Grouping } from "../../src/program/grouping/grouping.js";
import { CertificateError, readCertificate, type Step } from "../../src/proof/certificate.js";
import { checkCertificate } from "../../src/proof/check.js";
import type { SetDual } from "../../src/proof/kernel/grouping/dual-values.js";
import { Verdict } from "../../src/proof/verdict.js";
import { bruteForceTowers } from "../support/brute-force-towers.js";
import { groupingCertificate, randomSteps } from "../support/grouping-proof.js";
import { randomTowers } from "../support/random-towers.js";

const TRIFLE = Rational.of(1n, 1n << 70n);

test("any prices prove the optimum of a random instance, and nothing above it", { timeout: 300_000 }, () => {
  const random = seededRandom(7101);
  const seen = { proved: 0, infeasible: 0, refused: 0, withListed: 0, withCuts: 0 };
  for (let round = 0; round < 150; round++) {
    const { parts, interaction } = randomTowers(random, { features: 8 });
    const grouping = towerGrouping(parts, interaction);
    const best = bruteForceTowers(parts, interaction);
    const claim = best?.value ?? null;
    const duals = () => {
      const elements = drawnDuals(random, grouping, claim);
      return { elements, sets: [...drawnSubsetRows(random, elements), ...drawnSets(random, elements)] };
    };
    const steps = randomSteps(grouping, random, duals, random.integer(3));
    const certificate = groupingCertificate(grouping, claim, steps);
    const read = readCertificate(JSON.parse(JSON.stringify(certificate)));
    const verdict = Verdict.of(grouping, read, best?.numbering ?? null, Rational.zero);
    expect(verdict.status).toBe(best === null ? "infeasible" : "proved");
    if (claim === null) {
      seen.infeasible++;
      continue;
    }
    seen.proved++;
    if (steps.some((step) => "groups" in step && step.groups.listed !== undefined)) seen.withListed++;
    if (steps.some((step) => "groups" in step && step.groups.cuts !== undefined)) seen.withCuts++;
    for (const [beyond, made] of [
      [claim.add(TRIFLE), steps],
      [claim.add(TRIFLE), randomSteps(grouping, random, duals, 1)],
      [claim.add(Rational.one), randomSteps(grouping, random, duals, 2)],
      [null, steps],
      [null, randomSteps(grouping, random, duals, 1)],
      [claim.add(TRIFLE), mutated(steps, random)],
      [claim.add(TRIFLE), mutated(mutated(steps, random), random)],
    ] as const) {
      expect(() => checkCertificate(grouping, groupingCertificate(grouping, beyond, made))).toThrow(CertificateError);
      seen.refused++;
    }
  }
  expect(seen.infeasible).toBeGreaterThan(5);
  expect(seen.withListed).toBeGreaterThan(40);
  expect(seen.withCuts).toBeGreaterThan(40);
});

test("two groups: going through the halves proves the optimum, and nothing above it", () => {
  const random = seededRandom(7102);
  const seen = { proved: 0, infeasible: 0 };
  for (let round = 0; round < 200; round++) {
    const { parts, interaction } = randomTowers(random, { features: 9, towers: 2 });
    const grouping = towerGrouping(parts, interaction);
    const best = bruteForceTowers(parts, interaction);
    const halves = grouping.windows.map(() => ({ halves: {} }) as const);
    const prove = (claim: Rational | null) => checkCertificate(grouping, groupingCertificate(grouping, claim, halves));
    if (best === null) {
      expect(prove(null).bound).toBeNull();
      seen.infeasible++;
      continue;
    }
    expect(prove(best.value).bound).toEqual(best.value);
    expect(() => prove(best.value.add(TRIFLE))).toThrow(CertificateError);
    expect(() => prove(null)).toThrow(CertificateError);
    seen.proved++;
  }
  expect(seen.proved).toBeGreaterThan(100);
  expect(seen.infeasible).toBeGreaterThan(3);
});

/**
 * Steps with one of them left out, twice there, exchanged with another, without what follows, or with another price.
 */
function mutated(steps: readonly Step[], random: Random): readonly Step[] {
  if (steps.length === 0) return steps;
  const at = random.integer(steps.length);
  const step = steps[at] as Step;
  const rest = steps.toSpliced(at, 1);
  switch (random.integer(4)) {
    case 0:
      return rest;
    case 1:
      return steps.toSpliced(at, 0, step);
    case 2:
      return rest.toSpliced(random.integer(steps.length), 0, step);
    default: {
      if (!("groups" in step)) return rest.toSpliced(at, 0, { groups: { prices: {} } });
      const duals = { ...step.groups.prices, f0: Rational.fromNumber(random.next() - 0.5).toString() };
      const { listed, ...own } = step.groups;
      const isKept = listed !== undefined && random.integer(2) === 0;
      return rest.toSpliced(at, 0, { groups: { ...own, prices: duals, ...(isKept ? { listed } : {}) } });
    }
  }
}

/** A few triples, in half of all cases, with prices like those of the items. */
function drawnSubsetRows(random: Random, duals: readonly Rational[]): readonly SetDual[] {
  if (duals.length < 3 || random.integer(2) === 0) return [];
  return Array.from({ length: 1 + random.integer(5) }, () => {
    const elements = [...duals.keys()];
    const take = () => elements.splice(random.integer(elements.length), 1)[0] as number;
    const dual = (duals[random.integer(duals.length)] as Rational).absolute();
    return { elements: [take(), take(), take()] as const, divisor: 2, dual };
  });
}

/** A few sets of three to all items, in half of all cases, with divisors from 2 on. */
function drawnSets(random: Random, duals: readonly Rational[]): readonly SetDual[] {
  if (duals.length < 4 || random.integer(2) === 0) return [];
  return Array.from({ length: 1 + random.integer(4) }, () => {
    const divisor = 2 + random.integer(duals.length - 3);
    const elements = [...duals.keys()];
    const more = random.integer(duals.length - divisor);
    while (elements.length > divisor + 1 + more) elements.splice(random.integer(elements.length), 1);
    const dual = (duals[random.integer(duals.length)] as Rational).absolute();
    return { elements, divisor, dual };
  });
}

/** Prices of every kind: none, small ones, near what the items cost in the best partition, huge, with many digits. */
function drawnDuals(random: Random, grouping: Grouping, value: Rational | null): readonly Rational[] {
  const share = (value?.toNumber() ?? 1) / grouping.elements.length;
  const kind = random.integer(5);
  return grouping.elements.map(() => {
    switch (kind) {
      case 0:
        return Rational.zero;
      case 1:
        return Rational.fromNumber(random.next() - 0.5);
      case 2:
        return Rational.fromNumber(share * (0.8 + 0.4 * random.next()));
      case 3:
        return Rational.of(BigInt(random.integer(2_000_000)) - 1_000_000n).multiply(Rational.of(10n ** 12n));
      default:
        return Rational.of(BigInt(random.integer(1000)), 997n);
    }
  });
}
