import { isRich } from "./hot-rows.js";
import type { PlacementDraft, TableColumns } from "./placement-draft.js";
import type { Placement, PlacementProblem, PlacementTable } from "./problem.js";
import type { IntegerTerms } from "./program-draft.js";

/** Two tables that are the same in all but the name, and the row by which the first has no later an option than the other. */
export interface TwinTables {
  readonly table: number;
  readonly next: number;
  readonly row: number;
}

/**
 * Adds, for tables t and t' of the same options and devices, one after the other,
 *
 *   twin_t   Σ_o k_o·y[t, o] − Σ_o k_o·y[t', o] ≤ 0
 *
 * with k_o = 0, 1, … the place of o among the options of the program: any two such tables may be exchanged in a placement.
 * Only where options are rich: where they are few a tree has little to do twice.
 */
export function addTwinOrder({ draft, tables }: PlacementDraft, problem: PlacementProblem): TwinTables[] {
  if (!isRich(problem)) return [];
  const lastOf = new Map<string, number>();
  return tables.flatMap(({ chosen }, next): TwinTables[] => {
    const key = textOf(problem.tables[next] as PlacementTable);
    const table = lastOf.get(key);
    lastOf.set(key, next);
    if (table === undefined || chosen.length < 2) return [];
    const terms = (t: number, sign: bigint): IntegerTerms =>
      (tables[t] as TableColumns).chosen.flatMap((column, k) =>
        column === null || k === 0 ? [] : [[column, sign * BigInt(k)] as const],
      );
    return [{ table, next, row: draft.addLimit(`twin_${table}`, [...terms(table, 1n), ...terms(next, -1n)]) }];
  });
}

/** What makes tables exchangeable. */
function textOf({ options, devices }: PlacementTable): string {
  return JSON.stringify([options, devices]);
}

/** The placement with twins exchanged so that a point of it keeps their rows; `pointOf` writes a point. */
export function inTwinOrder(
  placement: Placement,
  twins: readonly TwinTables[],
  tables: readonly TableColumns[],
  pointOf: (placement: Placement) => readonly bigint[],
): Placement {
  if (twins.length === 0) return placement;
  const point = pointOf(placement);
  const placeOf = (t: number) =>
    (tables[t] as TableColumns).chosen.findIndex((column) => column !== null && point[column] === 1n);
  const choices = placement.choices.slice();
  for (const members of chainsOf(twins)) {
    const rising = members.toSorted((a, b) => placeOf(a) - placeOf(b));
    for (const [k, t] of members.entries()) {
      choices[t] = placement.choices[rising[k] as number] as Placement["choices"][number];
    }
  }
  return { choices };
}

/** The tables that are the same, in their order. */
function chainsOf(twins: readonly TwinTables[]): number[][] {
  const chains: number[][] = [];
  for (const { table, next } of twins) {
    const known = chains.find((chain) => chain.at(-1) === table);
    if (known === undefined) chains.push([table, next]);
    else known.push(next);
  }
  return chains;
}
