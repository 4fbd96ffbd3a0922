import { type NumberedProgram, numberedProgram } from "../../../../../models/table-placement/numbered-program.js";
import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { entriesOf } from "../../../../program/program.js";
import { withRelaxation } from "../../../../search/exact-milp/lp-relaxation.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { Beside } from "../base-tree/base-search.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import type { PlacementState } from "../placement-state.js";
import { NumberedTree } from "./numbered-tree.js";

/** What the tree may take, as a share of all work. */
const SHARE = 0.35;

/** Tables for each device: with no more of them relaxations of patterns of all shards come to their end, and say more. */
const MANY_TABLES = 3;

/** Relaxations of open nodes that local search is told of, those of least bound. */
const HEEDED = 40;

/** A limit, as so many times the bound. */
const STEP = 1.03;

/** What a node takes, of what one of branch and bound does: its bound is in exact arithmetic in the end alone. */
const LIGHT = 0.3;

/** Milliseconds of a relaxation and of checking a bound, for each entry of the program, and for each node of its tree. */
const CHECKING = 0.04;
const CHECKING_NODE = 5;

/** A bound by where large shards are, once: {@link NumberedTree}. */
export class NumberedTurns {
  readonly #problem: PlacementProblem;
  readonly #beside: Pick<Beside, "heed"> | null;
  #program: NumberedProgram | null | undefined;
  #isOver = false;
  /** Whether it has raised the bound: relaxations of patterns of all shards say less then, and take long. */
  hasRaised = false;

  /** `beside`: told which options relaxations take where nothing is refuted. */
  constructor(problem: PlacementProblem, beside: Pick<Beside, "heed"> | null) {
    [this.#problem, this.#beside] = [problem, beside];
  }

  /** Whether it was not asked yet, and there is a placement to be below. */
  applies({ incumbent, options, budget }: PlacementState): boolean {
    if (this.#isOver || incumbent.value === null || options.takesCounted !== true) return false;
    if (this.#problem.tables.length <= MANY_TABLES * deviceCount(this.#problem)) return false;
    if (this.#program === undefined) this.#program = numberedProgram(this.#problem);
    return this.#program !== null && budget.affordsChecking(CHECKING * entriesOf(this.#program.program));
  }

  /** At limits not far above the bound, below which fewer options have shards that cost too much, as long as nothing is below them. */
  async turn(search: PlacementState): Promise<void> {
    const { bound, incumbent, work, all } = search;
    const isSliceOver = work.slice(SHARE * all);
    this.#isOver = true;
    for (let low = bound.toNumber(); low > 0 && !isSliceOver(); ) {
      const limit = Math.min(low * STEP, incumbent.value?.toNumber() as number);
      const proof = await this.#below(limit, search, isSliceOver);
      if (proof === null) return;
      search.best.offer(proof, this.#program as NumberedProgram);
      this.hasRaised ||= search.bound.toNumber() > low;
      // Where limits are far below the placement there may be nothing below them.
      if (search.bound.toNumber() < limit || limit < low * STEP) return;
      low = limit;
    }
  }

  #below(limit: number, search: PlacementState, isSliceOver: ShouldStop): Promise<BoundProof | null> {
    const program = this.#program as NumberedProgram;
    const milliseconds = CHECKING * entriesOf(program.program);
    return withRelaxation(
      program.program,
      (units = 0) => isSliceOver(LIGHT * units),
      (open) => {
        const tree = NumberedTree.begun(program, limit, open);
        tree?.run(() => isSliceOver() || !search.budget.affordsChecking(milliseconds + CHECKING_NODE * tree.nodes));
        search.nodes += tree?.nodes ?? 0;
        for (const point of tree?.points.slice(0, HEEDED) ?? []) this.#heed(point);
        return tree?.proof() ?? null;
      },
    );
  }

  #heed(point: Float64Array): void {
    const { shards } = this.#program as NumberedProgram;
    const options = shards.map(({ table, option }) => ({ table, option, group: -1 }));
    this.#beside?.heed(
      options,
      Float64Array.from(shards, ({ chosen }) => point[chosen] as number),
    );
  }
}
