import type { MeasuredInteraction } from "../../access/interaction/mean-cosine.js";
import { facts } from "../../terminal/table.js";
import { printable } from "../../text/printable.js";
import { count, significant, some } from "../../text/units.js";

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

/** Which pairs count 0 without a sample of both, in one line; `null`: none does. */
export function unmeasuredText(names: readonly string[], { unmeasured }: MeasuredInteraction): string | null {
  if (unmeasured.length === 0) return null;
  const pairs = unmeasured
    .slice(0, MAX_PAIRS)
    .map((pair) => pair.map((k) => printable(names[k] as string)).join(" and "));
  const more = unmeasured.length - pairs.length;
  const which = [...pairs, ...(more > 0 ? [`… ${count(more)} more`] : [])].join(", ");
  return `${some(unmeasured.length, "pair")} of features without a sample that has ids of both, taken as 0: ${which}`;
}
