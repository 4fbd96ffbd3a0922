import type { Step } from "../../proof/certificate.js";
import type { BoundResult } from "../../proof/kernel/bound.js";
import type { RelaxationAnswer } from "./relaxation.js";
import type { ProvedCut, SearchSpace } from "./space.js";

/** What a relaxation says of a box that it does not settle. */
export type Solved = Unsettled["answer"];

/** A relaxation that was solved and left its node open. */
export interface Unsettled {
  readonly answer: Extract<RelaxationAnswer, { kind: "solved" }>;
  readonly result: BoundResult;
}

export type Outcome = "closed" | "unsolved" | Unsettled;

/** A node's space with its cuts, and the relaxation's last answer there. */
export interface Cutting {
  readonly space: SearchSpace;
  readonly outcome: Unsettled;
}

/** What the rounds ask of the search. */
export interface Cutter {
  separate(at: Cutting): readonly ProvedCut[];
  /** Takes the steps that state cuts, and solves the relaxation with them. */
  solve(space: SearchSpace, steps: readonly Step[]): Outcome;
}

/** Rounds that gain less than a share of what all rounds have gained so far, before there are no more. */
const MAX_STALLED = 4;
const MIN_GAIN = 0.02;

/** Rounds in which a cut may have no price before it is left out. */
const MAX_IDLE = 3;

/**
 * Adds cuts to a node in rounds while they raise its bound, and keeps those that have a price in the end; `null` where they
 * close the node.
 */
export function cutInRounds(most: number, start: Cutting, cutter: Cutter): Cutting | null {
  let { space, outcome } = start;
  const first = boundOf(outcome);
  let best = first;
  let stalled = 0;
  const idle = new Map<number, number>();
  for (let round = 0; round < most && stalled < MAX_STALLED; round++) {
    const cuts = cutter.separate({ space, outcome });
    if (cuts.length === 0) break;
    const added = space.withCuts(cuts);
    const solved = cutter.solve(added.space, added.steps);
    if (solved === "closed") return null;
    space = added.space;
    if (solved === "unsolved") break;
    outcome = solved;
    const priced = outcome.answer.multipliers;
    for (const { index } of space.cuts) idle.set(index, priced.has(index) ? 0 : (idle.get(index) ?? 0) + 1);
    const bound = boundOf(outcome);
    stalled = bound - best > MIN_GAIN * (best - first) + 1e-9 * Math.abs(best) ? 0 : stalled + 1;
    best = Math.max(best, bound);
    space = space.keepingCuts((index) => (idle.get(index) as number) < MAX_IDLE);
  }
  if (space === start.space) return start;
  const priced = outcome.answer.multipliers;
  return { space: space.keepingCuts((index) => priced.has(index)), outcome };
}

function boundOf({ result }: Unsettled): number {
  return result.bound?.toNumber() ?? Number.NEGATIVE_INFINITY;
}
