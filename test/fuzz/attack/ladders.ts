import { Rational } from "../../../src/exact/rational.js";
import { explicitProgram } from "../../../src/program/ladder/explicit.js";
import { type Ladder, type LadderForm, makeChain } from "../../../src/program/ladder/ladder.js";
import { writeLp } from "../../../src/program/lp/write.js";
import type { Step } from "../../../src/proof/certificate.js";
import { extremeCost } from "../../support/extreme-numbers.js";
import { type Draw, drawFrom, ratio } from "../oracle/draw.js";
import { tryEveryInteger } from "../oracle/every-integer.js";
import { falseClaim, report, trueClaim } from "./certificates.js";
import { CLOSING, GOING_ON, type ProgramStepKind } from "./drawn-steps.js";
import { extendProof, type Limits } from "./extend-proof.js";
import { ProgramProposer } from "./program-proposer.js";
import type { Attack } from "./tally.js";

const LIMITS: Limits = { steps: 30, refusals: 25 };

/** Certificates of ladders, against every way to share out their units. */
export const ladders: Attack = {
  name: "ladders",
  round(seed, tally) {
    const draw = drawFrom(seed);
    const ladder = drawLadder(draw);
    const { program, truth } = ladderTruth(ladder);
    const claims = [falseClaim(draw, truth, "minimize"), draw.oneIn(4) ? trueClaim(truth) : null];
    for (const [index, claim] of claims.entries()) {
      if (claim === null) continue;
      const attempt = extendProof(ladder, claim, new LadderProposer(draw, ladder), LIMITS);
      report(tally, claim, index === 0, attempt, () => `seed ${seed}\n${writeLp(program)}`);
    }
  },
};

/** The ladder written out, and its optimum. */
export function ladderTruth(ladder: Ladder) {
  const program = explicitProgram(ladder);
  const box = program.columns
    .filter(({ integer }) => integer)
    .map(({ lower, upper }) => [lower?.ceil() ?? 0n, upper?.floor() ?? 1n] as const);
  return { program, truth: tryEveryInteger(program, box) };
}

/** A ladder is not taken apart. */
export const LADDER_KINDS = {
  goingOn: GOING_ON.filter((kind) => kind !== "narrow"),
  closing: CLOSING.filter((kind) => kind !== "decompose"),
};

/** Steps of the program written out, with cutoffs beside a `fix` and branchings of auxiliaries first, now and then. */
export class LadderProposer extends ProgramProposer {
  readonly #ladder: Ladder;
  readonly #random: Draw;

  constructor(draw: Draw, ladder: Ladder) {
    super(draw, explicitProgram(ladder));
    this.#ladder = ladder;
    this.#random = draw;
  }

  override propose(refusals: number): Step {
    if (this.#random.oneIn(6)) return this.#switching();
    return this.#random.oneIn(6) ? { propagate: {} } : super.propose(refusals);
  }

  override stepOf(kind: ProgramStepKind): Step | null {
    const draw = this.#random;
    if (kind === "branch" && draw.oneIn(2)) return this.#switching();
    const step = super.stepOf(kind);
    if (step === null || !("fix" in step) || draw.oneIn(2)) return step;
    return { ...step, cutoff: ratio(draw.int(-9, 60), draw.of([1, 3])).toString() };
  }

  #switching(): Step {
    return { branch: this.#random.of(this.#ladder.auxiliaries).name, at: String(this.#random.int(-1, 1)) };
  }
}

/** A few rungs of a few units in two or three tiers, rows that count some of them, a switch, at times a largest sum. */
export function drawLadder(draw: Draw): Ladder {
  const tiers = ["p", "q", "s"].slice(0, draw.int(2, 3));
  const classes = tiers.length === 3 ? draw.int(1, 2) : draw.int(1, 4);
  const cut = draw.oneIn(2) ? draw.int(0, classes) : classes;
  const chains = [cut, classes - cut]
    .filter((count) => count > 0)
    .map((count) => {
      const rates = Array.from({ length: count }, () => draw.int(0, 3));
      const falling = rates.map((_, i) => BigInt(rates.slice(i).reduce((sum, step) => sum + step + 1, -1)));
      return makeChain(
        Float64Array.from(falling, () => draw.int(1, 2)),
        falling,
      );
    });
  const hasSum = draw.oneIn(2);
  const value = (least: number) =>
    draw.oneIn(12) ? extremeCost(draw) : draw.oneIn(3) ? Rational.zero : ratio(draw.int(least, 5), draw.of([1, 1, 2]));
  const form = (least: number, auxiliaries: readonly number[]): LadderForm => ({
    terms: chains.map(() => tiers.map(() => ({ fixed: value(least), perRate: value(least) }))),
    auxiliaries: auxiliaries.map((own) => ratio(own)).slice(0, hasSum ? 2 : 1),
  });
  const rows = Array.from({ length: draw.int(0, 2) }, (_, r) => {
    const switched = draw.oneIn(2);
    return {
      name: `row_${r}`,
      form: form(draw.oneIn(3) ? -4 : 0, [switched ? -draw.int(1, 20) : 0, draw.oneIn(2) ? -1 : 0]),
      upper: ratio(switched ? 0 : draw.int(0, 20)),
    };
  });
  return {
    name: "drawn",
    tiers,
    chains: chains,
    rateDenominator: BigInt(draw.of([1, 1, 2, 3])),
    auxiliaries: [
      { name: "carries", lower: ratio(0), upper: ratio(1), integer: true },
      { name: "largest", lower: ratio(0), upper: draw.oneIn(2) ? null : ratio(9), integer: false },
    ].slice(0, hasSum ? 2 : 1),
    rows,
    objective: { name: "cost", form: form(-4, [draw.int(0, 6), 1]) },
  };
}
