import type { RowTiersModel } from "../../../../models/row-tiers/build.js";
import { withUpper } from "../../../../models/row-tiers/with-budget.js";
import { Rational } from "../../../exact/rational.js";
import { tierSums } from "../../../program/ladder/evaluate.js";
import type { Ladder, LadderRow } from "../../../program/ladder/ladder.js";
import { type LadderBound, ladderBound } from "../../../proof/ladder/bound.js";
import { type LadderNode, rootNode } from "../../../proof/ladder/node.js";
import { type LadderRoles, ladderDual } from "../../ladder/dual.js";
import { capacityFacet, provedAt, roundedDown } from "../../ladder/facet.js";
import { weigh } from "../../ladder/weights.js";
import { breakPoints } from "./break-points.js";
import type { ConvexCurve } from "./convex-curve.js";
import { mostOfRow, relaxedLadder } from "./relaxed-ladder.js";
import { curveOfLines, type SupportingLine } from "./supporting-lines.js";

/** The least seconds of the relaxation for every memory: no plan, and no mixture of plans, is below it. */
export interface RelaxedFrontier {
  readonly curve: ConvexCurve;
  /**
   * Bytes per GPU of a plan that needs the least memory; where host memory binds, of one that was rounded from the
   * relaxation's least, and as good as the least.
   */
  readonly leastPlanBytes: Rational;
  /**
   * `sorted`: every break-point, exactly. `lines`: supporting lines, each exact, of which the curve is the highest; the
   * true one is nowhere above it by more than `precision`, relative to its value.
   */
  readonly method: "sorted" | "lines";
  /** 0 for `sorted`. */
  readonly precision: number;
}

/** How far lines may stay below the curve, and how many of them are sought at most. */
const PRECISION = 1e-9;
const MOST_LINES = 1000;

/**
 * The frontier of a model's relaxation, whatever its own budget. All break-points come from one sort (break-points.ts)
 * where the objective is one sum and memory the only capacity that can bind. With the larger of two sums (`channels`), or
 * host memory that not every plan keeps to, the curve is the highest of all curves that a weighting of the sums and a
 * price of the host memory give, and is built from supporting lines: the dual's multipliers at one memory are a bound at
 * every memory. Those with weights in doubles are exact bounds too, only not quite the best ones.
 *
 * `null` where no plan keeps to the host memory, however much there is of the GPUs'.
 */
export function relaxedFrontier(
  model: RowTiersModel,
  { shouldStop = () => false }: { readonly shouldStop?: () => boolean } = {},
): RelaxedFrontier | null {
  const relaxed = withoutSlackHost(relaxedLadder(model));
  const { ladder, roles } = relaxed;
  if (roles.hostRow === null && roles.channels === null) {
    const curve = breakPoints(relaxed);
    return { curve, leastPlanBytes: curve.first.bytes, method: "sorted", precision: 0 };
  }
  const least = leastBytes(ladder, roles);
  if (least === null) return null;
  const at = (bytes: Rational) => supportingLine(withUpper(ladder, roles.memoryRow, bytes), roles, bytes);
  const most = mostOfRow(ladder, (ladder.rows[roles.memoryRow] as LadderRow).form);
  const ends = [at(least.relaxed), at(most)] as const;
  const found = curveOfLines({ ends, at, precision: PRECISION, mostLines: MOST_LINES, shouldStop });
  return { ...found, leastPlanBytes: least.plan, method: "lines" };
}

/** What the dual's multipliers at one memory prove at every memory. */
function supportingLine(ladder: Ladder, roles: LadderRoles, bytes: Rational): SupportingLine {
  const node = rootNode(ladder);
  const dual = roles.hostRow === null ? weighed(ladder, node, roles) : ladderDual(ladder, node, roles);
  if (dual === null || dual.kind === "infeasible") throw new RangeError(`nothing fits into ${bytes} bytes`);
  const slope = dual.multipliers.get(roles.memoryRow) ?? Rational.zero;
  return { bytes, seconds: dual.bound.bound as Rational, slope };
}

/** As {@link ladderDual} with memory alone, but without rounding its optima to plans. */
function weighed(ladder: Ladder, node: LadderNode, roles: LadderRoles) {
  const solved = weigh(ladder, node, roles, new Map());
  if (solved === null) return null;
  const { multipliers, facet } = solved.best;
  return { kind: "solved" as const, multipliers, bound: facet.found.bound as LadderBound };
}

/** Without the row of the host memory where every plan keeps to it. */
function withoutSlackHost<T extends { readonly ladder: Ladder; readonly roles: LadderRoles }>(relaxed: T) {
  const { ladder, roles } = relaxed;
  if (roles.hostRow === null) return relaxed;
  const { form, upper } = ladder.rows[roles.hostRow] as LadderRow;
  return mostOfRow(ladder, form).compare(upper) <= 0 ? { ladder, roles: { ...roles, hostRow: null } } : relaxed;
}

/** The least memory within the host memory, of the relaxation and of a plan. */
function leastBytes(ladder: Ladder, { memoryRow, hostRow }: LadderRoles): { relaxed: Rational; plan: Rational } | null {
  const { name, form } = ladder.rows[memoryRow] as LadderRow;
  const sought = { ...ladder, objective: { name, form } };
  const node = rootNode(ladder);
  if (hostRow === null) {
    // Without another capacity every unit is where it needs least.
    const bytes = ladderBound(sought, node, new Map()).bound as Rational;
    return { relaxed: bytes, plan: bytes };
  }
  const facet = capacityFacet(sought, node, hostRow, new Map());
  if (facet.kind === "infeasible") return null;
  const plan = tierSums(ladder, roundedDown(ladder, hostRow, facet)).valueOf(form);
  return { relaxed: provedAt(facet), plan };
}
