import { EXACT_METHOD } from "../plan-file/method-names.js";
import { methodName } from "../text/optimality.js";
import { count, percent } from "../text/units.js";
import type { Cells } from "./methods-table.js";
import type { Row } from "./row.js";
import { groupedBy } from "./summary.js";

/** Two methods on the instances, and seeds, that both have plans and bounds for. */
export interface MethodPair {
  readonly method: string;
  readonly other: string;
  readonly both: number;
  /** Where the first has the better value, and where the second has. */
  readonly wins: number;
  readonly losses: number;
  /** Mean of how much farther the first is above the bound, as a share of it: below 0 it is nearer. */
  readonly difference: number;
}

/** All pairs of the methods of one problem but the exact one, in the order of the job. */
export function pairsOf(rows: readonly Row[]): readonly MethodPair[] {
  const methods = groupedBy(
    rows.filter(({ line }) => line.method !== EXACT_METHOD),
    ({ line }) => line.method,
  ).map((group) => ({
    method: (group[0] as Row).line.method,
    above: new Map(group.flatMap(({ line, above }) => (above === null ? [] : [[keyOf(line), above] as const]))),
  }));
  return methods.flatMap(({ method, above }, k) =>
    methods.slice(k + 1).flatMap(({ method: other, above: others }) => {
      const differences = [...above].flatMap(([key, own]) => {
        const one = others.get(key);
        return one === undefined ? [] : [own - one];
      });
      if (differences.length === 0) return [];
      return [
        {
          ...{ method, other, both: differences.length },
          wins: differences.filter((each) => each < 0).length,
          losses: differences.filter((each) => each > 0).length,
          difference: differences.reduce((sum, each) => sum + each, 0) / differences.length,
        },
      ];
    }),
  );
}

/** How many more of its pairs a method is nearer in, in the mean, than farther. */
export function leadOf(name: string, pairs: readonly MethodPair[]): number {
  return pairs.reduce((lead, { method, other, difference }) => {
    const sign = method === name ? 1 : other === name ? -1 : 0;
    return lead - sign * Math.sign(difference);
  }, 0);
}

export const PAIRS_CAPTION =
  "Two methods at a time, on the instances that both have plans for: where the first is nearer to the bound, and the mean of how much farther above it the first is";

/** Pairs in cells; without lines where there is no pair. */
export function pairsTable(pairs: readonly MethodPair[]): Cells {
  return {
    head: ["method", "beside", "both", "wins", "ties", "losses", "mean difference"],
    lines: pairs.map(({ method, other, both, wins, losses, difference }) => [
      ...[methodName(method), methodName(other), count(both), count(wins), count(both - wins - losses), count(losses)],
      `${difference > 0 ? "+" : ""}${percent(difference)}`,
    ]),
    align: "llrrrrr",
  };
}

function keyOf({ instance, seed }: Row["line"]): string {
  return `${instance.sha256} ${seed}`;
}
