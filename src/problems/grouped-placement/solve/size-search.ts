import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { PlacementModel } from "../../../../models/table-placement/from-instance.js";
import type { Placement } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import type { TablePlacementInstance } from "../../../instance/types/table-placement.js";
import type { Certificate } from "../../../proof/certificate.js";
import { type CheckedCertificate, checkCertificate } from "../../../proof/check.js";
import { relativeGap, Verdict } from "../../../proof/verdict.js";
import { type GoalsSolution, placeByGoals } from "../../table-placement/solve/goals/place-by-goals.js";
import type { SolvePlacementOptions } from "../../table-placement/solve/solve-options.js";
import type { GroupSizeParts } from "../plan-file/size.js";

interface Proof {
  readonly certificate: Certificate;
  readonly checked: CheckedCertificate;
  readonly direct: GoalsSolution["direct"];
}

/** What is known of groups of one size, look by look: the best placement and the best bound so far. */
export class SizeSearch {
  readonly instance: TablePlacementInstance;
  readonly model: PlacementModel;
  /** What the placement costs; `null` without one. */
  value: Rational | null = null;
  /** Units of work of the longest look. */
  longest = 0;
  proveSeconds = 0;
  #starts: readonly Placement[] = [];
  #placement: Placement | null = null;
  #proof: Proof | null = null;

  constructor(instance: TablePlacementInstance, model: PlacementModel) {
    this.instance = instance;
    this.model = model;
  }

  /** Placements to begin from, and the best of them that keeps all limits is one already. */
  startFrom(placements: readonly Placement[]): void {
    this.#starts = placements;
    for (const placement of placements) this.#offer(placement);
  }

  /** The best bound; 0 where nothing is proved: no cost is less. */
  get boundOrZero(): Rational {
    return this.#proof?.checked.bound ?? Rational.zero;
  }

  /** Whether no plan with groups of this size is better than the best of all by more than the gap. */
  isClosed(best: Rational | null, gap: Rational): boolean {
    if (this.#proof === null) return false;
    const { bound } = this.#proof.checked;
    if (bound === null) return true;
    if (best === null) return false;
    return bound.compare(best) >= 0 || relativeGap(best, bound).compare(gap) <= 0;
  }

  /**
   * Searches with so much work, and returns the units that it took. Where the best plan of all is another size's, it ends once
   * the bound is no less than that: how far this size's own best plan is from its bound matters to nobody.
   */
  async look(best: Rational | null, options: SolvePlacementOptions): Promise<number> {
    const isBehind = best !== null && this.value !== null && best.compare(this.value) < 0;
    const far = isBehind ? relativeGap(this.value as Rational, best) : Rational.zero;
    const gap = far.compare(options.gap) > 0 ? far : options.gap;
    const starts = this.#placement === null ? this.#starts : [this.#placement];
    const solution = await placeByGoals(this.model.problem, { ...options, gap, starts });
    const { certificate, direct, verdict, placement, units } = solution;
    this.proveSeconds += solution.proveSeconds;
    this.longest = Math.max(this.longest, units, options.mostUnits ?? 0);
    if (placement !== null) this.#offer(placement);
    if (certificate === null) return units;
    const checked = verdict?.checked ?? checkCertificate(direct.program, certificate);
    const known = this.#proof?.checked.bound;
    const isBetter =
      known === undefined || checked.bound === null || (known !== null && checked.bound.compare(known) > 0);
    if (isBetter) this.#proof = { certificate, checked, direct };
    return units;
  }

  /** What a plan file is made of: verdicts to the gap that was asked for. */
  parts(gap: Rational): GroupSizeParts {
    const { instance, model } = this;
    const shared = { instance, problem: model.problem, placement: this.#placement };
    if (this.#proof === null) return { ...shared, proved: null };
    const { certificate, checked, direct } = this.#proof;
    const point = this.#placement === null ? null : direct.pointOf(this.#placement);
    const hasVerdict = point !== null || checked.bound === null;
    const verdict = hasVerdict ? Verdict.ofChecked(direct.program, checked, point, gap) : null;
    return { ...shared, proved: { certificate, on: direct, bound: checked.bound, verdict } };
  }

  #offer(placement: Placement): void {
    const { objective, violations } = evaluatePlacement(this.model.problem, placement);
    if (violations.length > 0 || (this.value !== null && this.value.compare(objective) <= 0)) return;
    this.value = objective;
    this.#placement = placement;
  }
}
