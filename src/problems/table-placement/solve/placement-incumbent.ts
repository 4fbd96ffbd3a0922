import type { PlacementProgram } from "../../../../models/table-placement/direct-program.js";
import type { Placement } from "../../../../models/table-placement/problem.js";
import type { Rational } from "../../../exact/rational.js";
import { Incumbent } from "../../../search/branch-and-bound/incumbent.js";
import type { KnownPlans } from "./known-plans.js";
import { placedPoint } from "./placed-point.js";

/** The best placement known of a program. */
export class PlacementIncumbent extends Incumbent {
  readonly #built: PlacementProgram;
  readonly #plans: KnownPlans;
  /** The placement of the point that is looked at; `null` where it stands for none, or one that is not taken. */
  readonly #looked: { placement: Placement | null };
  #placed: { readonly point: readonly Rational[]; readonly placement: Placement } | null = null;

  /** `isTaken`: whether a placement is one that is asked for; default: all are. */
  constructor(built: PlacementProgram, plans: KnownPlans, isTaken: (placement: Placement) => boolean = () => true) {
    const looked: { placement: Placement | null } = { placement: null };
    super(built.program, (point) =>
      placedPoint(built, point, (placement) => {
        looked.placement = isTaken(placement) ? placement : null;
        return looked.placement !== null;
      }),
    );
    this.#built = built;
    this.#plans = plans;
    this.#looked = looked;
  }

  /** The placement of the point; the same object as long as it is the same. */
  get placement(): Placement | null {
    const { point } = this;
    if (point === null) return null;
    if (this.#placed?.point !== point) this.#placed = { point, placement: this.#built.recover(point) };
    return this.#placed.placement;
  }

  /** As any incumbent does. Throws `ContradictionError` where the program refuses a placement that is better by itself. */
  override offer(point: readonly Rational[]): boolean {
    this.#looked.placement = null;
    const isBetter = super.offer(point);
    const { placement } = this.#looked;
    if (!isBetter && placement !== null) this.#plans.requireRefused(placement, this.#built, this.value);
    return isBetter;
  }
}
