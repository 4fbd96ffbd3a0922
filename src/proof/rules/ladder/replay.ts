import { Rational } from "../../../exact/rational.js";
import { explicitPart } from "../../../program/ladder/explicit.js";
import { columnOf, firstRungs, type Ladder } from "../../../program/ladder/ladder.js";
import type { Stretch } from "../../../program/ladder/stretch.js";
import { rootNode } from "../../kernel/ladder/node.js";
import type { FixStep } from "../program/fix.js";
import { replayProgram } from "../program/replay.js";
import type { Surroundings } from "../program/tree.js";
import { LADDER_RULES } from "../registry.js";
import { nextStep, ruleOf } from "../rule.js";
import { decidedByFix } from "./fix.js";
import { LadderTree } from "./tree.js";

/**
 * Replays the steps of a certificate about a ladder, until every node is closed; returns the index of the next step. Rules of
 * ladders work on the ladder as it is, at a cost of a few bisections; a `fix` decides whole stretches, and what it leaves
 * open is written out column by column and replayed as any program. A step without a short way (a branching on a single
 * rung, an exchange, multipliers of a rung's own row) has the whole node written out.
 *
 * The steps mean what they mean for the program written out, except that a `fix` here leaves a rung open that it cannot
 * decide whole: it never fixes more. Throws {@link CertificateError} with the step's number.
 */
export function replayLadder(
  ladder: Ladder,
  target: Rational | null,
  steps: readonly object[],
  checkTime: () => void,
): number {
  const tree = new LadderTree(ladder, target, checkTime);
  let index = 0;
  while (tree.openCount > 0) {
    const step = nextStep(tree, steps, index);
    const isTaken = ruleOf(LADDER_RULES, step)?.check(tree, step, index + 1) ?? false;
    if (!("branch" in step)) tree.isBranched = false;
    index = isTaken ? index + 1 : writtenOut(tree, steps, index);
  }
  return index;
}

/** Replays the current node column by column until it is closed; returns the index of the next step. */
function writtenOut(tree: LadderTree, steps: readonly object[], index: number): number {
  const { ladder, node, target, checkTime } = tree;
  const step = steps[index] as object;
  const isFix = "fix" in step;
  const decided = isFix ? decidedByFix(tree, step as FixStep, index + 1) : [];
  const isEmpty = decided === null || node === null;
  const part = isEmpty
    ? explicitPart(ladder, { ...rootNode(ladder), decided: wholeRails(ladder) })
    : explicitPart(ladder, { ...node, decided });
  const around = surroundings(ladder, decided ?? wholeRails(ladder));
  const options = { around, checkTime, isEmpty };
  const next = replayProgram(part.program, target, steps, options, isFix ? index + 1 : index);
  tree.close();
  return next;
}

/** Every unit decided: what is left where nothing matters any more. */
function wholeRails({ rails }: Ladder): readonly Stretch[] {
  return rails.flatMap(({ units }, rail) => (units.length === 0 ? [] : [{ rail, from: 0, to: units.length, tier: 0 }]));
}

/** What the names of decided rungs and of banned tiers stand for. */
function surroundings(ladder: Ladder, decided: readonly Stretch[]): Surroundings {
  const first = firstRungs(ladder);
  const find = (rung: number): { stretch: Stretch | undefined; rail: number } => {
    const rail = first.findLastIndex((start) => start <= rung);
    const local = rung - (first[rail] as number);
    return { rail, stretch: decided.find((one) => one.rail === rail && one.from <= local && local < one.to) };
  };
  return {
    valueOf: (name) => {
      const column = columnOf(ladder, name);
      if (column === null) return undefined;
      const { stretch, rail } = find(column.rung);
      if (stretch?.tier !== column.tier) return Rational.zero;
      const units = ladder.rails[rail]?.units[column.rung - (first[rail] as number)] as number;
      return Rational.of(BigInt(units));
    },
    isSatisfied: (name) => {
      const rung = /^class_(0|[1-9]\d*)$/.exec(name)?.[1];
      return rung !== undefined && Number(rung) < (first.at(-1) as number) && find(Number(rung)).stretch !== undefined;
    },
  };
}
