import type { NetworkKind } from "../../cost/neural/features.js";
import type { Fit } from "../../cost/neural/fit.js";
import type { SplitFits } from "../../cost/neural/learner.js";
import { facts, paint, table } from "../../terminal/table.js";
import { count, significant } from "../../text/units.js";

/** What `learn-cost` found: also its JSON. */
export interface LearnedCost {
  readonly shardproof: 1;
  readonly kind: NetworkKind;
  readonly data: { readonly file: string; readonly sha256: string; readonly sets: number; readonly tables: number };
  readonly seed: number;
  /** Passes over the data: those asked for, those that are over (fewer where somebody stopped it), and that of the weights. */
  readonly askedEpochs?: number;
  readonly epochs?: number;
  /** 0: as they were drawn. */
  readonly bestEpoch?: number;
  /** Where the sets arrived one by one: the newest that were kept, the rounds of learning, and that of the weights. */
  readonly stream?: { readonly buffer: number };
  readonly rounds?: number;
  readonly bestRound?: number;
  readonly fits: SplitFits;
  readonly timing: { readonly trainSeconds: number };
}

/** The fit of a cost network on each part of its data. */
export function showLearnedCost(learned: LearnedCost): string {
  const { kind, data, seed, fits, timing } = learned;
  const lines: [string, string][] = [
    ["data", `${data.file}: ${count(data.sets)} sets of ${count(data.tables)} tables`],
    ["weights", `${cameFrom(learned)}; seed ${seed}`],
    ["time", `${significant(timing.trainSeconds, 3)} s`],
  ];
  const head = ["part", "sets", "mean abs. error", "mean sq. error", "R²", "rank correlation"];
  const rows = Object.entries(fits).map(([part, fit]) => [part, ...cellsOf(fit)]);
  return `${paint.bold(kind)}\n\n${facts(lines)}\n\n${table(head, rows, "lrrrrr")}\n`;
}

function cameFrom({ askedEpochs = 0, epochs = 0, bestEpoch = 0, stream, rounds = 0, bestRound = 0 }: LearnedCost) {
  if (stream !== undefined) {
    return `of round ${count(bestRound)} of ${count(rounds)}, from a stream; the newest ${count(stream.buffer)} sets kept`;
  }
  const stopped = epochs < askedEpochs ? `, stopped after ${count(epochs)}` : "";
  return `of epoch ${count(bestEpoch)} of ${count(askedEpochs)}${stopped}`;
}

function cellsOf({ sets, meanAbsoluteError, meanSquaredError, rSquared, rankCorrelation }: Fit): string[] {
  const share = (value: number | null) => (value === null ? "·" : value.toFixed(4));
  return [
    count(sets),
    `${significant(meanAbsoluteError, 4)} ms`,
    `${significant(meanSquaredError, 4)} ms²`,
    share(rSquared),
    share(rankCorrelation),
  ];
}

/** A mean squared error as people read it: its root, in milliseconds. */
export function rootError(squared: number): string {
  return `${significant(Math.sqrt(squared), 4)} ms`;
}
