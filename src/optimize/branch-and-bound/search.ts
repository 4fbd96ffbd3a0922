import { Rational } from "../../exact/rational.js";
import { lagrangianBound, type Multipliers } from "../../proof/bound.js";
import type { Step } from "../../proof/certificate.js";
import { fixByReducedCost } from "../../proof/fix.js";
import { objectiveLattice, roundUp } from "../../proof/lattice.js";
import type { Box } from "../../proof/view.js";
import { contradiction } from "./contradiction.js";
import type { Incumbent } from "./incumbent.js";
import type { OpenRelaxation, Relaxation, RelaxationAnswer } from "./relaxation.js";
import type { SearchSpace } from "./space.js";
import { boxOf, type Change, childNode, type Node, NodeQueue, rootNode, stepsOf } from "./tree.js";

export interface SearchOptions {
  /** Nodes whose bound comes this near to the incumbent, relatively, are closed. 0 asks for the exact optimum. */
  readonly gap: Rational;
  readonly maxNodes: number;
  /** Called between nodes: `true` stops the search with the bound proved so far. */
  readonly shouldStop: () => boolean;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly nodes: number;
  readonly openNodes: number;
  readonly incumbent: Rational | null;
  readonly bound: Rational | null;
}

/** What a search ends with, as a minimisation. */
export interface SearchResult {
  /** No open leaf is left. */
  readonly complete: boolean;
  /** The steps prove that no point of the space is below this; `null`: nothing is proved, or (complete) there is none. */
  readonly bound: Rational | null;
  readonly nodes: number;
  readonly steps: readonly Step[];
}

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
  const relaxation = openRelaxation(space.view);
  try {
    return new Search(space, incumbent, relaxation, options).run();
  } finally {
    relaxation.close?.();
  }
}

class Search {
  readonly #space: SearchSpace;
  readonly #incumbent: Incumbent;
  readonly #relaxation: Relaxation;
  readonly #options: SearchOptions;
  readonly #lattice: ReturnType<typeof objectiveLattice>;
  readonly #queue = new NodeQueue();
  readonly #root = rootNode();
  /** Leaves that neither close nor branch: their bound is what remains. */
  readonly #stuck: Node[] = [];
  #nodes = 0;
  #serial = 0;
  /** The least of all bounds by which leaves were closed and of all cutoffs by which columns were fixed. */
  #leastClosed: Rational | null = null;

  constructor(space: SearchSpace, incumbent: Incumbent, relaxation: Relaxation, options: SearchOptions) {
    this.#space = space;
    this.#incumbent = incumbent;
    this.#relaxation = relaxation;
    this.#options = options;
    this.#lattice = objectiveLattice(space.view);
  }

  run(): SearchResult {
    this.#queue.push(this.#root);
    for (let top = this.#next(); top !== undefined; top = this.#next()) {
      const box = boxOf(top, this.#space.box);
      // A plunge: go down into one child at once, leave the other to the queue.
      for (let node: Node | null = top; node !== null; ) {
        this.#nodes++;
        const child: Node | null = this.#process(node, box);
        this.#report();
        if (child !== null && this.#exhausted()) {
          this.#queue.push(child);
          break;
        }
        node = child;
      }
    }
    return this.#result();
  }

  #next(): Node | undefined {
    return this.#exhausted() ? undefined : this.#queue.pop();
  }

  #exhausted(): boolean {
    return this.#nodes >= this.#options.maxNodes || this.#options.shouldStop();
  }

  #result(): SearchResult {
    const open = [...this.#queue.nodes, ...this.#stuck];
    let bound = this.#leastClosed;
    for (const node of open) {
      if (node.bound === null) {
        bound = null;
        break;
      }
      if (bound === null || node.bound.compare(bound) < 0) bound = node.bound;
    }
    const best = this.#incumbent.value;
    if (bound !== null && best !== null && best.compare(bound) < 0) bound = best;
    const steps = stepsOf(this.#root, (leaf) => ({ bound: this.#space.named(leaf.multipliers) }));
    return { complete: open.length === 0, bound, nodes: this.#nodes, steps };
  }

  /** Deals with one node; returns the child to plunge into, with the box changed to the child's. */
  #process(node: Node, box: Box): Node | null {
    if (this.#closeIfCutOff(node)) return null;
    const answer = this.#relaxation.solve(box);
    if (answer.kind === "infeasible") {
      const shown = lagrangianBound(this.#space.view, box, answer.multipliers, "infeasibility");
      if (shown.infeasible || (shown.bound !== null && shown.bound.sign() > 0)) {
        return this.#close(node, { infeasible: this.#space.named(answer.multipliers) });
      }
      return this.#branchAnywhere(node, box);
    }
    this.#offerCandidates(answer);
    const result = lagrangianBound(this.#space.view, box, answer.multipliers);
    if (result.infeasible) return this.#close(node, { infeasible: {} });
    this.#raise(node, result.bound, answer.multipliers);
    if (this.#closeIfCutOff(node)) return null;
    const cutoff = this.#incumbent.cutoff(this.#options.gap);
    if (cutoff !== null) {
      const changed = node.changes.length;
      fixByReducedCost(this.#space.view, box, result, cutoff, (column) => {
        node.changes.push({ column, lower: null, upper: null });
      });
      // The box now holds the final bounds of every column that was touched.
      for (let k = changed; k < node.changes.length; k++) {
        const { column } = node.changes[k] as Change;
        node.changes[k] = {
          column,
          lower: box.lower[column] as Rational | null,
          upper: box.upper[column] as Rational | null,
        };
      }
      if (node.changes.length > changed) {
        node.steps.push({ fix: this.#space.named(answer.multipliers) });
        this.#lower(cutoff);
      }
    }
    const column = this.#mostFractional(answer.point, box);
    return column === -1
      ? this.#branchAnywhere(node, box)
      : this.#branch(node, box, column, answer.point[column] as number);
  }

  #offerCandidates({ candidates }: Extract<RelaxationAnswer, { kind: "solved" }>): void {
    for (const { point, objective } of candidates) {
      const best = this.#incumbent.value?.toNumber();
      if (best === undefined || objective <= best + Math.abs(best) * 1e-12) {
        this.#incumbent.offer(this.#space.expand(point));
      }
    }
  }

  #raise(node: Node, bound: Rational | null, multipliers: Multipliers): void {
    if (bound === null || (node.bound !== null && bound.compare(node.bound) <= 0)) return;
    node.bound = this.#lattice === null ? bound : roundUp(bound, this.#lattice);
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
    node.closed = true;
    return null;
  }

  #lower(bound: Rational): void {
    if (this.#leastClosed === null || bound.compare(this.#leastClosed) < 0) this.#leastClosed = bound;
  }

  #mostFractional(point: Float64Array, box: Box): number {
    let best = -1;
    let bestDistance = 1e-9;
    for (let j = 0; j < point.length; j++) {
      if (this.#space.view.integer[j] !== true || isFixed(box, j)) continue;
      const value = point[j] as number;
      const distance = Math.abs(value - Math.round(value));
      if (distance > bestDistance) {
        best = j;
        bestDistance = distance;
      }
    }
    return best;
  }

  /** Where the relaxation gives no hint: splits the widest integer column, or settles a box with none left. */
  #branchAnywhere(node: Node, box: Box): Node | null {
    let widest = -1;
    let width: Rational | null = null;
    for (let j = 0; j < this.#space.view.columns.length; j++) {
      if (this.#space.view.integer[j] !== true || isFixed(box, j)) continue;
      const lower = box.lower[j] as Rational | null;
      const upper = box.upper[j] as Rational | null;
      if (lower === null || upper === null)
        return this.#branch(node, box, j, (lower ?? upper ?? Rational.zero).toNumber());
      const range = upper.subtract(lower);
      if (width === null || range.compare(width) > 0) {
        widest = j;
        width = range;
      }
    }
    if (widest === -1) return this.#settle(node, box);
    const lower = box.lower[widest] as Rational;
    return this.#branch(node, box, widest, lower.toNumber() + Math.floor((width as Rational).toNumber() / 2));
  }

  /** A box in which every integer column is fixed. */
  #settle(node: Node, box: Box): null {
    const broken = contradiction(this.#space.view, box);
    if (broken !== null) return this.#close(node, { infeasible: this.#space.named(broken) });
    const point = Float64Array.from(box.lower, (value) => (value === null ? 0 : value.toNumber()));
    this.#incumbent.offer(this.#space.expand(point));
    const plain = lagrangianBound(this.#space.view, box, new Map());
    this.#raise(node, plain.bound, new Map());
    if (!this.#closeIfCutOff(node)) this.#stuck.push(node);
    return null;
  }

  #branch(node: Node, box: Box, column: number, value: number): Node {
    const at = Rational.of(BigInt(Math.floor(value)));
    node.steps.push({ branch: this.#space.columnName(column), at: at.toString() });
    const lower = box.lower[column] as Rational | null;
    const upper = box.upper[column] as Rational | null;
    const below = childNode(node, ++this.#serial, { column, lower, upper: at });
    const above = childNode(node, ++this.#serial, { column, lower: at.add(Rational.one), upper });
    node.children = [below, above];
    const plunge = value - Math.floor(value) > 0.5 ? above : below;
    this.#queue.push(plunge === below ? above : below);
    const [change] = plunge.changes as [Change];
    box.lower[column] = change.lower;
    box.upper[column] = change.upper;
    return plunge;
  }

  #report(): void {
    const { onProgress } = this.#options;
    if (onProgress === undefined || this.#nodes % 64 !== 0) return;
    let bound = this.#leastClosed;
    for (const node of this.#queue.nodes) {
      if (node.bound !== null && (bound === null || node.bound.compare(bound) < 0)) bound = node.bound;
    }
    onProgress({ nodes: this.#nodes, openNodes: this.#queue.size, incumbent: this.#incumbent.value, bound });
  }
}

function isFixed(box: Box, j: number): boolean {
  const lower = box.lower[j] as Rational | null;
  const upper = box.upper[j] as Rational | null;
  return lower !== null && upper !== null && lower.compare(upper) >= 0;
}
