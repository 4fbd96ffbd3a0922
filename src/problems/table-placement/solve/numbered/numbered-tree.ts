import type { NumberedProgram, NumberedShards } from "../../../../../models/table-placement/numbered-program.js";
import { Rational } from "../../../../exact/rational.js";
import { coefficientAt } from "../../../../program/program.js";
import type { Step } from "../../../../proof/certificate.js";
import { lagrangianBound } from "../../../../proof/kernel/bound.js";
import type { Box } from "../../../../proof/kernel/view.js";
import type { Relaxation, RelaxationAnswer } from "../../../../search/branch-and-bound/relaxation.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { ReducedBox } from "../bounds/reduction-steps.js";

/** A branching: a column is at most so much, or more. */
interface Branch {
  readonly column: number;
  readonly at: number;
}

/** Where the shards of a kind go that has been chosen: `device`: the next one to be asked about, which has `known` of them at least. */
interface Placing {
  readonly left: number;
  readonly device: number;
  readonly known: number;
}

/** How far the large shards are decided. */
interface Decided {
  /** Index into the order. */
  readonly next: number;
  readonly placing: Placing | null;
  /** Devices that have got their numbers. */
  readonly numbered: number;
}

interface Node {
  /** What it is a half of. */
  readonly whole: Node | null;
  readonly decided: Decided;
  readonly box: Box;
  readonly answer: RelaxationAnswer;
  /** In doubles; infinite where nothing is left below the limit. */
  readonly bound: number;
  branch: Branch | null;
  halves: readonly [below: Node, above: Node] | null;
}

interface Shown {
  readonly step: Step;
  readonly bound: Rational | null;
}

/** What a bound may lose in exact arithmetic, as a part of it, before multipliers of more digits are asked. */
const NEAR = 1e-9;

/**
 * A tree over where large shards are: whether an option with such shards is chosen, and which devices they share, those with numbers
 * that have some already, or the next one. All else is left to the linear relaxation. A device that has a large shard is to be filled with what
 * goes beside it, and where several tables have such shards, what they all need beside them is not there.
 */
export class NumberedTree {
  readonly #order: readonly NumberedShards[];
  readonly #space: SearchSpace;
  readonly #relaxation: Relaxation;
  readonly #numbered: number;
  readonly #root: Node;
  readonly #limit: number;
  #open: Node[];
  nodes = 0;

  /** `limit`: only what is below counts. `null` where the relaxation fails at the root. */
  static begun(
    { program, order }: NumberedProgram,
    limit: number,
    open: (space: SearchSpace) => Relaxation,
  ): NumberedTree | null {
    const reduced = reducedAt(program, Rational.fromNumber(limit));
    const space = SearchSpace.of(program).within(reduced);
    const tree = new NumberedTree(order, space, open(space), limit);
    return tree.#root.answer.kind === "failed" ? null : tree;
  }

  private constructor(order: readonly NumberedShards[], space: SearchSpace, relaxation: Relaxation, limit: number) {
    [this.#order, this.#space, this.#relaxation, this.#limit] = [order, space, relaxation, limit];
    this.#numbered = order[0]?.columns.length ?? 0;
    const decided = { next: 0, placing: null, numbered: 0 };
    this.#root = this.#solved(decided, space.box);
    this.#open = [this.#root];
  }

  /** The least bound of what is open. */
  get bound(): number {
    return Math.min(this.#limit, ...this.#open.map(({ bound }) => bound));
  }

  /** Branches where the bound is least, until it is told to stop or the least one has all large shards decided. */
  run(shouldStop: ShouldStop): void {
    while (!shouldStop()) {
      const node = this.#open.reduce<Node | null>(
        (least, own) => (own.bound < (least?.bound ?? Infinity) ? own : least),
        null,
      );
      if (node === null || node.bound >= this.#limit || !this.#split(node)) return;
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
    for (const multipliers of answer.kind === "failed" ? [] : [answer.multipliers, answer.fine]) {
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
    const { column, at } = node.branch as Branch;
    const [least, most] = [lower[column]?.toNumber() as number, upper[column]?.toNumber() as number];
    const [below, above] = node.halves;
    if (least > at) this.#write(above, { lower, upper }, leaves, steps);
    else if (most <= at) this.#write(below, { lower, upper }, leaves, steps);
    else {
      steps.push({ branch: this.#space.columnName(column), at: `${at}` });
      for (const half of node.halves) this.#write(half, { lower, upper }, leaves, steps);
    }
  }

  /** Whether there is anything left to branch on. */
  #split(node: Node): boolean {
    const found = this.#nextBranch(node.decided, node.box);
    if (found === null) return false;
    const { column, at, halves } = found;
    node.branch = { column, at };
    node.halves = halves.map((decided, k) => {
      const box = { lower: node.box.lower.slice(), upper: node.box.upper.slice() };
      if (k === 0) box.upper[column] = Rational.of(BigInt(at));
      else box.lower[column] = Rational.of(BigInt(at + 1));
      return this.#isAt(node.answer, box, column)
        ? { ...node, whole: node, decided, box, branch: null, halves: null }
        : this.#solved(decided, box, node);
    }) as unknown as readonly [Node, Node];
    return true;
  }

  /** The first thing about large shards that is not decided, with what is decided then in both halves. */
  #nextBranch(
    from: Decided,
    { lower, upper }: Box,
  ): (Branch & { readonly halves: readonly [Decided, Decided] }) | null {
    let { next, placing, numbered } = from;
    const boundAt = (side: readonly (Rational | null)[], column: number) => side[column]?.toNumber() as number;
    for (;;) {
      const kind = this.#order[next];
      if (kind === undefined) return null;
      if (placing === null) {
        const [least, most] = [boundAt(lower, kind.chosen), boundAt(upper, kind.chosen)];
        const begun = { left: kind.shards.length, device: 0, known: 0 };
        if (least < most) {
          const halves = [
            { next: next + 1, placing: null, numbered },
            { next, placing: begun, numbered },
          ] as const;
          return { column: kind.chosen, at: 0, halves };
        }
        if (most === 0) next++;
        else placing = begun;
        continue;
      }
      const { left, device, known } = placing;
      if (left === 0 || device > numbered || device >= this.#numbered) {
        [next, placing] = [next + 1, null];
        continue;
      }
      const column = kind.columns[device] as number;
      const most = Math.min(boundAt(upper, column), known + left);
      // What is on the next device gives it its number.
      const after = (found: number): Decided => ({
        ...{ next, placing: { left: left - (found - known), device: device + 1, known: 0 } },
        numbered: found > 0 ? Math.max(numbered, device + 1) : numbered,
      });
      if (known >= most) {
        ({ next, placing, numbered } = after(known));
        continue;
      }
      const more = { next, placing: { left: left - 1, device, known: known + 1 }, numbered };
      return { column, at: known, halves: [after(known), more] };
    }
  }

  /** Whether a relaxation's point is in a box that differs in one column. */
  #isAt(answer: RelaxationAnswer, { lower, upper }: Box, column: number): boolean {
    if (answer.kind !== "solved") return false;
    const value = answer.point[column] as number;
    return value >= (lower[column]?.toNumber() as number) && value <= (upper[column]?.toNumber() as number);
  }

  /** Where the relaxation fails, what holds of the whole holds of a half of it. */
  #solved(decided: Decided, box: Box, whole: Node | null = null): Node {
    this.nodes++;
    const own = this.#relaxation.solve(box);
    const answer = own.kind === "failed" && whole !== null ? whole.answer : own;
    const bound = Math.max(whole?.bound ?? 0, this.#boundOf(answer));
    return { whole, decided, box, answer, bound, branch: null, halves: null };
  }

  #boundOf(answer: RelaxationAnswer): number {
    if (answer.kind === "infeasible") return Number.POSITIVE_INFINITY;
    if (answer.kind === "failed") return 0;
    const { objective, constant } = this.#space.view;
    return objective.columns.reduce(
      (sum, column, k) => sum + coefficientAt(objective, k).toNumber() * (answer.point[column] as number),
      constant.toNumber(),
    );
  }
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
