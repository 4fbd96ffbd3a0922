import type { Assignment } from "../../../models/row-tiers/assignment.js";
import type { RowTiersModel } from "../../../models/row-tiers/build.js";
import { Rational } from "../../exact/rational.js";
import { programHash } from "../../program/hash.js";
import type { Certificate, Step } from "../../proof/certificate.js";
import type { ExchangeOrder } from "../../proof/exchange.js";
import { exchangeOrder } from "../../proof/exchange-order.js";
import { Verdict } from "../../proof/verdict.js";
import type { Box } from "../../proof/view.js";
import { Incumbent } from "../branch-and-bound/incumbent.js";
import type { RelaxationAnswer } from "../branch-and-bound/relaxation.js";
import type { Progress } from "../branch-and-bound/search.js";
import { SearchSpace } from "../branch-and-bound/space.js";
import { closeBox, probe } from "./close-box.js";

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
  readonly point: readonly Rational[] | null;
  /** Seconds that one more byte of memory per GPU would save at the relaxation's optimum. */
  readonly pricePerByte: Rational;
  readonly nodes: number;
  readonly solveSeconds: number;
  readonly proveSeconds: number;
}

const EXACT_NODES = 2000;

/**
 * Solves a row-tiers model and proves the answer. Fixed charges (latency of collectives) are decided first, in a small
 * tree of their own; under each decision the program is a multiple-choice knapsack, closed by `closeBox`. The
 * certificate that comes out is checked, and the point evaluated, by src/proof before anything is returned.
 */
export function solveRowTiers(model: RowTiersModel, options: RowTiersOptions): RowTiersSolution {
  const started = performance.now();
  const deadline = started + options.timeLimitSeconds * 1000;
  const { program, structure } = model;
  const counted = structure.classCount * structure.tierCount;
  const incumbent = new Incumbent(program, (point) =>
    model.complete(Float64Array.from({ length: counted }, (_, j) => Number((point[j] as Rational).numerator))),
  );
  for (const start of options.starts ?? []) incumbent.offer(model.pointOf(start));
  const root = SearchSpace.of(program);
  let order: ExchangeOrder | null | undefined;
  const exchanges = () => {
    if (order === undefined) order = exchangeOrder(program, root.view.groups);
    return order;
  };
  const leaves = chargeLeaves(root, structure.carriers);
  const answers = leaves.map(({ space }) => probe(space, structure, incumbent));
  const steps: Step[] = [];
  let bound: Rational | null = null;
  let nodes = 0;
  leaves.forEach(({ space, stepsBefore }, k) => {
    steps.push(...stepsBefore);
    const closed = closeBox(space, structure, answers[k] as RelaxationAnswer, incumbent, {
      gap: options.gap,
      maxNodes: Number.POSITIVE_INFINITY,
      exactNodes: EXACT_NODES,
      exchanges,
      shouldStop: () => performance.now() > deadline || options.shouldStop?.() === true,
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    });
    for (const step of closed.steps) steps.push(step);
    nodes += closed.nodes;
    if (closed.bound !== null && (bound === null || closed.bound.compare(bound) < 0)) bound = closed.bound;
  });
  const { point, value } = incumbent;
  const proved = least(bound, value);
  const certificate: Certificate = {
    format: "shardproof-certificate 1",
    program: programHash(program),
    claim: proved === null ? { kind: "infeasible" } : { kind: "bound", bound: proved.toString() },
    steps,
  };
  const searched = performance.now();
  const verdict = Verdict.of(program, certificate, point, options.gap);
  return {
    verdict,
    certificate,
    assignment: point === null ? null : model.recover(point),
    point,
    pricePerByte: priceOf(answers, structure.memoryRow, incumbent, leaves),
    nodes,
    solveSeconds: (searched - started) / 1000,
    proveSeconds: (performance.now() - searched) / 1000,
  };
}

interface ChargeLeaf {
  readonly space: SearchSpace;
  /** Branchings of the certificate's pre-order that come before this leaf. */
  readonly stepsBefore: readonly Step[];
}

/** All ways to decide the fixed charges: 2^charges leaves, in the pre-order of the tree that branches on each in turn. */
function chargeLeaves(root: SearchSpace, carriers: RowTiersModel["structure"]["carriers"]): readonly ChargeLeaf[] {
  const leaves: ChargeLeaf[] = [];
  let before: Step[] = [];
  const visit = (space: SearchSpace, depth: number): void => {
    const carrier = carriers[depth];
    if (carrier === undefined) {
      leaves.push({ space, stepsBefore: before });
      before = [];
      return;
    }
    before.push({ branch: space.columnName(carrier.column), at: "0" });
    for (const value of [Rational.zero, Rational.one]) {
      const box: Box = { lower: space.box.lower.slice(), upper: space.box.upper.slice() };
      box.lower[carrier.column] = value;
      box.upper[carrier.column] = value;
      visit(space.within(box), depth + 1);
    }
  };
  visit(root, 0);
  return leaves;
}

/** The price of memory in the leaf that holds the best plan. */
function priceOf(
  answers: readonly RelaxationAnswer[],
  memoryRow: number,
  { point }: Incumbent,
  leaves: readonly ChargeLeaf[],
): Rational {
  if (point === null) return Rational.zero;
  const home = leaves.findIndex(({ space }) =>
    space.box.lower.every((lower, j) => {
      const value = point[space.view.columns[j] as number] as Rational;
      const upper = space.box.upper[j] ?? null;
      return (lower === null || lower.compare(value) <= 0) && (upper === null || upper.compare(value) >= 0);
    }),
  );
  const answer = answers[home];
  return answer?.kind === "solved" ? (answer.multipliers.get(memoryRow) ?? Rational.zero).negate() : Rational.zero;
}

function least(a: Rational | null, b: Rational | null): Rational | null {
  if (a === null || b === null) return a ?? b;
  return a.compare(b) <= 0 ? a : b;
}
