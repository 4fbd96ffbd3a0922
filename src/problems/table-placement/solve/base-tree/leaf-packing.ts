import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { Placement } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import type { Step } from "../../../../proof/certificate.js";
import { completeBins, VISITS_BETWEEN } from "../../../../proof/kernel/packing/bin-completion.js";
import { type Packing, packingOf } from "../../../../proof/kernel/packing/packing.js";
import { type Box, viewOf } from "../../../../proof/kernel/view.js";
import { Incumbent } from "../../../../search/branch-and-bound/incumbent.js";
import { branchAndBound } from "../../../../search/branch-and-bound/search.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { withRelaxation } from "../../../../search/exact-milp/lp-relaxation.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { ReducedBox } from "../bounds/reduction-steps.js";
import { placedPoint } from "../placed-point.js";
import type { BaseModel } from "./base-model.js";
import type { BaseNode } from "./node.js";

/** Visits that going through all ways to fill devices may take, and what they are in units of work. */
const MAX_VISITS = 2_000_000;
const UNITS_PER_VISIT = 5e-4;

/** Units of work that branch and cut gets after that, and rounds of cuts. */
const CUT_UNITS = 400;
const CUT_ROUNDS = 20;

/** What looking for a placement below a claim at a leaf came to. */
export interface PackedLeaf {
  /** A placement below the claim. */
  readonly found: Placement | null;
  /** They prove that there is none; `null` where it is not known. */
  readonly steps: readonly Step[] | null;
}

/**
 * Where free shards go once a node of the tree has decided all options and hosts: all ways to fill devices are gone through, or, where
 * they are too many, branch and cut over the program.
 */
export async function packLeaf(
  direct: DirectProgram,
  model: BaseModel,
  reduced: ReducedBox,
  node: BaseNode,
  claim: Rational,
  shouldStop: ShouldStop,
): Promise<PackedLeaf> {
  const { structure } = direct;
  const saved = reduced.save();
  const { box } = reduced;
  model.switches.forEach(({ column }, at) => {
    const value = node.decided[at] as number;
    if (column !== null && value !== -1) box.lower[column] = box.upper[column] = Rational.of(BigInt(value));
  });
  structure.bases.forEach((base, v) => {
    for (const kind of ["load", "hbm"] as const) {
      const column = base[kind]?.counted?.column;
      const range = node[kind][v];
      if (column === undefined || range === undefined) continue;
      box.lower[column] = largest(box.lower[column], Rational.of(BigInt(range.low)), 1);
      box.upper[column] = largest(box.upper[column], Rational.of(BigInt(range.high)), -1);
    }
  });
  const isLeft = reduced.apply({ kind: "propagate" });
  const own = reduced.save();
  reduced.restore(saved);
  if (!isLeft) return { found: null, steps: [{ propagate: {} }, { infeasible: {} }] };
  let spent = 0;
  const isOver = (units = 0) => {
    spent += units;
    return shouldStop(units) || spent > CUT_UNITS;
  };
  const packed = filled(direct, own, claim, shouldStop) ?? (await branchAndCut(direct, own, claim, isOver));
  return { ...packed, steps: packed.steps && [{ propagate: {} }, ...packed.steps] };
}

/** Goes through all ways to fill devices; `null` where it does not come to an end, or what it finds is none by the program. */
function filled(direct: DirectProgram, box: Box, claim: Rational, shouldStop: ShouldStop): PackedLeaf | null {
  const { program, structure } = direct;
  const isOpen = (column: number) => !(box.lower[column] as Rational).equals(box.upper[column] as Rational);
  const open = structure.shards.filter(({ column }) => isOpen(column));
  const items = [...new Set(open.map(({ placeRow }) => placeRow))];
  const devices = [...new Set(open.map(({ device }) => device))].map((d) =>
    [structure.loadRows[d], structure.hbmRows[d]].filter((row) => row != null),
  );
  let visits = 0;
  const goesOn = () => {
    visits += VISITS_BETWEEN;
    return !shouldStop(UNITS_PER_VISIT * VISITS_BETWEEN) && visits < MAX_VISITS;
  };
  const packing = readPacking(direct, box, items, devices, claim);
  const packed = packing === null ? null : completeBins(packing, goesOn);
  if (packed === null || packed.kind === "unknown") return null;
  if (packed.kind === "none") {
    const nameOf = (row: number) => program.rows[row]?.name as string;
    const pack = { items: items.map(nameOf), devices: devices.map((rows) => rows.map(nameOf)) };
    return { found: null, steps: [{ pack }] };
  }
  const taken = new Set(packed.items.map(({ column }) => column));
  const point = program.columns.map((_, j) => (taken.has(j) ? Rational.one : (box.lower[j] ?? Rational.zero)));
  const incumbent = new Incumbent(program, (given) => placedPoint(direct, given), claim);
  incumbent.offer(point);
  if (incumbent.point === null) return null;
  return { found: direct.recover(incumbent.point), steps: null };
}

/** Branch and bound with cuts over what a box leaves of the program, below a claim. */
async function branchAndCut(
  direct: DirectProgram,
  box: Box,
  claim: Rational,
  shouldStop: ShouldStop,
): Promise<PackedLeaf> {
  const { program, follows } = direct;
  const whole = SearchSpace.of(program);
  const root = { space: whole.within(box).reduced(), steps: [], unfixed: whole.programBounds(), cutoff: claim };
  const incumbent = new Incumbent(program, (point) => placedPoint(direct, point), claim);
  const { complete, steps } = await withRelaxation(program, shouldStop, (open) =>
    branchAndBound(whole, incumbent, open, {
      ...{ gap: Rational.zero, maxNodes: Number.POSITIVE_INFINITY, propagate: true, cutRounds: CUT_ROUNDS, root },
      ...(follows === undefined ? {} : { follows }),
      shouldStop: () => shouldStop(),
    }),
  );
  const found = incumbent.point === null ? null : direct.recover(incumbent.point);
  return { found, steps: complete && found === null ? steps : null };
}

/** `null` where it is not of the form that the checker knows: of too many shards or devices, say. */
function readPacking(
  { program }: DirectProgram,
  box: Box,
  items: readonly number[],
  devices: readonly (readonly number[])[],
  claim: Rational,
): Packing | null {
  try {
    return packingOf(viewOf(program).view, box, items, devices, claim);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The larger (1) or the smaller (−1) of a bound and another one. */
function largest(bound: Rational | null | undefined, other: Rational, sign: 1 | -1): Rational {
  return bound === null || bound === undefined || other.compare(bound) * sign > 0 ? other : bound;
}
