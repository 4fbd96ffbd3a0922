import {
  evaluatePlacement,
  keptValue,
  type PlacementEvaluation,
  worthOf,
} from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem, StageGoal } from "../../../../models/table-placement/problem.js";
import { type Held, stagesOf } from "../../../../models/table-placement/stages.js";
import type { Rational } from "../../../exact/rational.js";
import type { Certificate } from "../../../proof/certificate.js";
import { holdAgainst, type Known, type Proved } from "../../../proof/hold-against.js";
import type { BaselinePlacement, EvaluatePlacement } from "./baseline.js";
import type { FoundPrices } from "./prices.js";
import type { PlacementOutcome } from "./proof-on.js";
import type { SecondOutcome } from "./second.js";
import type { StageOutcome } from "./stages.js";

/** What a plan file is computed from, as far as there are placements or proofs in it. */
export interface HeldParts {
  readonly instance: { readonly name: string; readonly sha256: string };
  readonly problem: PlacementProblem;
  /** `null`: a heuristic's plan, for which no bound was asked, or nothing was found at all. */
  readonly outcome: PlacementOutcome | null;
  /** `null` where there is no plan. */
  readonly placement: Placement | null;
  /** What was proved of the second goal; absent or `null` where none was asked for, or nothing was proved. */
  readonly second?: SecondOutcome | null;
  /** With a list of goals, what was proved of them in order, as far as there was time. */
  readonly stages?: readonly StageOutcome[];
  readonly prices?: FoundPrices | null;
  readonly baselines: readonly BaselinePlacement[];
  /** Further plans of published methods: those that a plan is not shown beside, all of them where it is infeasible. */
  readonly known?: readonly BaselinePlacement[];
  /** What a placement comes to, where that is more than `evaluatePlacement` knows: a network in exact arithmetic. */
  readonly evaluate?: EvaluatePlacement;
}

/** What was proved of the placements of a problem for its first goal, to hold placements against. */
export function provedOf(
  problem: PlacementProblem,
  { bound, certificate }: { readonly bound: Rational | null; readonly certificate: Certificate | null },
  of?: string,
): Proved<Placement> {
  const worth = (placement: Placement) => worthOf(problem, placement);
  return { ...(of === undefined ? {} : { of }), bound, worth, proof: { certificate } };
}

/**
 * Holds every placement at hand against what was proved of each goal: the published methods', each stage's, where the tables are
 * now, that of more memory, and `known`. A placement counts for a later goal where it has no more of those before than is allowed.
 *
 * Throws `ContradictionError`.
 */
export function holdPlacements(parts: HeldParts): void {
  const { instance, problem, outcome, second, stages = [], evaluate = evaluatePlacement } = parts;
  if (outcome === null) return;
  const { name, sha256 } = instance;
  const evaluations = new Map<Placement, PlacementEvaluation>();
  const evaluationOf = (placement: Placement) => {
    const found = evaluations.get(placement) ?? evaluate(problem, placement);
    evaluations.set(placement, found);
    return found;
  };
  const goals = stagesOf(problem);
  const held: Held[] = [];
  const proofs = stages.length > 0 ? stages : second ? [{ ...outcome, most: second.cap }, second] : [outcome];
  const proved = proofs.map((proof: PlacementOutcome & { readonly most?: Rational }, k): Proved<Placement> => {
    const goal = goals[k]?.minimize as StageGoal;
    const before = [...held];
    if (proof.most !== undefined) held.push({ goal, most: proof.most });
    return {
      ...(goals.length === 1 ? {} : { of: `goal ${k + 1} (${goal})` }),
      bound: proof.verdict.bound,
      worth: (placement) => keptValue(problem, goal, before, evaluationOf(placement)),
      proof: { instance: { name, sha256 }, certificate: proof.certificate },
    };
  });
  holdAgainst(knownIn(parts), proved);
}

function knownIn({ problem, placement, baselines, stages = [], prices, known = [] }: HeldParts) {
  const homes = problem.stay?.homes.map((own) => own?.[0]) ?? [];
  const now = homes.length > 0 && homes.every((home) => home !== undefined) ? { choices: homes } : null;
  const wider = prices?.gibPerGpu.proof?.placement ?? null;
  const all: readonly { readonly what: string; readonly plan: Placement | null }[] = [
    ...[...baselines, ...known].map((one) => ({ what: `the plan of ${one.method}`, plan: one.placement })),
    ...stages.map((stage, k) => ({ what: `the plan of stage ${k + 1}`, plan: stage.placement })),
    { what: "where the tables are now", plan: now },
    { what: "the plan for more memory", plan: wider },
    { what: "the plan", plan: placement },
  ];
  return all.filter((one): one is Known<Placement> => one.plan !== null);
}
