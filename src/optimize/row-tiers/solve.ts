import type { Assignment } from "../../../models/row-tiers/assignment.js";
import type { RowTiersModel, RowTiersStructure } from "../../../models/row-tiers/build.js";
import { Rational } from "../../exact/rational.js";
import type { LadderPoint } from "../../program/ladder/evaluate.js";
import type { Ladder } from "../../program/ladder/ladder.js";
import type { Column } from "../../program/program.js";
import type { Certificate, Step } from "../../proof/certificate.js";
import { hashOf } from "../../proof/check.js";
import { banTiers, type LadderNode, rootNode, withAuxiliary } from "../../proof/ladder/node.js";
import { Verdict } from "../../proof/verdict.js";
import type { Progress } from "../branch-and-bound/search.js";
import { BestPoint } from "../ladder/best-point.js";
import { type LadderDual, ladderDual } from "../ladder/dual.js";
import { closeNode } from "./close-node.js";

export interface RowTiersOptions {
  /** Relative gap to prove; 0 asks for the exact optimum. */
  readonly gap: Rational;
  readonly timeLimitSeconds: number;
  /** Plans to start from, such as those of heuristics; ones over the budget are ignored. */
  readonly starts?: readonly Assignment[];
  /** Asked between steps: `true` ends the search with the best proved so far. */
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (progress: Progress) => void;
}

export interface RowTiersSolution {
  readonly verdict: Verdict;
  readonly certificate: Certificate;
  /** The plan's runs, `null` where the instance is infeasible. */
  readonly assignment: Assignment | null;
  readonly point: LadderPoint | null;
  readonly nodes: number;
  readonly solveSeconds: number;
  readonly proveSeconds: number;
}

/**
 * Solves a row-tiers model and proves the answer. Fixed charges (latency of collectives) are decided first, in a small
 * tree of their own; under each decision the program is a multiple-choice knapsack on a ladder, whose relaxation gives
 * bound and plan; what gap that leaves is closed by `closeNode`. The certificate that comes out is checked, and the
 * point evaluated, by src/proof before anything is returned.
 */
export async function solveRowTiers(model: RowTiersModel, options: RowTiersOptions): Promise<RowTiersSolution> {
  const started = performance.now();
  const deadline = started + options.timeLimitSeconds * 1000;
  const { ladder, structure } = model;
  const best = new BestPoint(ladder, model.complete);
  for (const start of options.starts ?? []) best.offer(model.pointOf(start).counts);
  const leaves = chargeLeaves(ladder, structure.carriers);
  const duals = leaves.map(({ node }): LadderDual | null => {
    const dual = node === null ? null : ladderDual(ladder, node, structure);
    if (dual?.kind === "solved") for (const counts of dual.candidates) best.offer(counts);
    return dual;
  });
  const steps: Step[] = [];
  let bound: Rational | null = null;
  let nodes = 0;
  for (const [k, { node, stepsBefore }] of leaves.entries()) {
    steps.push(...stepsBefore);
    const closed = await closeNode(model, node, duals[k] ?? null, best, {
      gap: options.gap,
      shouldStop: () => performance.now() > deadline || options.shouldStop?.() === true,
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    });
    for (const step of closed.steps) steps.push(step);
    nodes += closed.nodes;
    if (closed.bound !== null && (bound === null || closed.bound.compare(bound) < 0)) bound = closed.bound;
  }
  const { point, value } = best;
  const proved = least(bound, value);
  const certificate: Certificate = {
    format: "shardproof-certificate 1",
    program: hashOf(ladder),
    claim: proved === null ? { kind: "infeasible" } : { kind: "bound", bound: proved.toString() },
    steps,
  };
  const searched = performance.now();
  const verdict = Verdict.of(ladder, certificate, point, options.gap);
  return {
    verdict,
    certificate,
    assignment: point === null ? null : model.recover(point),
    point,
    nodes,
    solveSeconds: (searched - started) / 1000,
    proveSeconds: (performance.now() - searched) / 1000,
  };
}

interface ChargeLeaf {
  /** `null`: nothing is feasible there. */
  readonly node: LadderNode | null;
  /** Steps of the certificate's pre-order that come before this leaf's own. */
  readonly stepsBefore: readonly Step[];
}

/** All ways to decide the fixed charges: 2^charges leaves, in the pre-order of the tree that branches on each in turn. */
function chargeLeaves(ladder: Ladder, carriers: RowTiersStructure["carriers"]): readonly ChargeLeaf[] {
  const leaves: ChargeLeaf[] = [];
  let before: Step[] = [];
  const visit = (node: LadderNode | null, depth: number): void => {
    const carrier = carriers[depth];
    if (carrier === undefined) {
      leaves.push({ node, stepsBefore: before });
      before = [];
      return;
    }
    const { name } = ladder.auxiliaries[carrier.column] as Column;
    const decided = (value: Rational) => (node === null ? null : withAuxiliary(node, carrier.column, value, value));
    before.push({ branch: name, at: "0" }, { propagate: {} });
    const off = decided(Rational.zero);
    visit(off === null ? null : banTiers(ladder, off), depth + 1);
    visit(decided(Rational.one), depth + 1);
  };
  visit(rootNode(ladder), 0);
  return leaves;
}

function least(a: Rational | null, b: Rational | null): Rational | null {
  if (a === null || b === null) return a ?? b;
  return a.compare(b) <= 0 ? a : b;
}
