import { Rational } from "../../../exact/rational.js";
import { explicitPart } from "../../../program/ladder/explicit.js";
import type { Interval } from "../../../program/ladder/interval.js";
import { columnOf, firstClasses, type Ladder } from "../../../program/ladder/ladder.js";
import type { Step } from "../../certificate.js";
import { rootNode } from "../../kernel/ladder/node.js";
import { replayProgram } from "../program/replay.js";
import type { Surroundings } from "../program/tree.js";
import { nextStep } from "../rule.js";
import { LadderTree } from "./tree.js";

/**
 * Replays the steps of a certificate about a ladder, until every node is closed; returns the index of the next step.
 * Some steps are taken on the ladder as it is (tree.ts); a `fix` decides whole intervals, and what it leaves open is
 * written out column by column and replayed as any program. Any other step (a branching on a single class, an exchange,
 * multipliers of a class's own row) has the whole node written out.
 *
 * The steps mean what they mean for the program written out, except that a `fix` here leaves a class open that it
 * cannot decide whole: it never fixes more. Throws {@link CertificateError} with the step's number.
 */
export function replayLadder(
  ladder: Ladder,
  target: Rational | null,
  steps: readonly Step[],
  checkTime: () => void,
): number {
  const tree = new LadderTree(ladder, target, checkTime);
  let index = 0;
  while (tree.openCount > 0) {
    const isTaken = tree.take(nextStep(tree, steps, index), index + 1);
    index = isTaken ? index + 1 : writtenOut(tree, steps, index);
  }
  return index;
}

/** Replays the current node column by column until it is closed; returns the index of the next step. */
function writtenOut(tree: LadderTree, steps: readonly Step[], index: number): number {
  const { ladder, node, target, checkTime } = tree;
  const step = steps[index] as Step;
  const isFix = "fix" in step;
  const decided = isFix ? tree.decidedByFix(step, index + 1) : [];
  const isEmpty = decided === null || node === null;
  const part = isEmpty
    ? explicitPart(ladder, { ...rootNode(ladder), decided: wholeChains(ladder) })
    : explicitPart(ladder, { ...node, decided });
  const around = surroundings(ladder, decided ?? wholeChains(ladder));
  const options = { around, checkTime, isEmpty };
  const next = replayProgram(part.program, target, steps, options, isFix ? index + 1 : index);
  tree.close();
  return next;
}

/** Every unit decided: what is left where nothing matters any more. */
function wholeChains({ chains }: Ladder): readonly Interval[] {
  return chains.flatMap(({ units }, chain) =>
    units.length === 0 ? [] : [{ chain, from: 0, to: units.length, tier: 0 }],
  );
}

/** What the names of decided classes and of banned tiers stand for. */
function surroundings(ladder: Ladder, decided: readonly Interval[]): Surroundings {
  const first = firstClasses(ladder);
  const find = (unitClass: number): { interval: Interval | undefined; chain: number } => {
    const chain = first.findLastIndex((start) => start <= unitClass);
    const local = unitClass - (first[chain] as number);
    return { chain, interval: decided.find((one) => one.chain === chain && one.from <= local && local < one.to) };
  };
  return {
    valueOf: (name) => {
      const column = columnOf(ladder, name);
      if (column === null) return undefined;
      const { interval, chain } = find(column.unitClass);
      if (interval?.tier !== column.tier) return Rational.zero;
      const units = ladder.chains[chain]?.units[column.unitClass - (first[chain] as number)] as number;
      return Rational.of(BigInt(units));
    },
    isSatisfied: (name) => {
      const unitClass = /^class_(0|[1-9]\d*)$/.exec(name)?.[1];
      return (
        unitClass !== undefined &&
        Number(unitClass) < (first.at(-1) as number) &&
        find(Number(unitClass)).interval !== undefined
      );
    },
  };
}
