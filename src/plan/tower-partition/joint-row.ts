import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../models/table-placement/problem.js";
import { evaluateTowers } from "../../../models/tower-partition/evaluate.js";
import { type ExchangeSeconds, secondsOfLargest, spttSeconds } from "../../../models/tower-placement/seconds.js";
import type { TowerShape } from "../../../models/tower-placement/setting.js";
import { type PlacedTower, workloadOf } from "../../../models/tower-placement/workload.js";
import type { Workload } from "../../cost/dmt/workload.js";
import { Rational } from "../../exact/rational.js";
import type { TowerJoint } from "../../instance/tower-partition-instance.js";
import type { Grouping } from "../../program/grouping/grouping.js";
import type { Certificate } from "../../proof/certificate.js";
import { relativeGap, type Verdict } from "../../proof/verdict.js";
import { boundBelow, gapAbove, nearest } from "../rounding.js";
import { writtenChoices } from "../table-placement/written-choices.js";
import type { TowerOutcome } from "./assemble.js";
import type { JointPlacement, JointRow, JointSeconds, JointStatus } from "./joint-plan-file.js";

/** One (T, K) as it was found and proved. */
export interface JointRowParts {
  readonly shape: TowerShape;
  readonly grouping: Grouping;
  readonly outcome: TowerOutcome | null;
  /** The tower of each feature; `null` where there is no partition. */
  readonly numbering: readonly number[] | null;
  /** One for each tower; empty where there is no partition. */
  readonly placements: readonly JointPlacementParts[];
}

/** The tables of one tower. */
export interface JointPlacementParts {
  readonly problem: PlacementProblem;
  readonly outcome: { readonly verdict: Verdict; readonly certificate: Certificate } | null;
  readonly placement: Placement | null;
}

/** What a row comes to, exactly. */
export interface RowEvaluation {
  readonly parts: JointRowParts;
  readonly towers: readonly (readonly number[])[];
  /** All tables in their places; `null` where a tower has none. */
  readonly placed: readonly PlacedTower[] | null;
  readonly workload: Workload | null;
  readonly seconds: ExchangeSeconds | null;
  /** No placement of these towers has fewer exposed seconds; `null` where that is not known. */
  readonly bound: Rational | null;
  readonly status: JointStatus;
}

/** Evaluates a row. Throws `RangeError` where a partition or a placement breaks a limit. */
export function evaluateRow(joint: TowerJoint, parts: JointRowParts): RowEvaluation {
  const { shape, grouping, outcome, numbering, placements } = parts;
  const evaluation = numbering === null ? null : evaluateTowers(grouping, numbering);
  requireFeasible(evaluation?.violations ?? []);
  for (const { problem, placement } of placements) {
    if (placement !== null) requireFeasible(evaluatePlacement(problem, placement).violations);
  }
  const towers = evaluation?.towers ?? [];
  const placed = placedTowers(towers, placements);
  const workload = placed === null ? null : workloadOf(joint, shape, placed);
  const seconds = workload === null ? null : spttSeconds(joint, workload);
  const verdicts = placements.flatMap((one) => one.outcome?.verdict ?? []);
  const isInfeasible = outcome?.verdict.status === "infeasible" || verdicts.some(({ bound }) => bound === null);
  const largest = isInfeasible ? null : largestOf(verdicts.flatMap(({ bound }) => bound ?? []));
  const bound = largest === null ? null : secondsOfLargest(joint, shape, towers, largest);
  const weakest = [outcome?.verdict, ...placements.map((one) => one.outcome?.verdict)];
  const status = isInfeasible ? "infeasible" : seconds === null || bound === null ? "unknown" : leastStatus(weakest);
  return { parts, towers, placed, workload, seconds, bound, status };
}

function requireFeasible([violation]: readonly string[]): void {
  if (violation !== undefined) throw new RangeError(`the plan breaks the instance's limits: ${violation}`);
}

function placedTowers(
  towers: readonly (readonly number[])[],
  placements: readonly JointPlacementParts[],
): readonly PlacedTower[] | null {
  const placed = placements.flatMap(({ problem, placement }, tower) =>
    placement === null ? [] : [{ features: towers[tower] as readonly number[], problem, placement }],
  );
  return towers.length > 0 && placed.length === towers.length ? placed : null;
}

/** The largest, `null` of none. */
export function largestOf(values: readonly Rational[]): Rational | null {
  return values.reduce<Rational | null>((most, each) => (most === null || each.compare(most) > 0 ? each : most), null);
}

/** What can be said of several verdicts together: of all, or that some gap is open. */
function leastStatus(verdicts: readonly (Verdict | undefined)[]): JointStatus {
  const open = verdicts.find((verdict) => verdict?.status !== "proved");
  if (open === undefined && verdicts.every((verdict) => verdict !== undefined)) return verdicts[0]?.status ?? "unknown";
  return "feasible";
}

/** The row as the plan file has it; the chosen one's certificate is the plan's own. */
export function describeRow(evaluation: RowEvaluation, isChosen: boolean): JointRow {
  const { parts, placed, seconds, bound, status } = evaluation;
  const { shape, outcome, numbering, grouping, placements } = parts;
  const value = numbering === null ? null : evaluateTowers(grouping, numbering).value;
  const evaluations = placed?.map(({ problem, placement }) => evaluatePlacement(problem, placement)) ?? null;
  const verdict = outcome?.verdict ?? null;
  return {
    towers: shape.towers,
    hostsPerTower: shape.hostsPerTower,
    status,
    reason: reasonOf(evaluation),
    seconds: describeSeconds(seconds?.exposed ?? null, bound),
    idSeconds: seconds === null ? null : nearest(seconds.ids),
    partition: {
      status: verdict?.status ?? "unknown",
      value: value === null ? null : nearest(value),
      bound: verdict?.bound && value ? boundBelow(verdict.bound, value) : null,
      gap: verdict?.gap ? gapAbove(verdict.gap) : null,
      exact: { value: value?.toString() ?? null, bound: verdict?.bound?.toString() ?? null },
      numbering,
      certificate: isChosen ? null : (outcome?.certificate ?? null),
    },
    largestElements: evaluations && nearest(largestOf(evaluations.map(({ largest }) => largest)) ?? Rational.zero),
    largestBytes: evaluations && Math.max(...evaluations.flatMap(({ hbmBytes }) => hbmBytes)),
    placements: numbering === null ? null : placements.map(describeJointPlacement),
  };
}

export function describeSeconds(value: Rational | null, bound: Rational | null): JointSeconds {
  return {
    value: value === null ? null : nearest(value),
    bound: bound === null ? null : value === null ? bound.toNumberDown() : boundBelow(bound, value),
    gap: value === null || bound === null ? null : gapAbove(gapOf(value, bound)),
    exact: { value: value?.toString() ?? null, bound: bound?.toString() ?? null },
  };
}

/** The relative gap; that of nothing to nothing is none. */
export function gapOf(value: Rational, bound: Rational): Rational {
  return value.equals(bound) ? Rational.zero : relativeGap(value, bound);
}

export function describeJointPlacement({ problem, outcome, placement }: JointPlacementParts): JointPlacement {
  return {
    status: outcome?.verdict.status ?? "unknown",
    largestElements: placement === null ? null : nearest(evaluatePlacement(problem, placement).largest),
    bound: outcome?.verdict.bound?.toString() ?? null,
    choices: placement === null ? null : writtenChoices(placement),
    certificate: outcome?.certificate ?? null,
  };
}

function reasonOf({ parts, status }: RowEvaluation): string | null {
  const { outcome, numbering, placements, shape } = parts;
  if (status === "infeasible") {
    const tower = placements.findIndex((one) => one.outcome?.verdict.status === "infeasible");
    if (outcome?.verdict.status !== "infeasible") {
      return `the tables of tower ${tower} have no place in the memory of its GPUs`;
    }
    return parts.grouping.windows.length === 0
      ? `no sizes of ${shape.towers} towers are within sizeRatio`
      : "no partition keeps every tower within its memory or load";
  }
  if (status !== "unknown") return null;
  return numbering === null
    ? "no partition was found in the time there was"
    : "no proof was found in the time there was";
}
