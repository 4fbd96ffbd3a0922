import type { RowTiersStructure } from "../../../../models/row-tiers/build.js";
import { Rational } from "../../../exact/rational.js";
import type { Step } from "../../../proof/certificate.js";
import { type BoundResult, lagrangianBound, type Multipliers } from "../../../proof/kernel/bound.js";
import type { ExchangeOrder } from "../../../proof/kernel/exchange.js";
import { fixByReducedCost } from "../../../proof/kernel/fix.js";
import type { Box } from "../../../proof/kernel/view.js";
import type { Incumbent } from "../../../search/branch-and-bound/incumbent.js";
import type { RelaxationAnswer } from "../../../search/branch-and-bound/relaxation.js";
import { branchAndBound, type SearchOptions } from "../../../search/branch-and-bound/search.js";
import type { SearchSpace } from "../../../search/branch-and-bound/space.js";
import { choiceProblem } from "../../../search/multiple-choice/choice-problem.js";
import { choiceRelaxation, weightedCost } from "../../../search/multiple-choice/choice-relaxation.js";
import { coreSearch } from "../../../search/multiple-choice/core-search.js";
import type { Without } from "../../../search/strategies.js";

/** How far the proof of a part of the program has come. */
export interface ClosedBox {
  readonly steps: readonly Step[];
  /** No point of the part is below this; `null` when it holds none (or, incomplete, when nothing is proved). */
  readonly bound: Rational | null;
  readonly complete: boolean;
  readonly nodes: number;
  /** About how many milliseconds it takes to check the steps of a tree. */
  readonly checking?: number;
}

export interface CloseOptions extends SearchOptions {
  /** Nodes to spend on proving the exact optimum before the asked gap is enough. */
  readonly exactNodes: number;
  /** The incumbent was improved on this part's breaks already. */
  readonly improved: boolean;
  /** Names of `NODE_STRATEGIES` to leave out. */
  readonly without: Without;
  /** Which classes may exchange units; asked for once branch and bound begins. */
  readonly exchanges: () => ExchangeOrder | null;
}

/** Solves the relaxation of a space and offers what it finds to the incumbent. */
export function probe(space: SearchSpace, structure: RowTiersStructure, incumbent: Incumbent): RelaxationAnswer {
  const answer = choiceRelaxation(choiceProblem(space, structure)).solve(space.box);
  if (answer.kind === "solved") {
    for (const { point } of answer.candidates) incumbent.offer(space.expand(point));
  }
  return answer;
}

/**
 * Proves a bound for a space whose fixed charges are all decided: by the relaxation's multipliers alone where they come
 * near enough to the incumbent; otherwise a search of the core uses up the memory that is left over, reduced costs fix the
 * classes far from the break, and branch and bound settles the few that stay open.
 */
export function closeBox(
  space: SearchSpace,
  structure: RowTiersStructure,
  answer: RelaxationAnswer,
  incumbent: Incumbent,
  options: CloseOptions,
): ClosedBox {
  const open = (part: SearchSpace) => choiceRelaxation(choiceProblem(part, structure));
  if (answer.kind === "infeasible") {
    const shown = lagrangianBound(space.view, space.box, answer.multipliers, "infeasibility");
    if (shown.infeasible || (shown.bound !== null && shown.bound.sign() > 0)) {
      return { steps: [{ infeasible: space.named(answer.multipliers) }], bound: null, complete: true, nodes: 0 };
    }
  }
  if (answer.kind !== "solved") return branchAndBound(space, incumbent, open, options);
  const root = lagrangianBound(space.view, space.box, answer.multipliers);
  const byRoot = (complete: boolean, nodes: number): ClosedBox => ({
    steps: [{ bound: space.named(answer.multipliers) }],
    bound: root.bound,
    complete,
    nodes,
  });
  const reached = (): boolean => {
    const cutoff = incumbent.cutoff(options.gap);
    return root.bound !== null && cutoff !== null && root.bound.compare(cutoff) >= 0;
  };
  if (reached()) return byRoot(true, 0);
  if (root.bound === null || incumbent.value === null) return branchAndBound(space, incumbent, open, options);
  if (!options.improved && !options.without.has("core search")) {
    searchCore(space, structure, answer.multipliers, root, incumbent);
  }
  if (reached()) return byRoot(true, 0);
  // The exact optimum first: its tree is often small.
  const exact = searchFixed(space, answer.multipliers, root, incumbent, open, {
    ...options,
    gap: Rational.zero,
    maxNodes: Math.min(options.exactNodes, options.maxNodes),
  });
  if (exact.complete) return exact;
  if (reached()) return byRoot(true, exact.nodes);
  const asked = searchFixed(space, answer.multipliers, root, incumbent, open, options);
  // A search that was stopped early may know less than the root did.
  if (asked.complete || (asked.bound !== null && asked.bound.compare(root.bound) > 0)) return asked;
  return byRoot(false, asked.nodes);
}

/** Looks for a better plan than the rounded relaxation among the classes that reduced costs leave open. */
export function searchCore(
  space: SearchSpace,
  structure: RowTiersStructure,
  multipliers: Multipliers,
  root: BoundResult,
  incumbent: Incumbent,
): void {
  const value = incumbent.value as Rational;
  const core = fixed(space, root, value);
  const problem = choiceProblem(core, structure);
  const first = structure.channels?.rows[0];
  // In doubles, searched: how points are weighed and how far they are looked at; a leaf is checked.
  const weight = first === undefined ? 1 : -(multipliers.get(first) ?? Rational.zero).toNumber();
  const room = value.subtract(root.bound as Rational).toNumber();
  for (const point of coreSearch(problem, core.box, weightedCost(problem, weight), room)) {
    // Best first: what comes after one that was taken is no better.
    if (incumbent.offer(core.expand(point))) break;
  }
}

/** The space with every column substituted that reduced costs decide for points below the cutoff. */
function fixed(space: SearchSpace, root: BoundResult, cutoff: Rational): SearchSpace {
  const box: Box = { lower: space.box.lower.slice(), upper: space.box.upper.slice() };
  fixByReducedCost(space.view, box, root, cutoff, () => {});
  return space.within(box).reduced();
}

/** Branch and bound on what reduced costs leave open, with the fixing recorded as the first step. */
function searchFixed(
  space: SearchSpace,
  multipliers: Multipliers,
  root: BoundResult,
  incumbent: Incumbent,
  open: Parameters<typeof branchAndBound>[2],
  options: CloseOptions,
): ClosedBox {
  const cutoff = incumbent.cutoff(options.gap) as Rational;
  const core = fixed(space, root, cutoff);
  const result = branchAndBound(core.ordered(options.exchanges()), incumbent, open, options);
  const steps: Step[] = [{ fix: space.named(multipliers) }];
  for (const step of result.steps) steps.push(step);
  if (!result.complete && result.bound === null) return { ...result, steps };
  // What the fixing took away is not below the cutoff, and the claim must not be above it.
  const bound = result.bound === null || result.bound.compare(cutoff) > 0 ? cutoff : result.bound;
  return { ...result, steps, bound };
}
