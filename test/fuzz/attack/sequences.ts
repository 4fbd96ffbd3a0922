import { writeLp } from "../../../src/program/lp/write.js";
import type { checkCertificate } from "../../../src/proof/check.js";
import { type Draw, drawFrom } from "../oracle/draw.js";
import type { Truth } from "../oracle/truth.js";
import { falseClaim, report } from "./certificates.js";
import { CLOSING, GOING_ON } from "./drawn-steps.js";
import { extendProof, type Limits } from "./extend-proof.js";
import { bestPartition, drawGrouping, GroupingProposer } from "./groupings.js";
import { InTurn, type KindProposer, sequencesOf } from "./in-turn.js";
import { drawLadder, LADDER_KINDS, LadderProposer, ladderTruth } from "./ladders.js";
import { ProgramProposer } from "./program-proposer.js";
import { drawRanged, drawTiny } from "./programs.js";
import type { Attack, Tally } from "./tally.js";

/** Many refusals: the numbers of a step are drawn anew until the checker takes them. */
const LIMITS: Limits = { steps: 12, refusals: 30 };

/** Walks with one sequence and one subject: its steps are others each time. */
const WALKS = 4;

/** A subject with what is true of it. */
interface Subject<Kind extends string> {
  readonly subject: Parameters<typeof checkCertificate>[0];
  readonly sense: "minimize" | "maximize";
  readonly truth: Truth;
  readonly written: () => string;
  readonly proposer: () => KindProposer<Kind>;
}

/**
 * Every pair and triple of kinds of steps in turn, one for each seed: what one step concludes, another may weaken what it rests on
 * before a third uses it. Claims are false; each step is drawn anew where the checker refuses it.
 */
function sequencesAbout<Kind extends string>(
  name: string,
  kinds: Pick<KindProposer<Kind>, "goingOn" | "closing">,
  drawSubject: (draw: Draw, kinds: readonly Kind[]) => Subject<Kind> | null,
): Attack & { readonly sequences: readonly (readonly Kind[])[] } {
  const sequences = sequencesOf(kinds);
  const round = (seed: number, tally: Tally) => {
    const draw = drawFrom(seed);
    const steps = sequences[seed % sequences.length] as readonly Kind[];
    const drawn = drawSubject(draw, steps);
    for (let walk = 0; walk < WALKS; walk++) {
      const claim = drawn && falseClaim(draw, drawn.truth, drawn.sense);
      if (drawn === null || claim === null) return;
      const inTurn = new InTurn(drawn.proposer(), steps, draw);
      const attempt = extendProof(drawn.subject, claim, inTurn, LIMITS);
      for (const step of attempt.taken) tally.add(`of ${Object.keys(step)[0]}`);
      const sequence = steps.join(" ");
      tally.sequences.set(sequence, (tally.sequences.get(sequence) ?? 0) + (inTurn.hasReachedLast ? 1 : 0));
      report(tally, claim, true, attempt, () => `seed ${seed}\n${drawn.written()}`);
    }
  };
  return { name, sequences, round };
}

export const programSequences = sequencesAbout("sequences", { goingOn: GOING_ON, closing: CLOSING }, (draw, kinds) => {
  // A rounding gives something up where rows have two sides.
  const target = kinds.includes("round") || draw.oneIn(2) ? drawRanged(draw) : drawTiny(draw);
  if (target === null) return null;
  const { program, truth, loads } = target;
  return {
    ...{ subject: program, sense: program.objective.sense, truth, written: () => writeLp(program) },
    proposer: () => new ProgramProposer(draw, program, loads),
  };
});

export const ladderSequences = sequencesAbout("ladder-sequences", LADDER_KINDS, (draw) => {
  const ladder = drawLadder(draw);
  const { program, truth } = ladderTruth(ladder);
  return {
    ...{ subject: ladder, sense: "minimize", truth, written: () => writeLp(program) },
    proposer: () => new LadderProposer(draw, ladder),
  };
});

const GROUPING_KINDS = {
  goingOn: ["pair", "semidefinite"],
  closing: ["groups", "halves", "semidefinite"],
} as const;

export const groupingSequences = sequencesAbout("grouping-sequences", GROUPING_KINDS, (draw) => {
  const grouping = drawGrouping(draw);
  const truth = bestPartition(grouping);
  return {
    ...{ subject: grouping, sense: "minimize", truth, written: () => JSON.stringify(grouping) },
    proposer: () => new GroupingProposer(draw, grouping, truth),
  };
});
