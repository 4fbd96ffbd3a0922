import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import { Rational } from "../../../../exact/rational.js";
import { coefficientAt } from "../../../../program/program.js";
import type { Multipliers } from "../../../../proof/kernel/bound.js";

/**
 * Completes multipliers of the rows that place shards by those of the rows "Σ node choices = groups wanted": each the
 * least that a node choice costs under the given ones, so that nothing is left of the node choices but what choosing
 * the option pays. Options that a table has no other of need none: their node choices are a group of the program.
 */
export function withNodeDuals({ program, structure }: DirectProgram, place: Multipliers): Map<number, Rational> {
  const multipliers = new Map(place);
  const costs = new Map<number, Rational>();
  for (const { options } of structure.tables) {
    for (const { nodeChoices } of options) for (const column of nodeChoices) costs.set(column, Rational.zero);
  }
  if (costs.size === 0) return multipliers;
  for (const [r, dual] of place) {
    const form = program.rows[r]?.form;
    form?.columns.forEach((column, k) => {
      const cost = costs.get(column);
      if (cost !== undefined) costs.set(column, cost.subtract(dual.multiply(coefficientAt(form, k))));
    });
  }
  structure.tables.forEach(({ chosen, options }) => {
    options.forEach(({ nodeRows }, k) => {
      if (chosen[k] === null) return;
      for (const row of nodeRows) {
        const own = (program.rows[row]?.form.columns ?? []).flatMap((column) => costs.get(column) ?? []);
        multipliers.set(
          row,
          own.reduce((least, cost) => (cost.compare(least) < 0 ? cost : least), own[0] as Rational),
        );
      }
    });
  });
  return multipliers;
}

/** Multipliers by row name, zeros left out: as a certificate writes them. */
export function namedMultipliers(
  { program }: Pick<DirectProgram, "program">,
  multipliers: Multipliers,
): Record<string, string> {
  return Object.fromEntries(
    [...multipliers]
      .filter(([, value]) => value.sign() !== 0)
      .map(([row, value]) => [program.rows[row]?.name as string, value.toString()]),
  );
}
