import type { MeasuredInteraction } from "../../access/interaction/mean-cosine.js";
import { facts } from "../../terminal/table.js";
import { printable } from "../../text/printable.js";
import { count, significant } from "../../text/units.js";

/** Pairs of features named. */
const MAX_PAIRS = 5;

/** What was measured, and the features that are most alike. */
export function showInteraction(names: readonly string[], measured: MeasuredInteraction): string {
  const { samples, features, dimensions, matrix } = measured;
  const pairs = names.flatMap((name, i) =>
    names.slice(0, i).map((other, j) => ({
      pair: `${printable(other)} and ${printable(name)}`,
      value: matrix[i * features + j] as number,
    })),
  );
  const sorted = [...pairs].sort((a, b) => b.value - a.value);
  const mean = pairs.reduce((sum, { value }) => sum + value, 0) / pairs.length;
  const alike = sorted.slice(0, MAX_PAIRS).map(({ pair, value }) => `${pair} (${significant(value, 4)})`);
  return `${facts([
    ["embeddings", `${count(samples)} samples, ${count(features)} features, vectors of ${count(dimensions)} elements`],
    ...(pairs.length === 0
      ? []
      : ([
          ["mean |cos|", `${significant(mean, 4)} over ${count(pairs.length)} pairs of features`],
          ["most alike", alike.join(", ")],
        ] as const)),
  ])}\n`;
}
