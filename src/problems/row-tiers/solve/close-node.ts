import type { RowTiersModel } from "../../../../models/row-tiers/build.js";
import type { Rational } from "../../../exact/rational.js";
import type { Chain, Ladder } from "../../../program/ladder/ladder.js";
import type { NamedMultipliers, Step } from "../../../proof/certificate.js";
import { lagrangianBound } from "../../../proof/kernel/bound.js";
import { exchangeOrder } from "../../../proof/kernel/exchange.js";
import { decidedIntervals } from "../../../proof/kernel/ladder/fix.js";
import type { LadderNode } from "../../../proof/kernel/ladder/node.js";
import type { Incumbent } from "../../../search/branch-and-bound/incumbent.js";
import { branchAndBound, type Progress } from "../../../search/branch-and-bound/search.js";
import type { SearchSpace } from "../../../search/branch-and-bound/space.js";
import type { LadderDual } from "../../../search/class-knapsack/dual.js";
import type { BestPoint } from "../../../search/class-knapsack/incumbent.js";
import { withRelaxation } from "../../../search/exact-milp/lp-relaxation.js";
import type { Without } from "../../../search/strategies.js";
import { UNITS } from "../../../search/work.js";
import { readFirst } from "./bound-in-doubles.js";
import { type ClosedBox, closeBox, probe, searchCore } from "./close-box.js";
import { improveWithHost } from "./improve-with-host.js";
import { OpenPart } from "./open-part.js";

const EXACT_NODES = 2000;

/** What the exact method can do without, by name. */
export const NODE_STRATEGIES: readonly string[] = [
  ...["two capacities", "near breaks", "core search", "reduced costs", "interchange dominance", "bound in doubles"],
];

interface NodeOptions {
  readonly gap: Rational;
  /** `checking`: milliseconds that it takes to check what was found; `units`: of work since it was last asked. */
  readonly shouldStop: (checking?: number, units?: number) => boolean;
  readonly onProgress?: (progress: Progress) => void;
  /** Names of {@link NODE_STRATEGIES} to leave out. */
  readonly without: Without;
}

/**
 * Proves a bound for a node of a ladder whose fixed charges are all decided: by the relaxation's multipliers alone
 * where they come near enough to the best plan; otherwise reduced costs decide whole intervals, and the few classes
 * that stay open are a small program that `closeBox` settles.
 */
export async function closeNode(
  model: RowTiersModel,
  node: LadderNode | null,
  dual: LadderDual | null,
  best: BestPoint,
  options: NodeOptions,
): Promise<ClosedBox> {
  const { ladder, structure } = model;
  const byBound = closeByRelaxation(ladder, node, dual);
  if (node === null || dual === null || dual.kind === "infeasible") return byBound;
  const named = namedMultipliers(ladder, dual.multipliers);
  const { bound } = byBound;
  const reached = () => {
    const cutoff = best.cutoff(options.gap);
    return bound !== null && cutoff !== null && bound.compare(cutoff) >= 0;
  };
  if (reached()) return byBound;
  const { without } = options;
  if (structure.hostRow !== null && !without.has("two capacities")) {
    await improveWithHost(model, node, dual, best, reached);
  }
  const improved =
    structure.hostRow === null &&
    !without.has("near breaks") &&
    improveNearBreaks(model, node, dual, best, reached, without);
  if (reached()) return byBound;
  // The best plan itself as the cutoff: what it leaves open holds the exact optimum.
  const { value } = best;
  const decided =
    value === null || without.has("reduced costs") ? [] : decidedIntervals(ladder, node, dual.bound, value);
  const open = new OpenPart(model, node, decided, best);
  const { space, roles, incumbent } = open;
  const closed =
    structure.hostRow === null
      ? closeBox(space, roles, probe(space, roles, incumbent), incumbent, {
          ...options,
          shouldStop: (checking) => options.shouldStop(checking, UNITS.node * space.view.columns.length),
          maxNodes: Number.POSITIVE_INFINITY,
          exactNodes: EXACT_NODES,
          improved,
          exchanges: () =>
            without.has("interchange dominance") ? null : exchangeOrder(space.program, space.view.groups),
        })
      : await closeByLinearPrograms(ladder, space, incumbent, options);
  open.offerWhole();
  // A search that was stopped early may know less than its root did.
  const knowsLess = closed.bound === null || (bound !== null && closed.bound.compare(bound) < 0);
  if (!closed.complete && knowsLess) return { ...byBound, complete: false, nodes: closed.nodes };
  if (value === null) return closed;
  const steps: Step[] = [{ fix: named, cutoff: value.toString() }];
  for (const step of closed.steps) steps.push(step);
  // What was decided is not below the cutoff, and the claim must not be above it.
  const proved = closed.bound === null || closed.bound.compare(value) > 0 ? value : closed.bound;
  return { ...closed, steps, bound: proved };
}

/** What the relaxation's multipliers prove of a node alone. */
export function closeByRelaxation(ladder: Ladder, node: LadderNode | null, dual: LadderDual | null): ClosedBox {
  const closed = { complete: true, nodes: 0 };
  if (node === null || dual === null) return { steps: [{ infeasible: {} }], bound: null, ...closed };
  const named = namedMultipliers(ladder, dual.multipliers);
  if (dual.kind === "infeasible") return { steps: [{ infeasible: named }], bound: null, ...closed };
  return { steps: [{ bound: named }], bound: dual.bound.bound, ...closed };
}

/** Classes on both sides of a break between two tiers that are looked at for a better plan. */
const NEAR = 100;

/**
 * Looks for a better plan among the classes next to the breaks between tiers. What a rounded relaxation leaves over of
 * the memory is worth up to one unit; reduced costs would leave everything open that costs less than that. `false`:
 * there is nothing but such classes, and nothing was done.
 */
function improveNearBreaks(
  model: RowTiersModel,
  node: LadderNode,
  { bound }: Extract<LadderDual, { kind: "solved" }>,
  best: BestPoint,
  reached: () => boolean,
  without: Without,
): boolean {
  const decided = bound.cheapest.flatMap((interval) => {
    const classes = (model.ladder.chains[interval.chain] as Chain).units.length;
    const from = interval.from === 0 ? 0 : interval.from + NEAR;
    const to = interval.to === classes ? classes : interval.to - NEAR;
    return from < to ? [{ ...interval, from, to }] : [];
  });
  if (decided.length === 0) return false;
  const open = new OpenPart(model, node, decided, best);
  const { space, roles, incumbent } = open;
  const answer = probe(space, roles, incumbent);
  open.offerWhole();
  if (reached() || answer.kind !== "solved" || incumbent.value === null || without.has("core search")) return true;
  const root = lagrangianBound(space.view, space.box, answer.multipliers);
  if (root.bound !== null) searchCore(space, roles, answer.multipliers, root, incumbent);
  open.offerWhole();
  return true;
}

/** With two capacities the open classes are a program for linear relaxations. */
function closeByLinearPrograms(
  ladder: Ladder,
  space: SearchSpace,
  incumbent: Incumbent,
  options: NodeOptions,
): Promise<ClosedBox> {
  const { without } = options;
  const order = without.has("interchange dominance") ? null : exchangeOrder(space.program, space.view.groups);
  const isDouble = !without.has("bound in doubles");
  return withRelaxation(
    space.program,
    (units) => options.shouldStop(0, units),
    (open) =>
      branchAndBound(space.ordered(order), incumbent, isDouble ? readFirst(open, ladder) : open, {
        ...options,
        maxNodes: Number.POSITIVE_INFINITY,
        propagate: true,
      }),
  );
}

function namedMultipliers({ rows }: Ladder, multipliers: ReadonlyMap<number, Rational>): NamedMultipliers {
  return Object.fromEntries(
    [...multipliers]
      .filter(([, value]) => value.sign() !== 0)
      .map(([row, value]) => [rows[row]?.name as string, value.toString()]),
  );
}
