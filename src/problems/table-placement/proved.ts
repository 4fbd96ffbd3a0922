import type { PointedProgram } from "../../../models/table-placement/direct-program.js";
import { evaluatePlacement, goalValue } from "../../../models/table-placement/evaluate.js";
import { placementProblem } from "../../../models/table-placement/from-instance.js";
import { secondProgram } from "../../../models/table-placement/goal-program.js";
import { neuralHead } from "../../../models/table-placement/learned/head.js";
import type { Placement, PlacementProblem } from "../../../models/table-placement/problem.js";
import {
  provedFirst,
  provedProgram,
  provedStageProgram,
  type WrittenProof,
} from "../../../models/table-placement/proved-program.js";
import { stageProblem } from "../../../models/table-placement/stage-problem.js";
import { type Held, stagesOf } from "../../../models/table-placement/stages.js";
import { Rational } from "../../exact/rational.js";
import { allowedValue } from "../../instance/allowance.js";
import { type PlanSource, planWithInstance, requireProof } from "../../plan-file/original-plan.js";
import { type NamedProofs, oneProof, type ProvedProgram } from "../proved-program.js";
import { tablePlacementReader } from "./instance/reader.js";
import { tablePlacementPlanSchema, type WrittenPlacementPlan } from "./plan-file/plan-file.js";
import { placementOf } from "./plan-file/written-choices.js";

/**
 * What is proved of a table-placement plan, or of there being none: on the program that `--to mps` writes, of a large problem its
 * aggregated program; with a ceiling on what that has below it. Of several goals each has its proof: `goal-1`, `goal-2`, ….
 *
 * Throws `InputError` when the text is no plan as it was written, is of another problem, was made for another instance, or has no
 * certificate; of a plan that does not verify as the parts do that check it.
 */
export async function provedPlacement(source: PlanSource): Promise<NamedProofs> {
  const { plan, instance } = await planWithInstance(tablePlacementReader, tablePlacementPlanSchema, source);
  const { request, proof, tables } = requireProof(plan, source.file);
  const problem = placementProblem(instance);
  const ceiling = proof?.ceiling === undefined ? null : Rational.parse(proof.ceiling);
  const placement =
    tables.length === 0 ? null : { choices: tables.map(({ option, ranks }) => ({ option, devices: ranks })) };
  const head = problem.setCost === undefined ? null : neuralHead(instance, problem.setCost);
  const further = placement === null ? [] : goalProofs(plan, problem, placement);
  const first = (): ProvedProgram => {
    const built = provedFirst({ problem, head, ceiling, placement }, plan);
    return {
      program: built.program,
      certificate: plan.certificate,
      point: pointAt(problem, built, placement),
      gap: request.gap,
      ...(ceiling === null ? {} : { comment: `placements that cost more than ${ceiling} are left out of the program` }),
    };
  };
  if (further.length === 0) return oneProof(first());
  const all = further[0] === undefined || problem.stages === undefined ? [first, ...further] : further;
  return new Map(all.map((make, k) => [`goal-${k + 1}`, make]));
}

/** Of all goals in order, or of the second alone that is minimised then, as far as they have a certificate. */
function goalProofs(
  { stages, second, request, certificate, provedOn }: WrittenPlacementPlan,
  problem: PlacementProblem,
  placement: Placement,
): (() => ProvedProgram)[] {
  const { gap } = request;
  const goal = problem.thenMinimize;
  const cap = second?.exact.cap ?? null;
  if (goal !== undefined && second !== null && cap !== null) {
    const make = () => {
      const built = secondProgram(problem, goal, Rational.parse(cap));
      return {
        program: built.program,
        certificate: second.certificate,
        point: pointAt(problem, built, placement),
        gap,
      };
    };
    return second.certificate === null ? [] : [make];
  }
  const held: Held[] = [];
  const proofs: (() => ProvedProgram)[] = [];
  for (const [k, stage] of (problem.stages === undefined ? [] : stagesOf(problem)).entries()) {
    const written = stages?.[k];
    const own: WrittenProof | undefined = k === 0 ? { certificate, provedOn } : written;
    if (written === undefined || written.best === null || !own?.certificate) break;
    const at = written.choices === null ? placement : placementOf(written.choices);
    const staged = stageProblem(problem, k, [...held]);
    proofs.push(() => {
      const built = provedStageProgram(staged, own);
      return { program: built.program, certificate: own.certificate, point: pointAt(problem, built, at), gap };
    });
    const most = allowedValue(goalValue(problem, stage.minimize, evaluatePlacement(problem, at)), stage.allow);
    held.push({ goal: stage.minimize, most });
  }
  return proofs;
}

/** A program's point of a placement; `null` for none. Throws as {@link evaluatePlacement} does for choices that are not the problem's. */
function pointAt(
  problem: PlacementProblem,
  { pointOf }: PointedProgram,
  placement: Placement | null,
): readonly Rational[] | null {
  if (placement === null) return null;
  evaluatePlacement(problem, placement);
  return pointOf(placement);
}

/** Of one of a plan's placements, on the program that its proof names; `null`: nothing is known to be placed. */
export function placementProof(
  problem: PlacementProblem,
  placement: Placement | null,
  written: WrittenProof,
  gap: number,
): ProvedProgram {
  const built = provedProgram(problem, written);
  return { program: built.program, certificate: written.certificate, point: pointAt(problem, built, placement), gap };
}
