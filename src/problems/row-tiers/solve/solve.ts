import type { Assignment } from "../../../../models/row-tiers/assignment.js";
import type { RowTiersModel, RowTiersStructure } from "../../../../models/row-tiers/build.js";
import { Rational } from "../../../exact/rational.js";
import type { LadderPoint } from "../../../program/ladder/evaluate.js";
import type { Ladder } from "../../../program/ladder/ladder.js";
import type { Column } from "../../../program/program.js";
import { type Certificate, orNull, type Step } from "../../../proof/certificate.js";
import { hashOf } from "../../../proof/check.js";
import { banTiers, type LadderNode, rootNode, withAuxiliary } from "../../../proof/kernel/ladder/node.js";
import { Verdict } from "../../../proof/verdict.js";
import type { Progress } from "../../../search/branch-and-bound/search.js";
import { aggregatedDual } from "../../../search/class-knapsack/aggregated.js";
import { type LadderDual, ladderDual } from "../../../search/class-knapsack/dual.js";
import { BestPoint } from "../../../search/class-knapsack/incumbent.js";
import type { Without } from "../../../search/strategies.js";
import { TimeBudget } from "../../../search/time/time-budget.js";
import { Work } from "../../../search/work.js";
import type { ClosedBox } from "./close-box.js";
import { closeByRelaxation, closeNode } from "./close-node.js";

export interface RowTiersOptions {
  /** Relative gap to prove; 0 asks for the exact optimum. */
  readonly gap: Rational;
  /** For search and checking together. */
  readonly timeLimitSeconds: number;
  /** Units of work after which it ends; none by default. */
  readonly mostUnits?: number;
  /** Plans to start from, such as those of heuristics; ones over the budget are ignored. */
  readonly starts?: readonly Assignment[];
  /** Asked between steps: `true` ends the search with the best proved so far. */
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (progress: Progress) => void;
  /** Names of {@link NODE_STRATEGIES} to leave out. */
  readonly without?: Without;
}

export interface RowTiersSolution {
  readonly verdict: Verdict;
  readonly certificate: Certificate;
  /** The plan's runs, `null` where the instance is infeasible. */
  readonly assignment: Assignment | null;
  readonly point: LadderPoint | null;
  readonly nodes: number;
  /** Units of work that the search took. */
  readonly units: number;
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
  const budget = new TimeBudget(options.timeLimitSeconds, options.shouldStop);
  const work = new Work(budget.isOver, options.mostUnits);
  const { ladder, structure } = model;
  const best = new BestPoint(ladder, model.complete);
  for (const start of options.starts ?? []) best.offer(model.pointOf(start).counts);
  const leaves = chargeLeaves(ladder, structure.carriers);
  const duals: (LadderDual | null)[] = [];
  for (const { node } of leaves) {
    const dual = node === null ? null : await relaxed(model, node, best, budget.isOver);
    if (dual?.kind === "solved") for (const counts of dual.candidates) best.offer(counts);
    duals.push(dual);
  }
  const closed: ClosedBox[] = [];
  /** What checking the leaves that are closed takes, in milliseconds. */
  let closedChecking = 0;
  for (const [k, { node }] of leaves.entries()) {
    const box = await closeNode(model, node, duals[k] ?? null, best, {
      gap: options.gap,
      without: options.without ?? new Set(),
      shouldStop: (checking = 0, units = 0) => work.ask(units) || !budget.affordsChecking(closedChecking + checking),
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    });
    closedChecking += box.checking ?? 0;
    closed.push(box);
  }
  const { point } = best;
  const solveSeconds = budget.secondsUsed;
  const proofOf = (boxes: readonly ClosedBox[]) => certificateOf(ladder, leaves, boxes, best.value);
  let whole = proofOf(closed);
  let checked = budget.checked((checkTime) => Verdict.of(ladder, whole, point, options.gap, checkTime));
  if (checked?.status === "proved" && best.value !== null && checked.bound?.equals(best.value) === false) {
    // The search stops at the gap that was asked for; what it leaves often proves that the value itself is the optimum.
    const claiming: Certificate = { ...whole, claim: { kind: "bound", bound: best.value.toString() } };
    const exact = orNull(() =>
      budget.checked((checkTime) => Verdict.of(ladder, claiming, point, options.gap, checkTime)),
    );
    if (exact !== null) [whole, checked] = [claiming, exact];
  }
  // Where there is no time to check the trees, what the relaxations prove is checked at once.
  const certificate =
    checked !== null ? whole : proofOf(leaves.map(({ node }, k) => closeByRelaxation(ladder, node, duals[k] ?? null)));
  const verdict = checked ?? Verdict.of(ladder, certificate, point, options.gap);
  return {
    verdict,
    certificate,
    assignment: point === null ? null : model.recover(point),
    point,
    nodes: closed.reduce((sum, box) => sum + box.nodes, 0),
    units: work.done,
    solveSeconds,
    proveSeconds: budget.secondsUsed - solveSeconds,
  };
}

/** The relaxation of a node by its dual: of one capacity, or memory and host memory, exactly, of more by linear programs. */
async function relaxed(
  { ladder, structure }: RowTiersModel,
  node: LadderNode,
  { point }: BestPoint,
  shouldStop: () => boolean,
): Promise<LadderDual> {
  if (structure.capacities.length > 2) {
    const dual = await aggregatedDual(ladder, node, point?.counts ?? null, shouldStop);
    if (dual !== null) return dual;
  }
  return ladderDual(ladder, node, structure);
}

/** The certificate that the leaves' proofs make up. */
function certificateOf(
  ladder: Ladder,
  leaves: readonly ChargeLeaf[],
  closed: readonly ClosedBox[],
  value: Rational | null,
): Certificate {
  const bounds = closed.map(({ bound }) => bound);
  const proved = [...bounds, value].reduce(least, null);
  const steps: Step[] = [];
  for (const [k, { stepsBefore }] of leaves.entries()) {
    for (const step of stepsBefore) steps.push(step);
    for (const step of (closed[k] as ClosedBox).steps) steps.push(step);
  }
  return {
    format: "shardproof-certificate 1",
    program: hashOf(ladder),
    claim: proved === null ? { kind: "infeasible" } : { kind: "bound", bound: proved.toString() },
    steps,
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
