import {
  type ExchangeSeconds,
  leastSeconds,
  secondsOfLargest,
  spttSeconds,
} from "../../../../models/joint-towers/seconds.js";
import type { TowerShape } from "../../../../models/joint-towers/setting.js";
import { hasFreedoms } from "../../../../models/joint-towers/table-options.js";
import { type PlacedTower, workloadOf } from "../../../../models/joint-towers/workload.js";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { evaluateTowers } from "../../../../models/tower-partition/evaluate.js";
import type { Workload } from "../../../cost/dmt/workload.js";
import { Rational } from "../../../exact/rational.js";
import type { TowerJoint } from "../../../instance/types/tower-partition.js";
import { describeBounded, feasibleEvaluation, roundedValue } from "../../../plan-file/assembled.js";
import { nearest } from "../../../plan-file/rounding.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { holdAgainst } from "../../../proof/hold-against.js";
import { relativeGap, type Verdict } from "../../../proof/verdict.js";
import { certified, type ProofOn } from "../../table-placement/plan-file/proof-on.js";
import { writtenChoices } from "../../table-placement/plan-file/written-choices.js";
import type { TowerOutcome } from "../../tower-partition/plan-file/assemble.js";
import type { JointPlacement, JointRow, JointSeconds, JointStatus, JointUnplaceable } from "./plan-file.js";

/** One (T, K) as it was found and proved. */
export interface JointRowParts {
  readonly shape: TowerShape;
  readonly grouping: Grouping;
  readonly outcome: TowerOutcome | null;
  /** The tower of each feature; `null` where there is no partition. */
  readonly numbering: readonly number[] | null;
  /** One for each tower; empty where there is no partition. */
  readonly placements: readonly JointPlacementParts[];
  /** What the grouping leaves out of towers. */
  readonly unplaceable: readonly UnplaceableParts[];
}

/** Features whose tables were proved to have no place together on the GPUs of one tower. */
export interface UnplaceableParts extends ProofOn {
  /** Indices, rising. */
  readonly features: readonly number[];
}

/** The tables of one tower. */
export interface JointPlacementParts {
  readonly problem: PlacementProblem;
  readonly outcome: (ProofOn & { readonly verdict: Verdict }) | null;
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
  /**
   * Where the partition is proved and has places with bounds: no placement of these towers has fewer exposed seconds;
   * else no partition into so many towers has. `null` where the row is infeasible.
   */
  readonly bound: Rational | null;
  readonly status: JointStatus;
}

/** Evaluates a row. Throws `RangeError` where a partition or a placement breaks a limit, `ContradictionError` where it is below its bound. */
export function evaluateRow(joint: TowerJoint, parts: JointRowParts): RowEvaluation {
  const { shape, grouping, outcome, numbering, placements } = parts;
  const evaluation = numbering === null ? null : feasibleEvaluation(evaluateTowers(grouping, numbering));
  for (const { problem, placement } of placements) {
    if (placement !== null) feasibleEvaluation(evaluatePlacement(problem, placement));
  }
  const towers = evaluation?.towers ?? [];
  const placed = placedTowers(towers, placements);
  const workload = placed === null ? null : workloadOf(joint, shape, placed);
  const seconds = placed === null || workload === null ? null : secondsOf(joint, shape, placed, workload);
  const towerPlaces = placements.map((one): TowerPlace => {
    return { status: one.outcome?.verdict.status ?? "unknown", isPlaced: one.placement !== null };
  });
  const claim = rowClaim(outcome?.verdict.status ?? "unknown", placesStatus(towerPlaces));
  const largest = largestOf(placements.flatMap((one) => one.outcome?.verdict.bound ?? []));
  const ofThese = claim.bound !== "these" || largest === null ? null : secondsOfLargest(joint, shape, towers, largest);
  const bound = claim.bound === null ? null : largestOf([leastSeconds(joint, shape), ...(ofThese ? [ofThese] : [])]);
  holdAgainst(
    seconds === null
      ? []
      : [
          {
            what: `the plan of ${shape.towers} towers`,
            plan: { numbering, placements: placements.map(({ placement }) => placement) },
          },
        ],
    bound === null
      ? []
      : [{ of: `${shape.towers} towers`, bound, worth: () => seconds?.exposed ?? null, proof: proofsOf(parts) }],
  );
  return { parts, towers, placed, workload, seconds, bound, status: claim.status };
}

function proofsOf({ outcome, placements }: JointRowParts) {
  return { certificate: outcome?.certificate, placements: placements.map((one) => one.outcome?.certificate) };
}

/**
 * Without freedoms what the exchange of this workload takes, by the cost model of DMT. With hot rows and caches what
 * follows from the objectives of the placements, which have beside the exchange what copies and misses take.
 */
function secondsOf(
  joint: TowerJoint,
  shape: TowerShape,
  placed: readonly PlacedTower[],
  workload: Workload,
): ExchangeSeconds {
  const seconds = spttSeconds(joint, workload);
  if (!hasFreedoms(joint)) return seconds;
  const largest = largestOf(placed.map(({ problem, placement }) => evaluatePlacement(problem, placement).objective));
  const towers = placed.map(({ features }) => features);
  return { ...seconds, exposed: secondsOfLargest(joint, shape, towers, largest ?? Rational.zero) };
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

/** The row as the plan file has it; the chosen one's certificate is the plan's own. */
export function describeRow(evaluation: RowEvaluation, isChosen: boolean): JointRow {
  const { parts, placed, seconds, bound, status } = evaluation;
  const { shape, outcome, numbering, grouping, placements, unplaceable } = parts;
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
      ...roundedValue(value, verdict?.bound ?? null, verdict?.gap ?? null),
      exact: { value: value?.toString() ?? null, bound: verdict?.bound?.toString() ?? null },
      numbering,
      certificate: isChosen ? null : (outcome?.certificate ?? null),
      ...(unplaceable.length === 0
        ? {}
        : { unplaceable: unplaceable.map((one) => describeUnplaceable(grouping, one)) }),
    },
    largestElements: evaluations && nearest(largestOf(evaluations.map(({ objective }) => objective)) ?? Rational.zero),
    largestBytes: evaluations && Math.max(...evaluations.flatMap(({ hbmBytes }) => hbmBytes)),
    placements: numbering === null ? null : placements.map(describeJointPlacement),
  };
}

export function describeSeconds(value: Rational | null, bound: Rational | null): JointSeconds {
  return describeBounded(value, bound, value && bound && relativeGap(value, bound));
}

export function describeJointPlacement({ problem, outcome, placement }: JointPlacementParts): JointPlacement {
  return {
    status: outcome?.verdict.status ?? "unknown",
    largestElements: placement === null ? null : nearest(evaluatePlacement(problem, placement).objective),
    bound: outcome?.verdict.bound?.toString() ?? null,
    choices: placement === null ? null : writtenChoices(placement),
    ...certified(outcome),
  };
}

function describeUnplaceable({ elements }: Grouping, proof: UnplaceableParts): JointUnplaceable {
  const features = proof.features.map((feature) => elements[feature] as string);
  return { features, ...certified(proof) };
}

function reasonOf({ parts, status }: RowEvaluation): string | null {
  const { shape, grouping, outcome, numbering, placements } = parts;
  if (status === "infeasible") {
    if (grouping.windows.length === 0) return `no sizes of ${shape.towers} towers are within sizeRatio`;
    return grouping.conflicts?.length
      ? "no partition has a place for the tables of every tower"
      : "no partition keeps every tower within its memory or load";
  }
  if (numbering === null) return "no partition with a place was found in the time there was, nor proved to be none";
  const without = placements.findIndex((one) => one.outcome?.verdict.status === "infeasible");
  if (without !== -1) return `the tables of tower ${without} have no place; another partition may have one`;
  const tower = placements.findIndex(({ placement }) => placement === null);
  if (tower !== -1) return `no place was found for the tables of tower ${tower}; another partition may have one`;
  return outcome?.verdict.status === "proved" ? null : "partition not proved";
}

/**
 * What is known of where the tables of a row's towers lie, of all towers together: there are no towers; the tables of one have no
 * place, proved; of one no place is known; all have places, of which some have no bound; all have bounds; all are proved.
 */
export type PlacesStatus = "none" | "impossible" | "missing" | "unbounded" | "feasible" | "proved";

/** What may be said of a row, and what its bound is of: these towers, or any towers at all where these need not be the best. */
interface RowClaim {
  readonly status: JointStatus;
  readonly bound: "these" | "any" | null;
}

/**
 * `partition`: of the program of all partitions of the row; `unknown` without a certificate. Only a proof about all partitions makes
 * a row infeasible; where one partition has no place, nothing is known of the others.
 */
export function rowClaim(partition: JointStatus, places: PlacesStatus): RowClaim {
  if (partition === "infeasible") return { status: "infeasible", bound: null };
  if (places === "none" || places === "impossible" || places === "missing") return { status: "unknown", bound: "any" };
  if (partition !== "proved" || places === "unbounded") return { status: "feasible", bound: "any" };
  return { status: places, bound: "these" };
}

/** Of one tower: its verdict, `unknown` without one, and whether a place is known. */
interface TowerPlace {
  readonly status: JointStatus;
  readonly isPlaced: boolean;
}

/** Of all towers together. */
export function placesStatus(towers: readonly TowerPlace[]): PlacesStatus {
  if (towers.length === 0) return "none";
  if (towers.some(({ status }) => status === "infeasible")) return "impossible";
  if (towers.some(({ isPlaced }) => !isPlaced)) return "missing";
  if (towers.some(({ status }) => status === "unknown")) return "unbounded";
  const open = towers.find(({ status }) => status !== "proved");
  return (open ?? (towers[0] as TowerPlace)).status as PlacesStatus;
}
