import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import type { Box } from "../../../../proof/kernel/view.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { reduceOptions } from "../bounds/reduction.js";
import { reducedBox } from "../bounds/reduction-steps.js";

/** The limit that options are left out by is above the best placement by this part, so that it stays in. */
const JUST_ABOVE = 1e-9;

/** What a better placement leaves is looked for again where the best one has come down to this part of what it was. */
const WORTH_REDUCING = 0.998;

/** The placements that differ from a point in some tables alone, of those that bounds do not rule out. */
export class OpenTables {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #whole: SearchSpace;
  #left: { readonly value: number; readonly box: Box } | null = null;

  constructor(problem: PlacementProblem, direct: DirectProgram) {
    this.#problem = problem;
    this.#direct = direct;
    this.#whole = SearchSpace.of(direct.program);
  }

  /** `value`: of the point. */
  around(point: readonly Rational[], value: number, isOpen: (table: number) => boolean): SearchSpace {
    const left = this.#leftAt(value);
    const [lower, upper] = [left.lower.slice(), left.upper.slice()];
    const fix = (column: number) => {
      lower[column] = upper[column] = point[column] as Rational;
    };
    for (const [t, { chosen, options }] of this.#direct.structure.tables.entries()) {
      if (isOpen(t)) continue;
      for (const column of chosen) if (column !== null) fix(column);
      for (const { nodeChoices, shards } of options) {
        for (const column of nodeChoices) fix(column);
        for (const { column } of shards) fix(column);
      }
    }
    return this.#whole.within({ lower, upper }).reduced();
  }

  #leftAt(value: number): Box {
    if (this.#left === null || value < WORTH_REDUCING * this.#left.value) {
      const limit = value * (1 + JUST_ABOVE);
      const reduction = reduceOptions(this.#problem, limit);
      const { reduced } = reducedBox(this.#problem, this.#direct, reduction, Rational.fromNumber(limit));
      this.#left = { value, box: reduced.save() };
    }
    return this.#left.box;
  }
}
