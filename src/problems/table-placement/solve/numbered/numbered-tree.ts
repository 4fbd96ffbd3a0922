import type { NumberedProgram } from "../../../../../models/table-placement/numbered-program.js";
import { Rational } from "../../../../exact/rational.js";
import { coefficientAt } from "../../../../program/program.js";
import type { Step } from "../../../../proof/certificate.js";
import { lagrangianBound } from "../../../../proof/kernel/bound.js";
import type { Box } from "../../../../proof/kernel/view.js";
import type { Relaxation, RelaxationAnswer } from "../../../../search/branch-and-bound/relaxation.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { halvesAt, ReducedBox } from "../bounds/reduction-steps.js";
import { WHOLE } from "../core/pattern-lp.js";

interface Node {
  /** What it is a half of. */
  readonly whole: Node | null;
  readonly box: Box;
  readonly answer: RelaxationAnswer;
  /** In doubles; infinite where nothing is left below the limit. */
  readonly bound: number;
  branch: Pick<Split, "column" | "at"> | null;
  halves: Halves | null;
}

type Halves = readonly [below: Node, above: Node];

interface Shown {
  readonly step: Step;
  readonly bound: Rational | null;
}

/** What a bound may lose in exact arithmetic, as a part of it, before multipliers of more digits are asked. */
const NEAR = 1e-9;

/** Splits at a node of which both halves are solved before one is taken. */
const MOST_TRIED = 6;

/** A half counts as gaining so much at least, as a part of the limit. */
const LEAST_GAIN = 1e-6;

/**
 * A tree over where large shards are: whether an option with such shards is chosen, and on which device they are; then over all other
 * options. A device that has a large shard is to be filled with what goes beside it, and where several tables have such shards, what
 * they all need beside them is not there.
 */
export class NumberedTree {
  readonly #space: SearchSpace;
  readonly #relaxation: Relaxation;
  readonly #splits: NumberedSplits;
  readonly #root: Node;
  readonly #limit: number;
  #open: Node[];
  nodes = 1;

  /** `limit`: only what is below counts. `null` where the relaxation fails at the root. */
  static begun(program: NumberedProgram, limit: number, open: (space: SearchSpace) => Relaxation): NumberedTree | null {
    const reduced = reducedAt(program.program, Rational.fromNumber(limit));
    const space = SearchSpace.of(program.program).within(reduced);
    const tree = new NumberedTree(space, open(space), new NumberedSplits(program, limit), limit);
    return tree.#root.answer.kind === "failed" ? null : tree;
  }

  private constructor(space: SearchSpace, relaxation: Relaxation, splits: NumberedSplits, limit: number) {
    [this.#space, this.#relaxation, this.#splits, this.#limit] = [space, relaxation, splits, limit];
    this.#root = this.#solved(space.box, null);
    this.#open = [this.#root];
  }

  /** The least bound of what is open. */
  get bound(): number {
    return Math.min(this.#limit, ...this.#open.map(({ bound }) => bound));
  }

  /** The optima of the relaxation where it is open, least bound first. */
  get points(): Float64Array[] {
    return this.#open
      .filter(({ bound }) => bound < this.#limit)
      .sort((a, b) => a.bound - b.bound)
      .flatMap(({ answer }) => (answer.kind === "solved" ? [answer.point] : []));
  }

  /** Branches where the bound is least, until it is told to stop or nothing is left to decide there. */
  run(shouldStop: ShouldStop): void {
    while (!shouldStop()) {
      const node = this.#open.reduce<Node | null>(
        (least, own) => (own.bound < (least?.bound ?? Infinity) ? own : least),
        null,
      );
      if (node === null || node.bound >= this.#limit || !this.#split(node, shouldStop)) return;
      this.#open = this.#open.filter((own) => own !== node).concat(node.halves ?? []);
    }
  }

  /** That no placement costs less than what all leaves show in exact arithmetic; `null` where one of them shows nothing. */
  proof(): BoundProof | null {
    let claim = Rational.fromNumber(this.#limit);
    const leaves = new Map<Node, Step>();
    for (const leaf of leavesOf(this.#root)) {
      const shown = this.#shown(leaf);
      if (shown === null) return null;
      leaves.set(leaf, shown.step);
      if (shown.bound !== null && shown.bound.compare(claim) < 0) claim = shown.bound;
    }
    const steps: Step[] = [{ fix: {} }, { propagate: {} }];
    this.#write(this.#root, reducedAt(this.#space.program, claim), leaves, steps);
    return { claim, steps };
  }

  /** The step that closes a leaf, with a bound of `null` where nothing is left: the best of its own, or one of what it is a part of. */
  #shown({ box, answer, bound: wanted, whole }: Node): Shown | null {
    const { view } = this.#space;
    let best: Shown | null = null;
    for (const multipliers of answer.kind === "failed" ? [] : [answer.multipliers, answer.fine?.()]) {
      if (multipliers === undefined) continue;
      const named = this.#space.named(multipliers);
      if (answer.kind === "infeasible") {
        const { bound, infeasible } = lagrangianBound(view, box, multipliers, "infeasibility");
        if (infeasible || (bound !== null && bound.sign() > 0)) return { step: { infeasible: named }, bound: null };
        continue;
      }
      const { bound, infeasible } = lagrangianBound(view, box, multipliers);
      if (infeasible) return { step: { bound: named }, bound: null };
      if (bound !== null && (best?.bound?.compare(bound) ?? -1) < 0) best = { step: { bound: named }, bound };
      // In doubles, searched: whether to go on.
      if ((best?.bound?.toNumber() ?? 0) >= wanted * (1 - NEAR)) return best;
    }
    return best ?? (whole === null ? null : this.#shown({ ...whole, box }));
  }

  /** In pre-order; a branching of which one half is out at the claim is not one. */
  #write(node: Node, { lower, upper }: Box, leaves: ReadonlyMap<Node, Step>, steps: Step[]): void {
    if (node.halves === null) {
      steps.push(leaves.get(node) as Step);
      return;
    }
    const { column, at } = node.branch as Split;
    // In doubles, exact: numbers of shards.
    const [least, most] = [lower[column]?.toNumber() as number, upper[column]?.toNumber() as number];
    const [below, above] = node.halves;
    if (least > at) this.#write(above, { lower, upper }, leaves, steps);
    else if (most <= at) this.#write(below, { lower, upper }, leaves, steps);
    else {
      steps.push({ branch: this.#space.columnName(column), at: `${at}` });
      for (const half of node.halves) this.#write(half, { lower, upper }, leaves, steps);
    }
  }

  /** Splits at the one of some that raises both halves most; whether there is one. */
  #split(node: Node, shouldStop: ShouldStop): boolean {
    if (node.answer.kind !== "solved") return false;
    const left = this.#limit - node.bound;
    let most = Number.NEGATIVE_INFINITY;
    const splits = this.#splits.at(node.answer.point).filter((split) => isOpenIn(node.box, split));
    for (const split of splits.slice(0, MOST_TRIED)) {
      if (node.halves !== null && shouldStop()) break;
      const halves = this.#halves(node, split);
      const gains = halves.map(({ bound }) => Math.min(bound - node.bound, left));
      const score = gains.reduce((product, gain) => product * Math.max(gain, LEAST_GAIN * this.#limit), 1);
      if (score > most) [node.branch, node.halves, most] = [split, halves, score];
    }
    if (node.halves === null) return false;
    this.nodes += 2;
    return true;
  }

  #halves(node: Node, { column, at }: Split): Halves {
    const [below, above] = halvesAt(node.box, column, BigInt(at));
    return [this.#solved(below, node), this.#solved(above, node)];
  }

  /** Where the relaxation fails, what holds of the whole holds of a half of it. */
  #solved(box: Box, whole: Node | null): Node {
    const own = this.#relaxation.solve(box);
    const answer = own.kind === "failed" && whole !== null ? whole.answer : own;
    const bound = Math.max(whole?.bound ?? 0, this.#boundOf(answer));
    return { whole, box, answer, bound, branch: null, halves: null };
  }

  #boundOf(answer: RelaxationAnswer): number {
    if (answer.kind === "infeasible") return Number.POSITIVE_INFINITY;
    if (answer.kind === "failed") return 0;
    const { objective, constant } = this.#space.view;
    return objective.columns.reduce(
      // In doubles, searched: what the relaxation comes to.
      (sum, column, k) => sum + coefficientAt(objective, k).toNumber() * (answer.point[column] as number),
      constant.toNumber(),
    );
  }
}

/** Whether there is something of a box in both halves: where the relaxation failed its point is of a larger box. */
function isOpenIn({ lower, upper }: Box, { column, at }: Split): boolean {
  // In doubles, exact: numbers of shards.
  return (lower[column]?.toNumber() as number) <= at && at < (upper[column]?.toNumber() as number);
}

function leavesOf(node: Node): Node[] {
  return node.halves === null ? [node] : node.halves.flatMap(leavesOf);
}

/** What a program's box is once options are left out with a shard that costs a claim or more. */
function reducedAt(program: NumberedProgram["program"], claim: Rational): Box {
  const reduced = new ReducedBox({ program }, claim);
  reduced.apply({ kind: "fix", multipliers: new Map() });
  reduced.apply({ kind: "propagate" });
  return reduced.save();
}

/** What a column is for. */
interface Counted {
  readonly column: number;
  /** What a shard costs, as a part of the limit. */
  readonly size: number;
  /** How much sooner than by its size it is split. */
  readonly ahead: number;
}

/** A column that is not whole: at most `at`, or more. */
export interface Split {
  readonly column: number;
  readonly at: number;
  readonly merit: number;
}

/** What it is worth to be among the large shards, and to be one place further to the front there. */
const LARGE = 1;
const PLACE = 0.01;

/** Where a relaxation of a program of numbered devices may be split, large shards first. */
export class NumberedSplits {
  /** Options, and large shards by device. */
  readonly #first: readonly Counted[];
  /** All other shards by device. */
  readonly #last: readonly Counted[];

  constructor({ order, shards }: NumberedProgram, limit: number) {
    const ahead = new Map<number, number>();
    order.forEach(({ chosen }, place) => {
      if (!ahead.has(chosen)) ahead.set(chosen, LARGE + PLACE * (order.length - place));
    });
    const options = new Map<number, Counted>();
    const byDevice = shards.map(({ chosen, columns, cost }) => {
      const own = { size: cost / limit, ahead: ahead.get(chosen) ?? 0 };
      if ((options.get(chosen)?.size ?? -1) < own.size) options.set(chosen, { ...own, column: chosen });
      return columns.map((column) => ({ ...own, column }));
    });
    const isLarge = (own: readonly Counted[]) => (own[0]?.ahead ?? 0) > 0;
    this.#first = [...options.values(), ...byDevice.filter(isLarge).flat()];
    this.#last = byDevice.filter((own) => !isLarge(own)).flat();
  }

  /** Those of most merit first; small shards where all else is whole. */
  at(point: Float64Array): readonly Split[] {
    const first = fractional(this.#first, point);
    return first.length > 0 ? first : fractional(this.#last, point);
  }
}

function fractional(columns: readonly Counted[], point: Float64Array): Split[] {
  return columns
    .flatMap(({ column, size, ahead }): Split[] => {
      const value = point[column] as number;
      const at = Math.floor(value + WHOLE);
      const part = value - at;
      return part > WHOLE ? [{ column, at, merit: ahead + Math.min(part, 1 - part) * size }] : [];
    })
    .sort((a, b) => b.merit - a.merit || a.column - b.column);
}
