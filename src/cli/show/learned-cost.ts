import type { NetworkKind } from "../../cost/neural/features.js";
import type { Fit } from "../../cost/neural/fit.js";
import type { SplitFits } from "../../cost/neural/train.js";
import { facts, paint, table } from "./table.js";
import { count, significant } from "./units.js";

/** What `learn-cost` found: also its JSON. */
export interface LearnedCost {
  readonly shardproof: 1;
  readonly kind: NetworkKind;
  readonly data: { readonly file: string; readonly sha256: string; readonly sets: number; readonly tables: number };
  readonly seed: number;
  readonly askedEpochs: number;
  /** Fewer where somebody stopped it. */
  readonly epochs: number;
  /** The one that the weights are from; 0: as they were drawn. */
  readonly bestEpoch: number;
  readonly fits: SplitFits;
  readonly timing: { readonly trainSeconds: number };
}

/** The fit of a cost network on each part of its data. */
export function showLearnedCost({
  kind,
  data,
  seed,
  askedEpochs,
  epochs,
  bestEpoch,
  fits,
  timing,
}: LearnedCost): string {
  const stopped = epochs < askedEpochs ? `, stopped after ${count(epochs)}` : "";
  const lines: [string, string][] = [
    ["data", `${data.file}: ${count(data.sets)} sets of ${count(data.tables)} tables`],
    ["weights", `of epoch ${count(bestEpoch)} of ${count(askedEpochs)}${stopped}; seed ${seed}`],
    ["time", `${significant(timing.trainSeconds, 3)} s`],
  ];
  const head = ["part", "sets", "mean abs. error", "mean sq. error", "R²", "rank correlation"];
  const rows = Object.entries(fits).map(([part, fit]) => [part, ...cellsOf(fit)]);
  return `${paint.bold(kind)}\n\n${facts(lines)}\n\n${table(head, rows, "lrrrrr")}\n`;
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
