import type {
  Placement,
  PlacementChoice,
  PlacementProblem,
  PlacementTable,
} from "../../../../models/table-placement/problem.js";
import { withFewerOptions } from "../../../../models/table-placement/restriction.js";
import type { Work } from "../../../search/work.js";
import { searchPlacement } from "../solve/local-search/index.js";

/** Shares of the work: with all other tables where they are, and with their options but not their devices. */
const FIXED_SHARE = 0.05;
const SAME_OPTIONS_SHARE = 0.25;

export interface OtherOptions {
  readonly seed: number;
  readonly work: Work;
  /** Of work, at most. */
  readonly units: number;
  /** A plan of so small a largest cost is good enough. */
  readonly target: number;
}

/**
 * A plan near a given one in which one table takes another option: first with the others where they are, then, where there is
 * none, with their options on other devices, then any. `problem` is without the option that the plan has, so that only that
 * table's are numbered anew. `null`: none was found.
 */
export function otherPlacement(
  problem: PlacementProblem,
  plan: Placement,
  table: number,
  { seed, work, units, target }: OtherOptions,
): Placement | null {
  const search = (at: PlacementProblem, share: number, starts: readonly Placement[] = []) =>
    searchPlacement(at, { seed, shouldStop: work.slice(share * units), starts, target }).placement;
  const same = withFewerOptions(
    problem,
    problem.tables.map(({ options }, t) =>
      options.map((_, o) => t === table || o === (plan.choices[t] as PlacementChoice).option),
    ),
  );
  const where = (own: PlacementTable, t: number) =>
    t === table ? own : { ...own, devices: [...new Set(plan.choices[t]?.devices)].sort((a, b) => a - b) };
  const fixed = search({ ...same.problem, tables: same.problem.tables.map(where) }, FIXED_SHARE);
  const near = fixed ?? search(same.problem, SAME_OPTIONS_SHARE);
  return search(problem, 1 - FIXED_SHARE - SAME_OPTIONS_SHARE, near === null ? [] : [same.whole(near)]);
}
