import { breakPoints } from "../../access/break-points.js";
import { knownClasses } from "../../access/known-classes.js";
import type { TablePlacementInstance } from "../../problems/table-placement/instance/instance.js";
import type { LeftOut, TableCosts } from "./instance-costs.js";

/** Break-points of access curves that are no split points and no sizes of caches, because the curve bends at more than are allowed. */
export function leftOutPoints(
  { tables, hotRows, caches }: Pick<TablePlacementInstance, "tables" | "hotRows" | "caches">,
  costs: readonly TableCosts[],
): readonly LeftOut[] {
  const sizes = caches !== undefined && "maxPoints" in caches ? caches.maxPoints : Number.POSITIVE_INFINITY;
  const uses = [
    { most: hotRows?.maxPoints ?? Number.POSITIVE_INFINITY, key: "splits.hotRows.maxPoints", what: "splits" },
    { most: sizes, key: "caches.maxPoints", what: "sizes of caches" },
  ].filter(({ most }) => most < Number.POSITIVE_INFINITY);
  if (uses.length === 0) return [];
  const bends = tables.map(({ access }, t) => {
    const rows = costs[t]?.features?.rows;
    if (access === undefined || rows === undefined) return 0;
    return breakPoints(knownClasses(access, rows), Number.POSITIVE_INFINITY).length;
  });
  return uses.flatMap(({ most, key, what }): LeftOut[] => {
    const over = tables.flatMap(({ name }, t) =>
      (bends[t] as number) > most ? [{ name, bends: bends[t] as number }] : [],
    );
    if (over.length === 0) return [];
    const options = over.reduce((sum, one) => sum + one.bends - most, 0);
    const reason = `${what} at bends of the access curve beyond the ${most} that ${key} allows`;
    return [{ options, tables: over.map(({ name }) => name), reason }];
  });
}
