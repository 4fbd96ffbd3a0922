import { Rational } from "../../exact/rational.js";
import type { Ladder, LadderForm, LadderRow } from "../../program/ladder/ladder.js";
import type { LadderBound } from "../../proof/kernel/ladder/bound.js";
import type { LadderNode } from "../../proof/kernel/ladder/node.js";
import { capacityAt, capacityBreakpoint, provedAt, roundedDown } from "./breakpoint.js";
import { type DualLine, findBreakpoint } from "./knapsack-solution.js";
import { type Weighing, weigh } from "./multipliers.js";
import type { LadderRoles } from "./roles.js";

type Multipliers = ReadonlyMap<number, Rational>;

/** The relaxation of a node, solved by its dual. */
export type LadderDual =
  | { readonly kind: "infeasible"; readonly multipliers: Multipliers }
  | {
      readonly kind: "solved";
      readonly multipliers: Multipliers;
      readonly bound: LadderBound;
      /** Whole-numbered unit counts that may be feasible, most promising first. */
      readonly candidates: readonly Float64Array[];
    };

/** With weights in doubles a dual's optimum is known to this much, relatively. */
const WEIGHED_TOLERANCE = 1e-13;

/**
 * Solves the relaxation of a node: the price of memory exactly (breakpoint.ts); with two objective sums, their weights by
 * cutting planes (multipliers.ts); with a second capacity, its price around both. A fixed charge that is still open costs
 * nothing here.
 */
export function ladderDual(ladder: Ladder, node: LadderNode, roles: LadderRoles): LadderDual {
  const { memoryRow, hostRow } = roles;
  if (hostRow === null) {
    const solved = weigh(ladder, node, roles, new Map());
    if (solved === null) return { kind: "infeasible", multipliers: new Map([[memoryRow, Rational.one.negate()]]) };
    return solvedBy(ladder, node, roles, solved, []);
  }
  const least = leastHost(ladder, node, memoryRow, hostRow);
  if (least.kind === "infeasible") return { kind: "infeasible", multipliers: least.multipliers };
  const { form } = ladder.rows[hostRow] as LadderRow;
  const upper = capacityAt(ladder, node, hostRow);
  let best: HostDualLine | null = null;
  const at = (price: Rational): HostDualLine | null => {
    const solved = weigh(ladder, node, roles, new Map([[hostRow, price.negate()]]));
    if (solved === null) return null;
    const used = solved.valueOf(form);
    const bound = provedAt(solved.best.breakpoint);
    const line = { price, used, cost: bound.subtract(price.multiply(used.subtract(upper))), bound, solved };
    if (best === null || bound.compare(best.bound) > 0) best = line;
    return line;
  };
  // Any plan that needs little host memory: what is best at a price far above all costs.
  const leastUse = (over: HostDualLine): HostDualLine | null => {
    let price = over.cost.absolute().add(Rational.one);
    let factor = Rational.of(1024n);
    for (let tries = 0; tries < MAX_PRICES; tries++) {
      const dualLine = at(price);
      if (dualLine === null || dualLine.used.compare(upper) <= 0) return dualLine;
      price = price.multiply(factor);
      // Rows' rates may be as far apart as doubles are.
      factor = factor.multiply(factor);
    }
    return null;
  };
  const breakpoint = findBreakpoint<HostDualLine>(upper, at, leastUse, roles.channels === null ? 0 : WEIGHED_TOLERANCE);
  // The least use is within the capacity: weights in doubles alone may not show it, where it is all that there is.
  if (breakpoint.kind === "infeasible") {
    const { solved } = (best ?? at(Rational.zero)) as HostDualLine;
    return solvedBy(ladder, node, roles, solved, [], least.candidate);
  }
  const others = [breakpoint.under, ...(breakpoint.over === null ? [] : [breakpoint.over])].map(({ solved }) => solved);
  return solvedBy(ladder, node, roles, breakpoint.found.solved, others, least.candidate);
}

const MAX_PRICES = 12;

/** The best at a price of the second capacity. */
interface HostDualLine extends DualLine {
  readonly bound: Rational;
  readonly solved: Weighing;
}

function solvedBy(
  ladder: Ladder,
  node: LadderNode,
  { memoryRow }: LadderRoles,
  solved: Weighing,
  others: readonly Weighing[],
  further?: Float64Array,
): LadderDual {
  const facets = [...new Set([solved, ...others].flatMap(({ facets: tried }) => tried))];
  const candidates = facets.map((breakpoint) => roundedDown(ladder, node, memoryRow, breakpoint));
  if (further !== undefined) candidates.push(further);
  return {
    kind: "solved",
    multipliers: solved.best.multipliers,
    bound: solved.best.breakpoint.found.bound as LadderBound,
    candidates,
  };
}

/**
 * How little of the second capacity will do within the first: the relaxation with that as the objective. More than
 * there is shows that nothing is feasible.
 */
function leastHost(
  ladder: Ladder,
  node: LadderNode,
  memoryRow: number,
  hostRow: number,
):
  | { readonly kind: "infeasible"; readonly multipliers: Multipliers }
  | { readonly kind: "feasible"; readonly multipliers: Multipliers; readonly candidate: Float64Array } {
  const { name, form } = ladder.rows[hostRow] as LadderRow;
  const upper = capacityAt(ladder, node, hostRow);
  const withoutAuxiliaries: LadderForm = { ...form, auxiliaries: form.auxiliaries.map(() => Rational.zero) };
  const breakpoint = capacityBreakpoint(
    { ...ladder, objective: { name, form: withoutAuxiliaries } },
    node,
    memoryRow,
    new Map(),
  );
  const minusOne = Rational.one.negate();
  if (breakpoint.kind === "infeasible") return { kind: "infeasible", multipliers: new Map([[memoryRow, minusOne]]) };
  const multipliers = new Map([
    [hostRow, minusOne],
    [memoryRow, breakpoint.price.negate()],
  ]);
  const bound = provedAt(breakpoint);
  if (bound.compare(upper) > 0) return { kind: "infeasible", multipliers };
  return { kind: "feasible", multipliers, candidate: roundedDown(ladder, node, memoryRow, breakpoint) };
}
