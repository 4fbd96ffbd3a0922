import type { RowClasses } from "../access/row-classes.js";
import { InputError } from "../errors/input-error.js";
import { type RowTiersInstance, TIERS, type Tier } from "../instance/types/row-tiers.js";
import type { WrittenPlan } from "../problems/row-tiers/plan-file/plan-file.js";
import { type Fleet, groupSize, ROUTES, type Route } from "./routes.js";

/** Neighbouring rows, by rank from the hottest, with equal expected appearances in a sample, in one tier. */
export interface Part {
  readonly start: number;
  readonly rows: number;
  readonly appearances: number;
}

/** The rows of one table that a plan has in one tier, with the accesses to them in the current iteration. */
export interface Load {
  /** Index of the table. */
  readonly table: number;
  readonly tableName: string;
  readonly dim: number;
  readonly elementBytes: number;
  readonly tier: Tier;
  readonly route: Route;
  /** GPUs that share one copy of the rows. */
  readonly size: number;
  /** Places of a group that lookups go to: `size`, or 1 where every lookup goes to all of them (columns). */
  readonly places: number;
  readonly rows: number;
  readonly parts: readonly Part[];
  /**
   * Lookups. Where GPUs are followed one by one: entry g·places + s has those of GPU g's samples to rows at place s of
   * its group. Otherwise: to rows on the sample's own GPU, on another of its node, and on other nodes.
   */
  readonly counts: Float64Array;
}

/** A run of a plan, by rank. */
export interface RankedRun {
  /** Rank after the last. */
  readonly end: number;
  readonly tier: Tier;
}

/**
 * One load for every table and tier of the instance. `access` has one entry per table. Throws `InputError` where the
 * plan's tables and runs do not hold the instance's rows.
 */
export function loadsOf(
  plan: WrittenPlan,
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  fleet: Fleet,
  file: string,
): readonly Load[] {
  return instance.tables.flatMap((table, index) => {
    const parts = new Map<Tier, Part[]>(instance.tiers.map((tier) => [tier, []]));
    cut(rankedRuns(plan, instance, index, file), access[index] as RowClasses, parts);
    return [...parts].map(([tier, ofTier]): Load => {
      const route = ROUTES[tier];
      const size = groupSize(route, fleet);
      const places = route.split === "columns" ? 1 : size;
      return {
        table: index,
        tableName: table.name,
        dim: table.dim,
        elementBytes: table.elementBytes,
        tier,
        route,
        size,
        places,
        rows: ofTier.reduce((sum, { rows }) => sum + rows, 0),
        parts: ofTier,
        counts: new Float64Array(fleet.followed ? fleet.gpus * places : 3),
      };
    });
  });
}

/** A table's runs. Throws `InputError` where they do not hold its rows once, in tiers that the instance allows. */
export function rankedRuns(
  plan: WrittenPlan,
  { tables, tiers }: RowTiersInstance,
  table: number,
  file: string,
): readonly RankedRun[] {
  const { name, rows } = tables[table] as (typeof tables)[number];
  const written = plan.tables[table];
  if (written?.name !== name || plan.tables.length !== tables.length) {
    throw new InputError(`expected the instance's ${tables.length} tables in its order, received others`, file);
  }
  let end = 0;
  const runs = written.runs.map(([count, tierName]): RankedRun => {
    const tier = TIERS.find((known) => known === tierName);
    if (tier === undefined || !tiers.includes(tier)) {
      throw new InputError(`expected tiers among ${tiers.join(", ")}, received ${JSON.stringify(tierName)}`, file);
    }
    if (!Number.isSafeInteger(count) || count < 1) throw new InputError(`a run of ${count} rows is none`, file);
    end += count;
    return { end, tier };
  });
  if (end !== rows) throw new InputError(`expected runs over ${rows} rows of table "${name}", received ${end}`, file);
  return runs;
}

/** Cuts the classes where the tier changes. */
function cut(runs: readonly RankedRun[], { rows, appearances }: RowClasses, parts: ReadonlyMap<Tier, Part[]>): void {
  let start = 0;
  let run = 0;
  for (const [index, count] of rows.entries()) {
    const classEnd = start + count;
    while (start < classEnd) {
      const { end, tier } = runs[run] as RankedRun;
      const stop = Math.min(end, classEnd);
      parts.get(tier)?.push({ start, rows: stop - start, appearances: appearances[index] as number });
      start = stop;
      if (stop === end) run++;
    }
  }
}
