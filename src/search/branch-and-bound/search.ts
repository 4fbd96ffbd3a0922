import type { Rational } from "../../exact/rational.js";
import type { Step } from "../../proof/certificate.js";
import { lagrangianBound, type Multipliers } from "../../proof/kernel/bound.js";
import { excludeExchangeable } from "../../proof/kernel/exchange.js";
import { fixByReducedCost } from "../../proof/kernel/fix.js";
import { type Lattice, roundUp } from "../../proof/kernel/lattice.js";
import { propagate } from "../../proof/kernel/propagate.js";
import { type Box, objectiveLattice, type View } from "../../proof/kernel/view.js";
import { CheckingTime } from "./checking-time.js";
import { cutInRounds, type Outcome, type Solved, type Unsettled } from "./cut-rounds.js";
import type { Incumbent } from "./incumbent.js";
import { boxForCuts, contradiction, isMuchNarrower, mostFractional, pointWithin, widestSplit } from "./narrowed.js";
import { type OpenRelaxation, type Relaxation, type RelaxationAnswer, tellRise } from "./relaxation.js";
import type { SearchOptions, SearchResult, SettledRoot } from "./search-options.js";
import type { SearchSpace } from "./space.js";
import {
  type Branched,
  closeNode,
  leastBound,
  type Node,
  NodeQueue,
  rootNode,
  spaceOf,
  splitNode,
  stepsOf,
} from "./tree.js";
import { withoutUnusedCuts } from "./unused-cuts.js";

export type { Progress, SearchOptions, SearchResult, SettledRoot } from "./search-options.js";

/**
 * Branch and bound, best bound first with depth-first plunges. The relaxation is a floating-point oracle: a node is
 * closed only by a bound that `lagrangianBound` computes in exact arithmetic from the oracle's multipliers, and every
 * such step is recorded for the certificate. The incumbent is shared with the caller.
 */
export function branchAndBound(
  space: SearchSpace,
  incumbent: Incumbent,
  openRelaxation: OpenRelaxation,
  options: SearchOptions,
): SearchResult {
  return new Search(space, incumbent, openRelaxation, options).run();
}

/** How often a node is solved again after fixing has reduced it, before it is branched. */
const MAX_ROUNDS = 4;
const MAX_ROOT_ROUNDS = 8;

class Search {
  readonly #incumbent: Incumbent;
  readonly #openRelaxation: OpenRelaxation;
  readonly #options: SearchOptions;
  readonly #queue: NodeQueue;
  readonly #space: SearchSpace;
  readonly #root: Node;
  readonly #relaxations = new WeakMap<View, { relaxation: Relaxation; lattice: Lattice | null }>();
  readonly #checking = new CheckingTime();
  /** The root's multipliers before there were cuts. */
  #plainMultipliers: Multipliers | null = null;
  /** Leaves that neither close nor branch: their bound is what remains. */
  readonly #stuck: Node[] = [];
  /** All columns' bounds before the root was first fixed, for cuts: see `boxForCuts`. */
  #unfixed: Box | null;
  #settledRoot: SettledRoot | null = null;
  /** Rounds of cuts that are left. */
  #cutRounds: number;
  #nodes = 0;
  #serial = 0;
  /** The least of all bounds by which leaves were closed and of all cutoffs by which columns were fixed. */
  #leastClosed: Rational | null = null;

  constructor(space: SearchSpace, incumbent: Incumbent, openRelaxation: OpenRelaxation, options: SearchOptions) {
    const { root } = options;
    this.#space = root?.space ?? space;
    this.#root = rootNode(this.#space, root?.steps);
    this.#unfixed = root?.unfixed ?? null;
    this.#leastClosed = root?.cutoff ?? null;
    this.#queue = new NodeQueue(space.view.columns.length);
    this.#incumbent = incumbent;
    this.#openRelaxation = openRelaxation;
    this.#options = options;
    this.#cutRounds = options.cutRounds ?? 0;
  }

  run(): SearchResult {
    this.#queue.push(this.#root);
    // A plunge: go down into one child at once, leave the other to the queue.
    let child: Node | null = null;
    while (!this.#exhausted()) {
      const node = child ?? this.#queue.pop();
      if (node === undefined) break;
      this.#nodes++;
      child = this.#process(node);
      this.#report();
    }
    if (child !== null) this.#queue.push(child);
    return this.#result();
  }

  #exhausted(): boolean {
    return this.#nodes >= this.#options.maxNodes || this.#options.shouldStop(this.#checkingMilliseconds);
  }

  get #checkingMilliseconds(): number {
    return this.#checking.withOpen(this.#queue.size + this.#stuck.length);
  }

  #result(): SearchResult {
    const open = [...this.#queue.nodes, ...this.#stuck];
    const checking = this.#checkingMilliseconds;
    const isProved = open.every(({ bound }) => bound !== null);
    let bound = isProved ? leastBound(open, this.#leastClosed) : null;
    const best = this.#incumbent.value;
    if (bound !== null && best !== null && best.compare(bound) < 0) bound = best;
    const recorded = stepsOf(this.#root, (leaf) => ({ bound: this.#space.named(leaf.multipliers) }));
    const steps = withoutUnusedCuts(recorded);
    const rootMultipliers = this.#plainMultipliers ?? this.#root.multipliers;
    const root = this.#settledRoot;
    return { complete: open.length === 0, bound, nodes: this.#nodes, steps, checking, rootMultipliers, root };
  }

  /** Deals with one node; returns the child to plunge into. */
  #process(node: Node): Node | null {
    if (this.#closeIfCutOff(node)) return null;
    let space = spaceOf(node);
    for (let round = 1; ; round++) {
      const nested = this.#exchange(node, space);
      if (nested === null) return null;
      space = nested;
      if (this.#options.propagate === true) {
        const narrowed = this.#propagate(node, space);
        if (narrowed === null) return null;
        space = narrowed;
      }
      const outcome = this.#solve(node, space);
      if (outcome === "closed") return null;
      if (outcome === "unsolved") return this.#branchAnywhere(node, space);
      let settled = outcome;
      if (node === this.#root) {
        const cut = this.#cut(space, outcome);
        if (cut === null) return null;
        space = cut.space;
        settled = cut.outcome;
      }
      const reduced =
        round === (node === this.#root ? MAX_ROOT_ROUNDS : MAX_ROUNDS) ? null : this.#fix(node, space, settled);
      if (reduced === null) return this.#branchOn(node, space, settled.answer);
      const within = this.#options.propagate === true ? this.#propagate(node, reduced) : reduced;
      if (within === null) return null;
      const isKept = this.#at(space).relaxation.keepsOptima === true && settled.answer.branch === undefined;
      const point = isKept && node !== this.#root ? pointWithin(settled.answer.point, space, within) : null;
      if (point !== null) {
        // What was optimal is so still; only its objective may be coarser now.
        this.#raise(node, within, settled.result.bound, settled.answer.multipliers);
        if (this.#closeIfCutOff(node)) return null;
        return this.#branchOn(node, within, { ...settled.answer, point });
      }
      space = within;
    }
  }

  /** Solves the relaxation of a node, and once more in exact arithmetic where that may close it. */
  #solve(node: Node, space: SearchSpace): Outcome {
    const { relaxation } = this.#at(space);
    const answer = this.#priced(relaxation.solve(space.box));
    tellRise(node, answer, relaxation);
    let outcome = this.#take(node, space, answer);
    const isNear = () => this.#isNear(node, answer, relaxation);
    if (outcome === "closed" || !isNear()) return outcome;
    if (answer.kind !== "failed" && answer.fine !== undefined) {
      outcome = this.#take(node, space, { ...answer, multipliers: answer.fine() });
    }
    if (outcome === "closed" || relaxation.refine === undefined || !isNear()) return outcome;
    const refined = relaxation.refine(space.box, answer);
    return refined === null ? outcome : this.#take(node, space, refined);
  }

  /**
   * An answer with its short multipliers where the exact optimum is asked for: within a gap they would close nodes a hair
   * below the value that the others reach.
   */
  #priced(answer: RelaxationAnswer): RelaxationAnswer {
    if (answer.kind === "failed" || answer.fine === undefined || this.#options.gap.sign() === 0) return answer;
    return { ...answer, multipliers: answer.fine() };
  }

  /** Adds cuts to the root, in rounds; `null` where they close it. */
  #cut(space: SearchSpace, start: Unsettled): { space: SearchSpace; outcome: Unsettled } | null {
    const root = this.#root;
    this.#plainMultipliers ??= start.answer.multipliers;
    const ended = cutInRounds(
      this.#cutRounds,
      { space, outcome: start },
      {
        separate: ({ space, outcome }) =>
          this.#options.shouldStop(this.#checkingMilliseconds)
            ? []
            : (this.#at(space).relaxation.separate?.(boxForCuts(space, this.#unfixed), outcome.answer.point) ?? []),
        solve: (space, steps) => {
          this.#cutRounds--;
          root.steps.push(...steps);
          root.space = space;
          return this.#solve(root, space);
        },
      },
    );
    if (ended !== null && ended.space !== space) root.space = ended.space;
    return ended;
  }

  /** Takes what an answer proves and offers what it found. */
  #take(node: Node, space: SearchSpace, answer: RelaxationAnswer): Outcome {
    if (answer.kind === "failed") return "unsolved";
    if (answer.kind === "infeasible") {
      const shown = this.#checking.ofBound(() =>
        lagrangianBound(space.view, space.box, answer.multipliers, "infeasibility"),
      );
      if (!shown.infeasible && (shown.bound === null || shown.bound.sign() <= 0)) return "unsolved";
      this.#close(node, { infeasible: space.named(answer.multipliers) });
      return "closed";
    }
    this.#offerCandidates(answer, space);
    const result = this.#checking.ofBound(() => lagrangianBound(space.view, space.box, answer.multipliers));
    if (result.infeasible) {
      this.#close(node, { infeasible: {} });
      return "closed";
    }
    this.#raise(node, space, result.bound, answer.multipliers);
    return this.#closeIfCutOff(node) ? "closed" : { answer, result };
  }

  /** Whether exact arithmetic may close what floating point left open. */
  #isNear(node: Node, answer: RelaxationAnswer, relaxation: Relaxation): boolean {
    if (answer.kind !== "solved") return true;
    const cutoff = this.#incumbent.cutoff(this.#options.gap);
    if (node.bound === null || cutoff === null) return node.bound === null;
    // In doubles, searched: whether it is worth looking exactly. What they cut off may lack a proof, where no bound holds a column.
    const most = cutoff.toNumber();
    const tolerance = relaxation.rounding?.(most) ?? 1e-6 * (1 + Math.abs(most));
    return (answer.objective ?? Number.NaN) > most || cutoff.subtract(node.bound).toNumber() <= tolerance;
  }

  #propagate(node: Node, space: SearchSpace): SearchSpace | null {
    return this.#shrink(node, space, { propagate: {} }, (record) => propagate(space.view, space.box, record));
  }

  /** Leaves out what exchanges between groups make superfluous, where the space knows of any. */
  #exchange(node: Node, space: SearchSpace): SearchSpace | null {
    const { order, view, box, settledAt } = space;
    if (order === null) return space;
    return this.#shrink(node, space, { exchange: {} }, (record) =>
      excludeExchangeable(order, view, box, settledAt, record),
    );
  }

  /** Records a step that shrinks a node's box; returns the smaller space, `null` where the node is closed by it. */
  #shrink(node: Node, space: SearchSpace, step: Step, tighten: (record: () => void) => boolean): SearchSpace | null {
    let changes = 0;
    const narrow = () => {
      const some = tighten(() => {
        changes++;
      });
      if (some && changes > 0) node.space = space.reduced();
      return some;
    };
    const some = this.#checking.ofNarrowing(narrow, (some) => changes > 0 || !some);
    if (changes > 0 || !some) node.steps.push(step);
    if (!some) return this.#close(node, { infeasible: {} });
    return changes === 0 ? space : spaceOf(node);
  }

  /** Fixes by reduced costs with the incumbent as the cutoff; returns the smaller space, `null` where nothing moved. */
  #fix(node: Node, space: SearchSpace, { answer, result }: Unsettled): SearchSpace | null {
    const cutoff = this.#incumbent.cutoff(this.#options.gap);
    if (cutoff === null) return null;
    const narrow = () => {
      const { view, box } = space;
      const narrower = space.within({ lower: box.lower.slice(), upper: box.upper.slice() });
      const changed = new Set<number>();
      fixByReducedCost(view, narrower.box, result, cutoff, (column) => changed.add(column));
      const isWorthAStep = [...changed].some((j) => view.integer[j] === true || isMuchNarrower(box, narrower.box, j));
      if (isWorthAStep) {
        if (node === this.#root) this.#unfixed ??= space.programBounds();
        node.space = narrower.reduced();
      }
      return isWorthAStep;
    };
    if (!this.#checking.ofNarrowing(narrow, (moved) => moved)) return null;
    const step: Step = { fix: space.named(answer.multipliers) };
    node.steps.push(step);
    this.#checking.count(step);
    this.#lower(cutoff);
    return spaceOf(node);
  }

  #branchOn(node: Node, space: SearchSpace, answer: Solved): Node | null {
    const [unfixed, cutoff] = [this.#unfixed, this.#leastClosed];
    if (node === this.#root) this.#settledRoot = { space, steps: [...node.steps], unfixed, cutoff };
    if (answer.branch !== undefined) return this.#branch(node, space, answer.branch.column, BigInt(answer.branch.at));
    const { point, objective } = answer;
    const chosen = this.#at(space).relaxation.branchOn?.(space.box, point) ?? -1;
    const column = chosen === -1 ? mostFractional(point, space) : chosen;
    if (column === -1) return this.#branchAnywhere(node, space);
    const from = { column: space.view.columns[column] as number, value: point[column] as number, objective };
    return this.#branch(node, space, column, BigInt(Math.floor(from.value)), from);
  }

  #at(space: SearchSpace) {
    let known = this.#relaxations.get(space.view);
    if (known === undefined) {
      const relaxation = this.#openRelaxation(space);
      const latticeOf = () => objectiveLattice(space.view);
      known = { relaxation, lattice: this.#checking.ofNarrowing(latticeOf, () => true) };
      this.#relaxations.set(space.view, known);
    }
    return known;
  }

  #offerCandidates({ candidates }: Solved, space: SearchSpace): void {
    for (const { point, objective, exact } of candidates) {
      // In doubles, searched: which points are tried. What rounding hides here, a leaf of one point would still find.
      const best = this.#incumbent.value?.toNumber();
      if (best !== undefined && objective >= best - Math.abs(best) * 1e-14) continue;
      this.#incumbent.offer(space.expand(point, exact));
    }
  }

  #raise(node: Node, space: SearchSpace, bound: Rational | null, multipliers: Multipliers): void {
    if (bound === null) return;
    const { lattice } = this.#at(space);
    const rounded = lattice === null ? bound : (roundUp(bound, lattice) ?? bound);
    if (node.bound !== null && rounded.compare(node.bound) <= 0) return;
    node.bound = rounded;
    node.multipliers = multipliers;
  }

  #closeIfCutOff(node: Node): boolean {
    const cutoff = this.#incumbent.cutoff(this.#options.gap);
    if (cutoff === null || node.bound === null || node.bound.compare(cutoff) < 0) return false;
    this.#lower(node.bound);
    this.#close(node, { bound: this.#space.named(node.multipliers) });
    return true;
  }

  #close(node: Node, step: Step): null {
    node.steps.push(step);
    this.#checking.count(step);
    closeNode(node);
    return null;
  }

  #lower(bound: Rational): void {
    if (this.#leastClosed === null || bound.compare(this.#leastClosed) < 0) this.#leastClosed = bound;
  }

  /** Where the relaxation gives no hint: splits the widest integer column, or settles a box with none left. */
  #branchAnywhere(node: Node, space: SearchSpace): Node | null {
    const widest = widestSplit(space);
    return widest === null ? this.#settle(node, space) : this.#branch(node, space, widest.column, widest.at);
  }

  /** A box in which every integer column is fixed. */
  #settle(node: Node, space: SearchSpace): null {
    const broken = contradiction(space.view, space.box);
    if (broken !== null) return this.#close(node, { infeasible: space.named(broken) });
    const refined = this.#at(space).relaxation.refine?.(space.box, { kind: "failed" }) ?? null;
    if (refined !== null && this.#take(node, space, refined) === "closed") return null;
    // In doubles, searched: a point to try, which is evaluated exactly.
    const point = Float64Array.from(space.box.lower, (value) => (value === null ? 0 : value.toNumber()));
    this.#incumbent.offer(space.expand(point));
    const plain = lagrangianBound(space.view, space.box, new Map());
    this.#raise(node, space, plain.bound, new Map());
    if (!this.#closeIfCutOff(node)) this.#stuck.push(node);
    return null;
  }

  /** Splits at column ≤ at and column ≥ at + 1; returns the half to plunge into. */
  #branch(node: Node, space: SearchSpace, column: number, at: bigint, from: Branched | null = null): Node {
    node.steps.push({ branch: space.columnName(column), at: at.toString() });
    const [first, second] = splitNode(node, this.#serial + 1, space.box, { column, at, from });
    this.#serial += 2;
    this.#queue.push(second);
    return first;
  }

  #report(): void {
    const { onProgress } = this.#options;
    if (onProgress === undefined || this.#nodes % 64 !== 0) return;
    const bound = leastBound(this.#queue.nodes, this.#leastClosed);
    onProgress({ nodes: this.#nodes, openNodes: this.#queue.size, incumbent: this.#incumbent.value, bound });
  }
}
