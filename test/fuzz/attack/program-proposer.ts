import { Rational } from "../../../src/exact/rational.js";
import type { Program } from "../../../src/program/program.js";
import type { NamedMultipliers, Step } from "../../../src/proof/certificate.js";
import type { Multipliers } from "../../../src/proof/kernel/bound.js";
import { type Box, type View, viewOf } from "../../../src/proof/kernel/view.js";
import { solveExactLinear } from "../../../src/search/exact-simplex/solve.js";
import type { Draw } from "../oracle/draw.js";
import { CLOSING, DrawnSteps, GOING_ON, type Node, type ProgramStepKind } from "./drawn-steps.js";
import { extendProof, type Limits } from "./extend-proof.js";
import type { KindProposer } from "./in-turn.js";

/** Of the proof of one block of a decomposition. */
const OF_A_BLOCK: Limits = { steps: 12, refusals: 6 };

/** Kinds that prove much, or need luck, more often than the others. */
const OFTEN = [...GOING_ON, ...CLOSING, "enumerate", "knapsack", "cut", "bound"] as const;

/**
 * Proposes steps of proofs about a program: first what the linear relaxation of the node's branchings suggests, which proves
 * most claims that are true; then steps of every kind with numbers drawn at random (drawn-steps.ts).
 */
export class ProgramProposer implements KindProposer<ProgramStepKind> {
  readonly goingOn = GOING_ON;
  readonly closing = CLOSING;
  readonly #draw: Draw;
  readonly #program: Program;
  readonly #steps: DrawnSteps;
  readonly #view: View;
  /** The boxes of open nodes, by branchings alone; the current one is the last. */
  readonly #open: Box[];
  #relaxation: Step | null = null;
  #multipliers: NamedMultipliers = {};
  #point: readonly Rational[] | null = null;

  /** `loads`: rows that a partition may name. `depth`: decompositions around this program. */
  constructor(draw: Draw, program: Program, loads: readonly string[] = [], depth = 0) {
    this.#draw = draw;
    this.#program = program;
    const prove = (block: Program, least: Rational) => {
      // Of so few points mostly all are gone through.
      if (!draw.oneIn(4))
        return draw.of<readonly Step[]>([
          [{ enumerate: [] }],
          [{ enumerate: [{}] }],
          [{ propagate: {} }, { bound: {} }],
        ]);
      const claim = { kind: "bound", bound: least.toString() } as const;
      return extendProof(block, claim, new ProgramProposer(draw, block, [], depth + 1), OF_A_BLOCK).accepted;
    };
    this.#steps = new DrawnSteps(draw, program, loads, depth > 1 ? null : prove);
    const { view, box } = viewOf(program);
    this.#view = view;
    this.#open = [box];
    this.#relax();
  }

  propose(refusals: number): Step {
    if (refusals === 0 && this.#relaxation !== null && !this.#draw.oneIn(4)) return this.#relaxation;
    if (refusals < 3 && this.#draw.oneIn(2)) {
      const step = this.#steps.branching(this.#node);
      if (step !== null) return step;
    }
    return this.stepOf(this.#draw.of(OFTEN)) ?? { propagate: {} };
  }

  stepOf(kind: ProgramStepKind): Step | null {
    return this.#steps.ofKind(kind, this.#node);
  }

  take(step: Step): void {
    const box = this.#open.at(-1) as Box;
    if ("branch" in step) {
      const column = this.#program.columns.findIndex(({ name }) => name === step.branch);
      const at = Rational.parse(step.at);
      this.#open.pop();
      const [lower, upper] = [box.lower[column] ?? null, box.upper[column] ?? null];
      const above = at.add(Rational.one);
      this.#open.push(
        { lower: box.lower.with(column, lower !== null && lower.compare(above) > 0 ? lower : above), upper: box.upper },
        { lower: box.lower, upper: box.upper.with(column, upper !== null && upper.compare(at) < 0 ? upper : at) },
      );
    } else if (CLOSING.some((kind) => kind in step)) {
      this.#open.pop();
    } else return;
    this.#relax();
  }

  get #node(): Node {
    const [view, multipliers, point] = [this.#view, this.#multipliers, this.#point];
    return { view, box: this.#open.at(-1) as Box, multipliers, point };
  }

  /** Solves the relaxation of the current node, exactly. */
  #relax(): void {
    const box = this.#open.at(-1);
    this.#relaxation = null;
    this.#multipliers = {};
    this.#point = null;
    if (box === undefined) return;
    const answer = solveExactLinear(this.#view, { lower: box.lower.slice(), upper: box.upper.slice() });
    if (answer === null || answer.kind === "unbounded") return;
    this.#multipliers = this.#named(answer.multipliers);
    if (answer.kind === "infeasible") this.#relaxation = { infeasible: this.#multipliers };
    else {
      this.#relaxation = { bound: this.#multipliers };
      this.#point = answer.point;
    }
  }

  #named(multipliers: Multipliers): NamedMultipliers {
    return Object.fromEntries(
      [...multipliers].map(([r, value]) => [this.#program.rows[r]?.name as string, value.toString()]),
    );
  }
}
