import type { GroupedInstance } from "../../../../models/grouped-placement/group-instance.js";
import type { Rational } from "../../../exact/rational.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import { planDigest } from "../../../plan-file/canonical-json.js";
import type { PlanRequest, PlanTiming } from "../../../plan-file/envelope.js";
import { EXACT_METHOD } from "../../../plan-file/method-names.js";
import { relativeGap } from "../../../proof/verdict.js";
import { assemblePlacementPlan, type BoundOfAll } from "../../table-placement/plan-file/assemble.js";
import type { BaselinePlacement } from "../../table-placement/plan-file/baseline.js";
import type { PlacementGroups } from "../../table-placement/plan-file/groups.js";
import type { TablePlacementPlan } from "../../table-placement/plan-file/plan-file.js";
import type { PlacementOutcome } from "../../table-placement/plan-file/proof-on.js";
import { describeSize, type EvaluatedSize, evaluateSize, type GroupSizeParts } from "./size.js";

/** A plan of groups: the file of a placement on one group of the chosen size, and what is known of every size. */
export interface GroupedPlacementPlan extends TablePlacementPlan {
  readonly groups: PlacementGroups;
}

/** Everything that the plan file of groups is computed from. */
export interface GroupedParts {
  readonly instance: GroupedInstance;
  readonly request: PlanRequest;
  /** Rising. */
  readonly sizes: readonly GroupSizeParts[];
  /** Published methods beside the chosen size. */
  readonly baselines: readonly BaselinePlacement[];
  /** Somebody stopped the search before it ended; default false. */
  readonly isStopped?: boolean;
  readonly timing: PlanTiming;
}

/**
 * The plan file that follows from its parts; a pure function, so that a verifier can compute the file again. Throws as
 * {@link assemblePlacementPlan} and {@link evaluateSize} do.
 */
export function assembleGroupedPlan(parts: GroupedParts): GroupedPlacementPlan {
  const { instance, request, timing, isStopped = false } = parts;
  const sizes = parts.sizes.map(evaluateSize);
  const chosen = chosenSize(sizes);
  const ofAll = boundOfAll(sizes, chosen, askedGap(request.gap));
  // Without a plan it is the largest group that is spoken of, which has most memory for its copy.
  const about = chosen ?? (sizes.at(-1) as EvaluatedSize);
  const isCertified = ofAll.status !== "unknown";
  const { digest: _, ...base } = assemblePlacementPlan({
    instance: { ...about.instance, file: instance.file },
    problem: about.problem,
    method: EXACT_METHOD,
    request,
    outcome: isCertified ? outcomeOf(about) : null,
    placement: about.placement,
    baselines: chosen === null ? [] : parts.baselines,
    relaxed: null,
    ofAll,
    claim: null,
    isStopped,
    timing,
  });
  const { cluster, groups } = instance;
  const plan = {
    ...base,
    groups: {
      chosen: chosen?.shape.size ?? null,
      devices: cluster.nodes * cluster.gpusPerNode,
      layout: groups.layout,
      syncEvery: groups.syncEvery,
      sizes: sizes.map((one) =>
        describeSize(one, { isChosen: one === chosen, isCertified: isCertified && one === about }),
      ),
    },
  };
  return { ...plan, digest: planDigest(plan) };
}

/** The size of the least cost; of equals the smallest. */
export function chosenSize(sizes: readonly EvaluatedSize[]): EvaluatedSize | null {
  return sizes.reduce<EvaluatedSize | null>((best, one) => {
    if (one.value === null) return best;
    return best?.value && best.value.compare(one.value) <= 0 ? best : one;
  }, null);
}

/** No size has a plan below the least bound of all that may have one; without one of some of those nothing is proved. */
function boundOfAll(sizes: readonly EvaluatedSize[], chosen: EvaluatedSize | null, gap: Rational): BoundOfAll {
  const none = { bound: null, gap: null };
  if (sizes.every(({ isInfeasible }) => isInfeasible)) return { ...none, status: "infeasible" };
  const open = sizes.filter(({ isInfeasible }) => !isInfeasible);
  const bounds = open.flatMap(({ proved }) => proved?.bound ?? []);
  if (chosen === null || chosen.value === null || bounds.length < open.length) return { ...none, status: "unknown" };
  const bound = bounds.reduce((least, one) => (least.compare(one) <= 0 ? least : one));
  const between = relativeGap(chosen.value, bound);
  // Within the gap of the least bound, the chosen size is within that of its own.
  const own = chosen.proved?.verdict?.status ?? "unknown";
  return { bound, gap: between, status: between.compare(gap) <= 0 ? own : "feasible" };
}

function outcomeOf({ proved }: EvaluatedSize): PlacementOutcome | null {
  if (proved === null || proved.verdict === null) return null;
  return { ...proved, verdict: proved.verdict };
}
