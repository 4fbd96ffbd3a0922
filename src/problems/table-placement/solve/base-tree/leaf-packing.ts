import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import { Rational } from "../../../../exact/rational.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { ReducedBox } from "../bounds/reduction-steps.js";
import { type BranchAndCut, branchAndCut } from "../branch-and-cut.js";
import type { BaseModel } from "./base-model.js";
import type { BaseNode } from "./node.js";

/** Where free shards go: branch and cut over the program, of which a node of the tree has decided all options and hosts. */
export async function packLeaf(
  direct: DirectProgram,
  model: BaseModel,
  reduced: ReducedBox,
  node: BaseNode,
  claim: Rational,
  shouldStop: ShouldStop,
): Promise<BranchAndCut> {
  const { structure } = direct;
  const saved = reduced.save();
  const { box } = reduced;
  model.switches.forEach(({ column }, at) => {
    const value = node.decided[at] as number;
    if (column !== null && value !== -1) box.lower[column] = box.upper[column] = Rational.of(BigInt(value));
  });
  structure.bases.forEach((base, v) => {
    for (const kind of ["load", "hbm"] as const) {
      const column = base[kind]?.column;
      const range = node[kind][v];
      if (column === undefined || range === undefined) continue;
      box.lower[column] = largest(box.lower[column], Rational.of(BigInt(range.low)), 1);
      box.upper[column] = largest(box.upper[column], Rational.of(BigInt(range.high)), -1);
    }
  });
  const isLeft = reduced.apply({ kind: "propagate" });
  const own = reduced.save();
  reduced.restore(saved);
  if (!isLeft)
    return { found: null, bound: claim, steps: [{ propagate: {} }, { infeasible: {} }], nodes: 0, isComplete: true };
  const packed = await branchAndCut(direct, own, claim, shouldStop);
  return { ...packed, steps: [{ propagate: {} }, ...packed.steps] };
}

/** The larger (1) or the smaller (−1) of a bound and another one. */
function largest(bound: Rational | null | undefined, other: Rational, sign: 1 | -1): Rational {
  return bound === null || bound === undefined || other.compare(bound) * sign > 0 ? other : bound;
}
