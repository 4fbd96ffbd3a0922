import { expect, test } from "vitest";
import { aggregatedProgram } from "../../models/table-placement/aggregated-program.js";
import { belowCeiling, canHaveCeiling } from "../../models/table-placement/below-ceiling.js";
import { countedProgram } from "../../models/table-placement/counted-program.js";
import { directProgram } from "../../models/table-placement/direct-program.js";
import { evaluatePlacement, goalValue } from "../../models/table-placement/evaluate.js";
import { hostsProgram } from "../../models/table-placement/hosts-problem.js";
import { withMemoryAside } from "../../models/table-placement/memory-aside.js";
import { numberedProgram } from "../../models/table-placement/numbered-program.js";
import type { Placement, PlacementProblem } from "../../models/table-placement/problem.js";
import { partOf } from "../../models/table-placement/proved-program.js";
import { stageProblem, stageProgram } from "../../models/table-placement/stage-problem.js";
import type { Held } from "../../models/table-placement/stages.js";
import type { Rational } from "../../src/exact/rational.js";
import { allowedValue } from "../../src/instance/allowance.js";
import type { BoundedProgram } from "../../src/problems/table-placement/solve/known-plans.js";
import { evaluate } from "../../src/program/evaluate.js";
import { drawFrom } from "../fuzz/oracle/draw.js";
import { type BruteForcePlacement, feasiblePlacements } from "../support/brute-force-placement.js";
import { drawnPlacement } from "../support/drawn-placements.js";
import { drawsOf } from "../support/draws.js";
import { forEachPlacement, tinyStagedPlacement } from "../support/tiny-placement.js";

const draws = drawsOf(1000, 0);

/** Placements of a problem that are looked for in each program: the best, and others through all of them. */
const BEST = 10;
const OTHERS = 30;

/** Every derived program that bounds are proved of, by name. */
function* programsOf(problem: PlacementProblem): Generator<readonly [name: string, bounded: BoundedProgram | null]> {
  yield ["direct", directProgram(problem)];
  if (problem.goal === "phases") return;
  const aside = withMemoryAside(problem);
  for (const [what, own] of [
    ["", problem],
    ["memory aside, ", aside],
  ] as const) {
    yield [`${what}aggregated`, problem.stay === undefined ? aggregatedProgram(own) : null];
    yield [`${what}counted`, countedProgram(own, false)];
    if (own === problem) {
      yield ["counted with memory", countedProgram(own, true)];
      yield ["numbered", numberedProgram(own)];
    } else yield [`${what}direct`, directProgram(own)];
    if (own.nodes > 1) yield [`${what}hosts`, hostsProgram(own)];
  }
}

/** The same below a ceiling. */
function* programsBelow(problem: PlacementProblem, ceiling: Rational): ReturnType<typeof programsOf> {
  const restriction = belowCeiling(problem, ceiling);
  expect(restriction, "something is within what a placement comes to").not.toBeNull();
  if (restriction === null) return;
  for (const [name, bounded] of programsOf(restriction.problem)) {
    if (bounded === null) continue;
    const { ceiling: own = ceiling } = bounded;
    yield [`below a ceiling, ${name}`, partOf(restriction, bounded, own.compare(ceiling) < 0 ? own : ceiling)];
  }
}

/** The best placements, and some of the others. */
function sampled(all: readonly BruteForcePlacement[]): readonly BruteForcePlacement[] {
  const sorted = all.toSorted((a, b) => a.largest.compare(b.largest));
  const step = Math.max(1, Math.floor(sorted.length / OTHERS));
  return sorted.filter((_, k) => k < BEST || k % step === 0);
}

/** Why a program does not have a placement with just its value; `null` where it does. */
function missing({ program, pointOf }: BoundedProgram, { placement, largest }: BruteForcePlacement): string | null {
  const { objective, violations } = evaluate(program, pointOf(placement));
  const [first] = violations;
  if (first !== undefined) return `${first.kind} of ${first.name} by ${first.amount}`;
  return objective.equals(largest) ? null : `it comes to ${objective}, not ${largest}`;
}

test(`${draws.amount} problems from seed ${draws.seed}: every placement has a point of its value in every program of the problem`, {
  timeout: 7_200_000,
}, () => {
  const seen: Record<string, number> = {};
  const faults: string[] = [];
  for (const seed of draws.seeds) {
    const problem = drawnPlacement(seed);
    const plans = sampled([...feasiblePlacements(problem)]);
    const [best] = plans;
    if (best === undefined) {
      seen.infeasible = (seen.infeasible ?? 0) + 1;
      continue;
    }
    const ceilings = canHaveCeiling(problem) ? [best, plans[3], plans[Math.floor(plans.length / 2)]] : [];
    const programs = [
      ...programsOf(problem),
      ...ceilings.flatMap((plan) => (plan === undefined ? [] : [...programsBelow(problem, plan.largest)])),
    ];
    for (const [name, bounded] of programs) {
      if (bounded === null) continue;
      const { ceiling } = bounded;
      for (const plan of plans) {
        // Above its ceiling a program need not have anything.
        if (ceiling !== undefined && plan.largest.compare(ceiling) > 0) continue;
        seen[name] = (seen[name] ?? 0) + 1;
        const fault = missing(bounded, plan);
        if (fault !== null) faults.push(`seed ${seed}, ${name}: ${fault}`);
      }
    }
  }
  expect(faults).toEqual([]);
  // All programs were built, below ceilings and of all; with memory aside there is none that counts it, or numbers devices by it.
  const aside = ["direct", "aggregated", "counted", "hosts"].map((name) => `memory aside, ${name}`);
  for (const name of ["direct", "aggregated", "counted", "counted with memory", "numbered", "hosts", ...aside]) {
    for (const what of ["", "below a ceiling, "]) {
      expect(seen[`${what}${name}`] ?? 0, `${what}${name}`).toBeGreaterThanOrEqual(draws.atLeast(11));
    }
  }
  expect(seen.infeasible).toBeGreaterThanOrEqual(draws.atLeast(21));
});

test(`${draws.amount} problems of several goals from seed ${draws.seed}: every placement within what is held has a point in each stage's program`, {
  timeout: 7_200_000,
}, () => {
  const seen: Record<string, number> = {};
  const faults: string[] = [];
  for (const seed of draws.seeds) {
    const problem = tinyStagedPlacement(drawFrom(seed));
    let plans: { readonly placement: Placement; readonly found: ReturnType<typeof evaluatePlacement> }[] = [];
    forEachPlacement(problem, (placement) => {
      const found = evaluatePlacement(problem, placement);
      if (found.violations.length === 0) plans.push({ placement, found });
    });
    const held: Held[] = [];
    for (const [k, { minimize, allow }] of (problem.stages ?? []).entries()) {
      if (plans.length === 0) break;
      const worthOf = ({ found }: (typeof plans)[number]) => goalValue(problem, minimize, found);
      const stage = stageProblem(problem, k, held);
      const { program, pointOf } = stageProgram(stage);
      const kind = `${minimize}${stage.plain === null ? "" : ", plain"}${held.length === 0 ? "" : ", held"}`;
      const step = Math.max(1, Math.floor(plans.length / OTHERS));
      for (const plan of plans.filter((_, at) => at % step === 0)) {
        seen[kind] = (seen[kind] ?? 0) + 1;
        const { objective, violations } = evaluate(program, pointOf(plan.placement));
        const [first] = violations;
        const over = objective.compare(worthOf(plan)) > 0 ? `${objective} for ${worthOf(plan)}` : null;
        if (first !== undefined || over !== null) faults.push(`seed ${seed}, ${kind}: ${first?.name ?? over}`);
      }
      const best = plans.map(worthOf).reduce((a, b) => (a.compare(b) <= 0 ? a : b));
      const most = allowedValue(best, allow);
      plans = plans.filter((plan) => worthOf(plan).compare(most) <= 0);
      held.push({ goal: minimize, most });
    }
  }
  expect(faults).toEqual([]);
  expect(Object.keys(seen).length).toBeGreaterThan(12);
});
