import { Rational } from "../../src/exact/rational.js";
import type { DirectProgram } from "./direct-program.js";

/** How many shards are wanted of an orbit. */
export type Demand = readonly [orbit: number, shards: number];

/** What an option wants of devices if it is chosen. */
export interface OptionDemand {
  /** Index into the table's options. */
  readonly option: number;
  /** Shards that may be anywhere, or are on every device. */
  readonly direct: readonly Demand[];
  /** Groups of shards that choose a node each: how many alike, and what one wants of the nodes that it may choose. */
  readonly groups: readonly { readonly count: number; readonly ways: readonly (readonly Demand[])[] }[];
}

/** Reads what options that count want off the rows that place their shards; `orbitOf` is by row, of those of items. */
export function optionDemands(
  { program, structure }: DirectProgram,
  orbitOf: ReadonlyMap<number, number>,
  isCounted: (table: number, option: number) => boolean,
): OptionDemand[][] {
  return structure.tables.map(({ chosen, options }, t) =>
    options.flatMap(({ option, shards, nodeRows }, k): OptionDemand[] => {
      if (!isCounted(t, option)) return [];
      const counted = new Set(shards.map(({ column }) => column));
      const direct = new Map<number, number>();
      const ofNode = new Map<number, Map<number, number>>();
      for (const row of new Set(shards.map(({ placeRow }) => placeRow))) {
        const orbit = orbitOf.get(row);
        if (orbit === undefined) continue;
        const { side, wanted } = wantedBy(program, row, counted);
        for (const [column, shardsWanted] of wanted.length === 0 ? [[chosen[k] ?? null, side] as const] : wanted) {
          if (column === null || column === chosen[k]) add(direct, orbit, shardsWanted);
          else {
            const own = ofNode.get(column) ?? new Map<number, number>();
            ofNode.set(column, own);
            add(own, orbit, shardsWanted);
          }
        }
      }
      const groups = nodeRows.map((row) => {
        const form = program.rows[row]?.form;
        const homes = (form?.columns ?? []).filter((column) => ofNode.has(column));
        const { side, wanted } = wantedBy(program, row, new Set(homes));
        const ways = new Map<string, Demand[]>();
        for (const home of homes) {
          const way = [...(ofNode.get(home) as Map<number, number>)].sort(([a], [b]) => a - b);
          ways.set(way.join(), way);
        }
        return { count: wanted[0]?.[1] ?? side, ways: [...ways.values()] };
      });
      return [{ option, direct: [...direct], groups }];
    }),
  );
}

/** A row "Σ counted columns − Σ wanted·choice = side", taken apart. */
function wantedBy(
  program: DirectProgram["program"],
  row: number,
  counted: ReadonlySet<number>,
): { side: number; wanted: (readonly [column: number, wanted: number])[] } {
  const { form, lower } = program.rows[row] as DirectProgram["program"]["rows"][number];
  const wanted = form.columns.flatMap((column, k) =>
    // In doubles, exact: a number of shards.
    counted.has(column) ? [] : [[column, -Number(form.coefficients[k])] as const],
  );
  // In doubles, exact: a number of shards.
  return { side: (lower ?? Rational.zero).toNumber(), wanted };
}

function add(sums: Map<number, number>, orbit: number, shards: number): void {
  sums.set(orbit, (sums.get(orbit) ?? 0) + shards);
}

/** What an option's shards are worth at least at given prices. */
export function optionValue({ direct, groups }: OptionDemand, duals: ArrayLike<number>): number {
  const worth = (demands: readonly Demand[]) =>
    demands.reduce((sum, [orbit, shards]) => sum + shards * (duals[orbit] as number), 0);
  return groups.reduce((sum, { count, ways }) => sum + count * Math.min(...ways.map(worth)), worth(direct));
}

/** What placing everything is worth at least: of each table the option that is worth least. */
export function demandValue(tables: readonly (readonly OptionDemand[])[], duals: ArrayLike<number>): number {
  return tables.reduce((sum, options) => sum + Math.min(...options.map((option) => optionValue(option, duals))), 0);
}
