import { appearancesBetween, exactAppearances } from "../../../access/exact-appearances.js";
import type { RowClasses } from "../../../access/row-classes.js";
import { atBytes, latencySeconds, objectiveSeconds, type TierCost, tierCosts } from "../../../cost/flexshard.js";
import { Rational } from "../../../exact/rational.js";
import { COLLECTIVES, type Collective } from "../../../instance/cluster.js";
import type { Assignment, Run } from "../../../instance/types/assignment.js";
import type { RowsBefore, RowTiersGoalName, RowTiersInstance, Table, Tier } from "../../../instance/types/row-tiers.js";
import { evaluateMoves, type RowMoves } from "./moves.js";

/** What an assignment costs, every number exact. */
export interface RunsEvaluation {
  /** Per table, one entry per tier of the instance, in its order. */
  readonly tables: readonly (readonly TierEvaluation[])[];
  /** Bytes per GPU. */
  readonly memoryBytes: Rational;
  /** Bytes of host memory per node. */
  readonly hostBytes: Rational;
  /** Seconds per iteration with latency. */
  readonly collectives: Readonly<Record<Collective, Rational>>;
  readonly objective: Rational;
  /** Where the instance has a plan to move from. */
  readonly moves: RowMoves | null;
}

export interface TierEvaluation {
  readonly tier: Tier;
  readonly rows: number;
  /** Share of all accesses to the table; 0 for a table that is never read. */
  readonly accessShare: Rational;
  /** R: bytes of parameters. */
  readonly parameterBytes: Rational;
  /** S: expected bytes that one sample reads. */
  readonly readBytes: Rational;
  readonly memoryBytes: Rational;
  readonly hostBytes: Rational;
  /** Seconds of the tier's collectives for this table alone, without latency. */
  readonly collectives: readonly { readonly collective: Collective; readonly seconds: Rational }[];
}

/**
 * Evaluates runs by the cost model (src/cost/flexshard.ts), straight from the access classes and not by way of a
 * program: the program's own objective must come to the same number. `access` holds one entry per table, and so does
 * `before`, where rows are moved from a plan.
 *
 * Throws `RangeError` when the runs do not add up to a table's rows or use a tier that the instance does not allow.
 */
export function evaluateRuns(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  assignment: Assignment,
  before: readonly RowsBefore[] | null = null,
): RunsEvaluation {
  if (assignment.length !== instance.tables.length) {
    throw new RangeError(`runs for ${instance.tables.length} tables were expected, ${assignment.length} are there`);
  }
  const costs = tierCosts(instance);
  const tables = instance.tables.map((table, index) =>
    evaluateTable(table, access[index] as RowClasses, assignment[index] as readonly Run[], costs),
  );
  const all = tables.flat();
  const collectives = Object.fromEntries(
    COLLECTIVES.map((collective) => {
      const carried = all
        .flatMap((tier) => tier.collectives)
        .filter((cost) => cost.collective === collective)
        .reduce((sum, { seconds }) => sum.add(seconds), Rational.zero);
      return [collective, carried.sign() > 0 ? carried.add(latencySeconds(instance, collective)) : carried];
    }),
  ) as Record<Collective, Rational>;
  return {
    tables,
    memoryBytes: all.reduce((sum, { memoryBytes }) => sum.add(memoryBytes), Rational.zero),
    hostBytes: all.reduce((sum, { hostBytes }) => sum.add(hostBytes), Rational.zero),
    collectives,
    objective: objectiveSeconds(instance.objective, collectives),
    moves: before === null ? null : evaluateMoves(instance, before, assignment),
  };
}

/** Whether a plan keeps to the budget per GPU and, where the tier `host` is allowed, to the host memory of a node. */
export function isWithinBudgets(
  { tiers, cluster }: RowTiersInstance,
  budgetBytes: Rational,
  { memoryBytes, hostBytes }: Pick<RunsEvaluation, "memoryBytes" | "hostBytes">,
): boolean {
  if (memoryBytes.compare(budgetBytes) > 0) return false;
  if (!tiers.includes("host") || cluster.hostBytesPerNode === undefined) return true;
  return hostBytes.compare(Rational.fromNumber(cluster.hostBytesPerNode)) <= 0;
}

/** Whether a plan keeps to all limits: budgets, and those on what moves, where it was evaluated with what was before. */
export function isWithinLimits(instance: RowTiersInstance, budgetBytes: Rational, evaluation: RunsEvaluation): boolean {
  const { mostMovedRows = null, mostMovedBytes = null } = instance.from ?? {};
  const { moves } = evaluation;
  const isOver = (moved: Rational | undefined, most: number | null) =>
    most !== null && (moved === undefined || moved.compare(Rational.fromNumber(most)) > 0);
  return (
    isWithinBudgets(instance, budgetBytes, evaluation) &&
    !isOver(moves?.rows, mostMovedRows) &&
    !isOver(moves?.bytes, mostMovedBytes)
  );
}

/** What a goal comes to. */
export function goalValue(evaluation: RunsEvaluation, goal: RowTiersGoalName): Rational {
  switch (goal) {
    case "time":
      return evaluation.objective;
    case "memory":
      return evaluation.memoryBytes;
    case "host-memory":
      return evaluation.hostBytes;
    case "moved-rows":
      return evaluation.moves?.rows ?? Rational.zero;
    case "moved-bytes":
      return evaluation.moves?.bytes ?? Rational.zero;
    default:
      return evaluation.collectives[goal];
  }
}

function evaluateTable(
  table: Table,
  access: RowClasses,
  runs: readonly Run[],
  costs: readonly TierCost[],
): readonly TierEvaluation[] {
  const rows = new Map<Tier, number>(costs.map(({ tier }) => [tier, 0]));
  const sums = new Map<Tier, Rational>(costs.map(({ tier }) => [tier, Rational.zero]));
  const exact = exactAppearances(access);
  const all = exact.rowsBefore.at(-1) as number;
  let before = 0;
  for (const run of runs) {
    const sum = sums.get(run.tier);
    if (sum === undefined) {
      throw new RangeError(`table "${table.name}": the tier ${run.tier} is not allowed by the instance`);
    }
    const end = before + run.rows;
    if (end > all) throw new RangeError(`table "${table.name}": the runs hold more than its rows`);
    rows.set(run.tier, (rows.get(run.tier) as number) + run.rows);
    sums.set(run.tier, sum.add(appearancesBetween(exact, before, end)));
    before = end;
  }
  if (before < all) throw new RangeError(`table "${table.name}": the runs hold fewer than its rows`);
  const accesses = [...sums.values()].reduce((sum, value) => sum.add(value), Rational.zero);
  const rowBytes = Rational.of(BigInt(table.dim) * BigInt(table.elementBytes));
  return costs.map(({ tier, memory, hostMemory, collectives }) => {
    const ofTier = sums.get(tier) as Rational;
    const parameterBytes = Rational.of(BigInt(rows.get(tier) as number)).multiply(rowBytes);
    const readBytes = ofTier.multiply(rowBytes);
    return {
      tier,
      rows: rows.get(tier) as number,
      accessShare: accesses.sign() === 0 ? Rational.zero : ofTier.divide(accesses),
      parameterBytes,
      readBytes,
      memoryBytes: atBytes(memory, parameterBytes, readBytes),
      hostBytes: atBytes(hostMemory, parameterBytes, readBytes),
      collectives: collectives.map(({ collective, seconds }) => ({
        collective,
        seconds: atBytes(seconds, parameterBytes, readBytes),
      })),
    };
  });
}
