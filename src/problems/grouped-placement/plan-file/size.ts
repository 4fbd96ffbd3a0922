import { heldBytes } from "../../../../models/grouped-placement/held-bytes.js";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { Rational } from "../../../exact/rational.js";
import type { GroupShape, OneGroup } from "../../../instance/types/groups.js";
import type { TablePlacementInstance } from "../../../instance/types/table-placement.js";
import { describeBounded, feasibleEvaluation } from "../../../plan-file/assembled.js";
import { holdAgainst } from "../../../proof/hold-against.js";
import { relativeGap, type Verdict } from "../../../proof/verdict.js";
import type { PlacementGroupSize } from "../../table-placement/plan-file/groups.js";
import { provedOf } from "../../table-placement/plan-file/hold-placements.js";
import { certified, type ProofOn } from "../../table-placement/plan-file/proof-on.js";
import { writtenChoices } from "../../table-placement/plan-file/written-choices.js";

/** What was found and proved of groups of one size. */
export interface GroupSizeParts {
  /** Of one group. */
  readonly instance: TablePlacementInstance;
  readonly problem: PlacementProblem;
  readonly placement: Placement | null;
  /** `null`: nothing was proved. */
  readonly proved: ProvedSize | null;
}

/** A certificate that was checked: a bound, with or without a placement beside it, or that there is no placement. */
export interface ProvedSize extends ProofOn {
  /** `null`: there is no placement. */
  readonly bound: Rational | null;
  /** Beside a placement, or where there is none; `null` for a bound alone. */
  readonly verdict: Verdict | null;
}

/** The parts of a size with what its placement comes to. */
export interface EvaluatedSize extends GroupSizeParts {
  readonly shape: GroupShape;
  readonly value: Rational | null;
  readonly isInfeasible: boolean;
}

/** Throws `RangeError` where the placement breaks a limit, `ContradictionError` where it is better than what was proved. */
export function evaluateSize(parts: GroupSizeParts): EvaluatedSize {
  const { instance, problem, placement, proved } = parts;
  const evaluation = placement === null ? null : feasibleEvaluation(evaluatePlacement(problem, placement));
  const { size } = (instance.group as OneGroup).shape;
  holdAgainst(
    placement === null ? [] : [{ what: `the plan of groups of ${size}`, plan: placement }],
    proved === null ? [] : [provedOf(problem, proved, `groups of ${size}`)],
  );
  return {
    ...parts,
    shape: (instance.group as OneGroup).shape,
    value: evaluation?.objective ?? null,
    isInfeasible: proved !== null && proved.bound === null,
  };
}

/** The size as the plan file has it; what the plan has itself is left to it. */
export function describeSize(
  { instance, problem, placement, proved, shape, value }: EvaluatedSize,
  { isChosen, isCertified }: { readonly isChosen: boolean; readonly isCertified: boolean },
): PlacementGroupSize {
  const bound = proved?.bound ?? null;
  const used = placement === null ? null : evaluatePlacement(problem, placement).hbmBytes;
  const held = placement === null ? null : heldBytes(instance, problem, placement);
  const gathered = used?.map((bytes, device) => bytes + (held?.lookupBytes[device] as number)) ?? null;
  return {
    size: shape.size,
    copies: shape.copies,
    hosts: shape.nodes,
    status: proved?.verdict?.status ?? "unknown",
    ...describeBounded(value, bound, value && bound && relativeGap(value, bound)),
    syncMilliseconds: held === null ? null : mostOf(held.syncMilliseconds),
    largestBytes: used === null ? null : mostOf(used),
    ...(instance.group?.choice.isFullySharded === true
      ? { largestLookupBytes: gathered === null ? null : mostOf(gathered) }
      : {}),
    choices: isChosen || placement === null ? null : writtenChoices(placement),
    ...certified(isCertified ? null : proved),
  };
}

function mostOf(numbers: readonly number[]): number {
  return numbers.reduce((most, one) => Math.max(most, one), 0);
}
