import type { NetworkKind } from "../../cost/neural/features.js";
import type { Fit } from "../../cost/neural/fit.js";
import type { WeightsOrigin } from "../../cost/neural/weights.js";
import { facts, paint, table } from "../../terminal/table.js";
import { count, significant } from "../../text/units.js";

/** What `learn-cost` found: also its JSON. */
export interface LearnedCost extends Omit<WeightsOrigin, "data" | "sha256" | "source"> {
  readonly shardproof: 1;
  readonly kind: NetworkKind;
  readonly data: { readonly file: string; readonly sha256: string; readonly sets: number; readonly tables: number };
  /** Passes over the data that were asked for: fewer are over where somebody stopped it. */
  readonly askedEpochs?: number;
  /** Where the sets arrived one by one: the newest that were kept. */
  readonly stream?: { readonly buffer: number };
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
