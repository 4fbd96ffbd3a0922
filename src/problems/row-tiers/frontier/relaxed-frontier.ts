import { mostOfRow, type RowTiersModel, withUpper } from "../../../../models/row-tiers/build.js";
import { Rational } from "../../../exact/rational.js";
import { tierSums } from "../../../program/ladder/evaluate.js";
import type { Ladder, LadderRow } from "../../../program/ladder/ladder.js";
import { ladderBound } from "../../../proof/kernel/ladder/bound.js";
import { rootNode } from "../../../proof/kernel/ladder/node.js";
import { capacityBreakpoint, provedAt, roundedDown } from "../../../search/class-knapsack/breakpoint.js";
import { weigh } from "../../../search/class-knapsack/multipliers.js";
import type { LadderRoles } from "../../../search/class-knapsack/roles.js";
import { breakPoints } from "./break-points.js";
import type { ConvexCurve } from "./convex-curve.js";
import { bestMixture, type Filling, fillingOf } from "./mixtures.js";
import { type RelaxedLadder, relaxedLadder } from "./relaxed-ladder.js";
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

/** How far lines may stay below the curve. */
const PRECISION = 1e-9;

/** How many of them are sought at most: a few seconds' worth of ten thousand classes, of either kind. */
const MAX_WEIGHED = 1000;
const MAX_MIXED = 300;

/**
 * The frontier of a model's relaxation, whatever its own budget. All break-points come from one sort (break-points.ts)
 * where the objective is one sum and memory the only capacity that can bind. With the larger of two sums (`channels`),
 * or host memory that not every plan keeps to, the curve is built from supporting lines (supporting-lines.ts): the
 * multipliers of the optimum at one memory prove a bound at every memory. The optimum is exact (mixtures.ts); of two
 * sums it is sought from where weights in doubles lead (search/class-knapsack/multipliers.ts).
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
  const least = leastOfMemory(ladder, roles);
  if (least === null) return null;
  const most = mostOfRow(ladder, (ladder.rows[roles.memoryRow] as LadderRow).form);
  const isMixed = roles.hostRow !== null;
  const at = isMixed ? mixedLines(relaxed, least.fillings) : (bytes: Rational) => weighedLine(relaxed, bytes);
  const ends = [at(least.bytes), at(most)] as const;
  const mostLines = isMixed ? MAX_MIXED : MAX_WEIGHED;
  const found = curveOfLines({ ends, at, precision: PRECISION, mostLines, shouldStop });
  return { ...found, leastPlanBytes: least.planBytes, method: "lines" };
}

/**
 * With memory as the only capacity, of two sums: a mixture of what is best at the last weights that were tried in
 * doubles is the optimum, or nearly.
 */
function weighedLine({ ladder, roles }: RelaxedLadder, bytes: Rational): SupportingLine {
  const limited = withUpper(ladder, roles.memoryRow, bytes);
  const solved = weigh(limited, rootNode(ladder), roles, new Map());
  if (solved === null) throw new RangeError(`no mixture of plans fits into ${bytes} bytes`);
  const fillings = solved.facets.flatMap(({ under, over }) => (over === null ? [under] : [under, over]));
  const start = [...new Set(fillings)].map(({ intervals }) => fillingOf(ladder, intervals));
  const { value, multipliers } = bestMixture(limited, start);
  return { bytes, seconds: value, slope: multipliers.get(roles.memoryRow) ?? Rational.zero };
}

/** By mixtures of fillings, from those that were the best at the nearest memories asked for before. */
function mixedLines({ ladder, roles }: RelaxedLadder, least: readonly Filling[]): (bytes: Rational) => SupportingLine {
  const known: { readonly bytes: Rational; readonly fillings: readonly Filling[] }[] = [];
  return (bytes) => {
    const nearest = nearestOnEitherSide(known, bytes);
    const start = [...new Set([...least, ...nearest.flatMap(({ fillings }) => fillings)])];
    const { value, multipliers, fillings } = bestMixture(withUpper(ladder, roles.memoryRow, bytes), start);
    known.push({ bytes, fillings });
    return { bytes, seconds: value, slope: multipliers.get(roles.memoryRow) ?? Rational.zero };
  };
}

/** Without the row of the host memory where every plan keeps to it. */
function withoutSlackHost(relaxed: RelaxedLadder): RelaxedLadder {
  const { ladder, roles } = relaxed;
  if (roles.hostRow === null) return relaxed;
  const { form, upper } = ladder.rows[roles.hostRow] as LadderRow;
  return mostOfRow(ladder, form).compare(upper) <= 0 ? { ladder, roles: { ...roles, hostRow: null } } : relaxed;
}

/** The least memory within the host memory, of the relaxation and of a plan; and fillings that it is a mixture of. */
function leastOfMemory(
  ladder: Ladder,
  { memoryRow, hostRow }: LadderRoles,
): { readonly bytes: Rational; readonly planBytes: Rational; readonly fillings: readonly Filling[] } | null {
  const { name, form } = ladder.rows[memoryRow] as LadderRow;
  const sought = { ...ladder, objective: { name, form } };
  const node = rootNode(ladder);
  if (hostRow === null) {
    // Without another capacity every unit is where it needs least.
    const { bound, cheapest } = ladderBound(sought, node, new Map());
    return { bytes: bound as Rational, planBytes: bound as Rational, fillings: [fillingOf(ladder, cheapest)] };
  }
  const breakpoint = capacityBreakpoint(sought, node, hostRow, new Map());
  if (breakpoint.kind === "infeasible") return null;
  const { under, over } = breakpoint;
  const fillings = [under, ...(over === null ? [] : [over])].map(({ intervals }) => fillingOf(ladder, intervals));
  const planBytes = tierSums(ladder, roundedDown(ladder, node, hostRow, breakpoint)).valueOf(form);
  return { bytes: provedAt(breakpoint), planBytes, fillings };
}

function nearestOnEitherSide<T extends { readonly bytes: Rational }>(
  known: readonly T[],
  bytes: Rational,
): readonly T[] {
  let below: T | undefined;
  let above: T | undefined;
  for (const one of known) {
    if (one.bytes.compare(bytes) <= 0) {
      if (below === undefined || one.bytes.compare(below.bytes) > 0) below = one;
    } else if (above === undefined || one.bytes.compare(above.bytes) < 0) above = one;
  }
  return [below, above].filter((one) => one !== undefined);
}
