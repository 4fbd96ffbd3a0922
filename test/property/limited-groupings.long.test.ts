import { expect, test } from "vitest";
import { towerGrouping } from "../../models/tower-partition/build.js";
import { cliqueProgram } from "../../models/tower-partition/clique-program.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { solveGrouping } from "../../src/problems/tower-partition/solve/solve.js";
import { evaluate } from "../../src/program/evaluate.js";
import { evaluateGrouping } from "../../src/program/grouping/evaluate.js";
import { CertificateError } from "../../src/proof/certificate.js";
import { checkCertificate } from "../../src/proof/check.js";
import { isAllowed, partitions, partitionValue } from "../support/brute-force-towers.js";
import { groupingCertificate, randomSteps } from "../support/grouping-proof.js";
import { groupsProgram } from "../support/groups-program.js";
import { keepsLimits, randomLimits } from "../support/random-limits.js";
import { randomTowers } from "../support/random-towers.js";

const TRIFLE = Rational.of(1n, 1n << 70n);

/** A grouping with further loads and conflicts, and the least value of all partitions that keep to them. */
function limited(random: Random, features: number, numbers: readonly number[] | null = null) {
  const { parts, interaction } = randomTowers(random, { features, towers: 2 + random.integer(3) });
  if (numbers !== null)
    interaction.forEach((_, k) => {
      interaction[k] = numbers[random.integer(numbers.length)] as number;
    });
  const plain = towerGrouping(parts, interaction);
  const limits = randomLimits(random, plain);
  const allowed = partitions(parts.features.length, parts.towers).filter((labels) => isAllowed(parts, labels));
  const values = allowed
    .filter((labels) => keepsLimits(limits, labels))
    .map((labels) => partitionValue(parts, interaction, labels));
  const best = values.reduce<Rational | null>(
    (least, each) => (least && least.compare(each) <= 0 ? least : each),
    null,
  );
  return { grouping: { ...plain, ...limits }, limits, best, allowed, isLess: values.length < allowed.length };
}

test.each([
  ["alike", 7301, 200, null, 30, 20],
  ["far apart", 7304, 100, [0, 1, 0.9, 5e-17, 1e-18, 1e-300], 10, 5],
] as const)(
  "within further loads and conflicts the proved optimum is that of all partitions: numbers %s",
  async (_, first, cases, values, leastLimited, leastInfeasible) => {
    const random = seededRandom(first);
    const seen = { limited: 0, infeasible: 0 };
    for (let seed = 0; seed < cases; seed++) {
      const { grouping, best, isLess } = limited(random, values === null ? 8 : 7, values);
      const { verdict } = await solveGrouping(grouping, { starts: [], gap: Rational.zero, timeLimitSeconds: 60, seed });
      expect([seed, verdict?.status]).toEqual([seed, best === null ? "infeasible" : "proved"]);
      expect([seed, verdict?.bound?.toString()]).toEqual([seed, best?.toString()]);
      if (isLess) seen[best === null ? "infeasible" : "limited"]++;
    }
    expect(seen.limited).toBeGreaterThan(leastLimited);
    expect(seen.infeasible).toBeGreaterThan(leastInfeasible);
  },
);

test("any prices, pairs and halves prove the optimum within limits, and nothing above it", () => {
  const random = seededRandom(7302);
  const seen = { limited: 0, infeasible: 0 };
  for (let round = 0; round < 120; round++) {
    const { grouping, best, isLess } = limited(random, 8);
    const dual = () => Rational.fromNumber(random.next() - 0.3);
    const duals = () => ({ elements: grouping.elements.map(dual), sets: [] });
    const steps = randomSteps(grouping, random, duals, random.integer(3));
    const check = (claim: Rational | null) => checkCertificate(grouping, groupingCertificate(grouping, claim, steps));
    expect(check(best).bound?.toString()).toBe(best?.toString());
    if (isLess) seen[best === null ? "infeasible" : "limited"]++;
    if (best === null) continue;
    expect(() => check(best.add(TRIFLE))).toThrow(CertificateError);
    expect(() => check(null)).toThrow(CertificateError);
  }
  expect(seen.limited).toBeGreaterThan(20);
  expect(seen.infeasible).toBeGreaterThan(10);
});

test("the evaluation and the written programs have the same partitions", () => {
  const random = seededRandom(7303);
  const seen = { kept: 0, broken: 0 };
  for (let round = 0; round < 40; round++) {
    const { grouping, limits, allowed } = limited(random, 6);
    const { program, pointOf } = cliqueProgram(grouping);
    const clusters = new Set(groupsProgram(grouping).columns.map(({ name }) => name));
    for (const labels of allowed) {
      const isKept = keepsLimits(limits, labels);
      expect(evaluateGrouping(grouping, labels).violations.length === 0).toBe(isKept);
      expect(evaluate(program, pointOf(labels)).violations.length === 0).toBe(isKept);
      const named = [...new Set(labels)].map((cluster) => {
        return `g_${[...labels.keys()].filter((element) => labels[element] === cluster).join("_")}`;
      });
      expect(named.every((name) => clusters.has(name))).toBe(isKept);
      seen[isKept ? "kept" : "broken"]++;
    }
  }
  expect(seen.kept).toBeGreaterThan(120);
  expect(seen.broken).toBeGreaterThan(60);
});
