import { estimatedEntries } from "../../../../models/table-placement/estimated-entries.js";
import { evaluatePlacement, goalValue } from "../../../../models/table-placement/evaluate.js";
import { placementModel } from "../../../../models/table-placement/from-instance.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { spaceOf } from "../../../../models/table-placement/space.js";
import { stageProblem } from "../../../../models/table-placement/stage-problem.js";
import type { Held } from "../../../../models/table-placement/stages.js";
import { InputError } from "../../../errors/input-error.js";
import { Rational } from "../../../exact/rational.js";
import type { GoalStage, TablePlacementInstance } from "../../../instance/types/table-placement.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import { boundBelow, gapAbove, nearest } from "../../../plan-file/rounding.js";
import type { Certificate } from "../../../proof/certificate.js";
import { holdAgainst, type Proved } from "../../../proof/hold-against.js";
import { relativeGap } from "../../../proof/verdict.js";
import { secondsLeft } from "../../../search/time/time-limit.js";
import { UNITS_PER_SECOND } from "../../../search/work.js";
import { type FrontierOptions, requirePoints } from "../../frontier-options.js";
import { spreadBudgets } from "../../spread-budgets.js";
import { goalUnit } from "../plan-file/stages.js";
import type { PlacementTradeFile, TradePoint } from "../plan-file/trade.js";
import { writtenChoices } from "../plan-file/written-choices.js";
import { solveStage } from "../solve/goals/place-by-goals.js";
import { openingUnits } from "../solve/problem-size.js";

/** What was found and proved with at most so much of the first goal; `null`: with any. */
interface Solved {
  readonly most: Rational | null;
  readonly plan: Found | null;
  /** No plan within `most` has less of the second goal. */
  readonly bound: Rational | null;
  readonly certificate: Certificate | null;
}

interface Found {
  readonly placement: Placement;
  readonly first: Rational;
  readonly second: Rational;
}

/**
 * The second goal of an instance against its first: from the least of the first to where more of it is of no use. A plan is one
 * with more of the first goal too, and a bound holds with less: with the best of all of them, values and bounds do not rise.
 *
 * Throws `InputError` where the instance has fewer than two goals, `RangeError` for a number of points below 2.
 */
export async function placementTrade(
  instance: TablePlacementInstance,
  options: FrontierOptions = {},
): Promise<PlacementTradeFile> {
  const started = performance.now();
  const { points = 20, gap = 1e-9, timeLimitSeconds = 60, workSeconds = timeLimitSeconds, seed = 0 } = options;
  requirePoints(points);
  const [first, second] = instance.goals ?? [];
  const { problem } = placementModel(instance);
  if (first === undefined || second === undefined || problem.setCost !== undefined || points === 0) {
    const wanted = "expected two goals or more, costs that add up on a device and 2 points or more";
    throw new InputError(`${wanted}; otherwise there is nothing to trade`, instance.file);
  }
  const search = new Trade(problem, [first, second], {
    ...{ gap: askedGap(gap), seed, points, shouldStop: options.shouldStop ?? (() => false) },
    deadline: started + secondsLeft(options) * 1000,
    units: UNITS_PER_SECOND * workSeconds,
  });
  await search.run();
  search.hold();
  const least = search.least;
  const described = search.wanted.map((most) => search.point(most));
  return {
    ...{ shardproof: 1, kind: "trade", problem: "table-placement" },
    instance: { name: instance.name, sha256: instance.sha256, file: instance.file },
    first: { goal: first.minimize, unit: goalUnit(first.minimize, instance.costUnit) },
    second: { goal: second.minimize, unit: goalUnit(second.minimize, instance.costUnit) },
    ...spaceOf(problem),
    request: { points, gap, timeLimitSeconds, seed },
    least: {
      value: least.value && nearest(least.value),
      bound: boundBeside(least.bound, least.value),
    },
    isComplete: search.isInfeasible || (described.length > 0 && described.every(({ status }) => status === "settled")),
    isInfeasible: search.isInfeasible,
    points: described,
    timing: { totalSeconds: Math.round(performance.now() - started) / 1000 },
    proofs: search.solved.map(({ most, plan, certificate }) => ({
      most: most?.toString() ?? null,
      choices: plan && writtenChoices(plan.placement),
      certificate,
    })),
  };
}

/** A bound as files have it, beside the value that it is of where there is one. */
function boundBeside(bound: Rational | null, value: Rational | null): number | null {
  return bound && (value === null ? bound.toNumberDown() : boundBelow(bound, value));
}

interface TradeOptions {
  readonly points: number;
  readonly gap: Rational;
  readonly seed: number;
  readonly shouldStop: () => boolean;
  /** On the clock of performance.now(). */
  readonly deadline: number;
  /** Of work, for all points. */
  readonly units: number;
}

/** More than there is of any goal. */
const NO_LIMIT = Rational.of(1n << 200n);

class Trade {
  readonly solved: Solved[] = [];
  wanted: readonly Rational[] = [];
  least: { readonly value: Rational | null; readonly bound: Rational | null } = { value: null, bound: null };
  readonly #problem: PlacementProblem;
  readonly #goals: readonly [GoalStage, GoalStage];
  readonly #options: TradeOptions;
  readonly #opening: number;
  #units: number;

  constructor(problem: PlacementProblem, goals: readonly [GoalStage, GoalStage], options: TradeOptions) {
    this.#problem = { ...problem, stages: problem.stages?.slice(0, 2) ?? [] };
    this.#goals = goals;
    this.#options = options;
    this.#opening = openingUnits(estimatedEntries(problem));
    this.#units = options.units;
  }

  /** Whether it is proved that no plan is within the limits, whatever there is of the goals. */
  get isInfeasible(): boolean {
    return this.solved[0]?.certificate?.claim.kind === "infeasible";
  }

  async run(): Promise<void> {
    const { points, gap } = this.#options;
    const left = points + 3;
    // Building the programs of two goals is more than a small share of the work.
    if (2 * this.#opening > this.#units) return;
    const start = await this.#solve(0, [], [], left);
    const begin = start.plan;
    this.least = { value: begin?.first ?? null, bound: start.bound };
    if (begin === null) {
      if (start.certificate?.claim.kind === "infeasible") this.solved.push(start);
      return;
    }
    const free = await this.#solve(1, [{ goal: this.#goals[0].minimize, most: NO_LIMIT }], [begin.placement], left - 1);
    this.solved.push({ ...free, most: null });
    const end = free.plan === null ? begin.first : await this.#enough(free.plan, left - 2);
    const low = begin.first.toNumber();
    const spread = spreadBudgets(low, Math.max(low, end.toNumber()), points).slice(1);
    // The least itself is no double, perhaps.
    this.wanted = [
      begin.first,
      ...spread.map((most) => Rational.fromNumber(most)).filter((most) => most.compare(begin.first) > 0),
    ];
    this.solved.push({ most: null, plan: begin, bound: null, certificate: null });
    for (const [k, most] of this.wanted.entries()) {
      if (this.#isOver() || this.#opening > this.#units || this.#isSettled(most, gap)) continue;
      const known = this.#bestPlan(most) ?? begin;
      const held: Held[] = [{ goal: this.#goals[0].minimize, most }];
      this.solved.push({ ...(await this.#solve(1, held, [known.placement], this.wanted.length - k)), most });
    }
  }

  /** The least of the first goal that was found with no more of the second than a plan has: more of it is of no use. */
  async #enough({ placement, first, second }: Found, left: number): Promise<Rational> {
    const { stages = [] } = this.#problem;
    const exchanged = { ...this.#problem, stages: [...stages].reverse() };
    const held: Held[] = [{ goal: this.#goals[1].minimize, most: second }];
    const { plan } = await this.#solve(1, held, [placement], left, exchanged);
    if (plan === null || plan.first.compare(first) >= 0) return first;
    this.solved.push({ most: null, plan, bound: null, certificate: null });
    return plan.first;
  }

  /** Holds all plans against all bounds: of the first goal, and of the second among plans within so much of the first. */
  hold(): void {
    const known = this.solved.flatMap(({ most, plan }) =>
      plan === null ? [] : [{ what: `the plan within ${most ?? "any amount"} of the first goal`, plan }],
    );
    const ofFirst = { of: "the first goal", bound: this.least.bound, worth: ({ first }: Found) => first, proof: {} };
    const ofSecond = this.solved.flatMap(({ most, bound, certificate }): Proved<Found>[] => {
      const worth = ({ first, second }: Found) => (most === null || first.compare(most) <= 0 ? second : null);
      return bound === null
        ? []
        : [{ of: `plans within ${most ?? "any amount"}`, bound, worth, proof: { certificate } }];
    });
    holdAgainst(known, [...(this.least.bound === null ? [] : [ofFirst]), ...ofSecond]);
  }

  point(most: Rational): TradePoint {
    const plan = this.#bestPlan(most);
    const proof = this.#bestProof(most);
    const bound = proof?.bound ?? null;
    const gap = plan === null || bound === null ? null : relativeGap(plan.second, bound);
    const { value: least } = this.least;
    return {
      most: nearest(most),
      above: least === null || least.sign() <= 0 ? null : most.subtract(least).divide(least).toNumber(),
      first: plan && nearest(plan.first),
      value: plan && nearest(plan.second),
      bound: boundBeside(bound, plan?.second ?? null),
      gap: gap && gapAbove(gap),
      status: gap === null ? "unknown" : gap.compare(this.#options.gap) <= 0 ? "settled" : "open",
      provedAt: proof?.most == null ? null : nearest(proof.most),
      exact: { most: most.toString(), value: plan?.second.toString() ?? null, bound: bound?.toString() ?? null },
    };
  }

  /** With a share of the work and the time that are left, one of `left`. */
  async #solve(
    k: number,
    held: readonly Held[],
    starts: readonly Placement[],
    left: number,
    problem = this.#problem,
  ): Promise<Solved> {
    const { gap, seed, shouldStop, deadline } = this.#options;
    const mostUnits = this.#units / Math.max(1, left);
    const timeLimitSeconds = Math.max(0, deadline - performance.now()) / 1000 / Math.max(1, left);
    const workSeconds = mostUnits / UNITS_PER_SECOND;
    const asked = { gap, seed, shouldStop, timeLimitSeconds, mostUnits, workSeconds, starts };
    const { placement, certificate, units } = await solveStage(problem, stageProblem(problem, k, held), held, asked);
    this.#units -= units + this.#opening;
    const claim = certificate?.claim;
    const bound = claim?.kind === "bound" ? Rational.parse(claim.bound) : null;
    return { most: null, certificate, bound, plan: placement && this.#found(placement) };
  }

  #found(placement: Placement): Found {
    const evaluation = evaluatePlacement(this.#problem, placement);
    const [first, second] = this.#goals.map(({ minimize }) => goalValue(this.#problem, minimize, evaluation));
    return { placement, first: first as Rational, second: second as Rational };
  }

  #isOver(): boolean {
    return this.#options.shouldStop() || performance.now() > this.#options.deadline;
  }

  #isSettled(most: Rational, gap: Rational): boolean {
    const plan = this.#bestPlan(most);
    const bound = this.#bestProof(most)?.bound ?? null;
    return plan !== null && bound !== null && relativeGap(plan.second, bound).compare(gap) <= 0;
  }

  #bestPlan(most: Rational): Found | null {
    return this.solved.reduce<Found | null>((best, { plan }) => {
      if (plan === null || plan.first.compare(most) > 0) return best;
      return best === null || plan.second.compare(best.second) < 0 ? plan : best;
    }, null);
  }

  /** Of what was proved with as much of the first goal or more. */
  #bestProof(most: Rational): Solved | null {
    return this.solved.reduce<Solved | null>((best, one) => {
      if (one.bound === null || (one.most !== null && one.most.compare(most) < 0)) return best;
      return best?.bound != null && best.bound.compare(one.bound) >= 0 ? best : one;
    }, null);
  }
}
