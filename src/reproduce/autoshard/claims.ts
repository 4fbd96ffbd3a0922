import type { MethodMeasure, MethodName } from "./method-measure.js";
import type { Ablation, AutoShardReproduction, Claim, CostErrors, SetErrors } from "./reproduction.js";

/** The rules that the paper compares with (section 5.1). */
const RULES: readonly MethodName[] = ["size-greedy", "dim-greedy", "lookup-greedy"];

type Parts = Pick<AutoShardReproduction, "figure8" | "figure10" | "figure11" | "table2" | "table3">;

/** A statement of the paper, and how the part that it is about shows it. */
interface Statement<T> {
  readonly where: string;
  readonly says: string;
  holds(part: T): boolean;
}

const FIGURE_8: readonly Statement<readonly MethodMeasure[]>[] = [
  {
    where: "figure 8",
    says: "every method is faster than random sharding",
    holds: (all) => all.every(({ method, speedup }) => method === "random" || speedup === null || speedup.mean > 1),
  },
  {
    where: "figure 8",
    says: "lookup-greedy is the best of size-greedy, dim-greedy and lookup-greedy",
    holds: (all) => RULES.every((rule) => speedupOf(all, rule) <= speedupOf(all, "lookup-greedy")),
  },
  {
    where: "figure 8",
    says: "AutoShard is above those three in balance and speed-up",
    holds: (all) =>
      RULES.every((rule) => speedupOf(all, "autoshard-rl") > speedupOf(all, rule)) &&
      RULES.every((rule) => balanceOf(all, "autoshard-rl") > balanceOf(all, rule)),
  },
  {
    where: "figure 9",
    says: "1,000 random plans do not come near AutoShard",
    holds: (all) => speedupOf(all, "autoshard-rl") > speedupOf(all, "random-search"),
  },
];

const FIGURE_11: readonly Statement<NonNullable<Parts["figure11"]>>[] = [
  {
    where: "figure 11",
    says: "more tables: AutoShard's balance falls",
    holds: (sizes) => rises(sizes.map(({ methods }) => -balanceOf(methods, "autoshard-rl"))),
  },
  {
    where: "figure 11",
    says: "more tables: AutoShard's speed-up rises",
    holds: (sizes) => rises(sizes.map(({ methods }) => speedupOf(methods, "autoshard-rl"))),
  },
  {
    where: "figure 11",
    says: "AutoShard is faster than the rules at every size",
    holds: (sizes) =>
      sizes.every(({ methods }) =>
        RULES.every((rule) => speedupOf(methods, "autoshard-rl") > speedupOf(methods, rule)),
      ),
  },
];

const TABLE_3: readonly Statement<readonly CostErrors[]>[] = [
  {
    where: "table 3",
    says: "errors on unseen tables are larger (as shares of the mean cost, without the second half)",
    // The paper's parting: with the other, sets have few unseen tables, and more tables than those that were learned from.
    holds: (errors) =>
      errors.some(
        ({ unseenTables, seen, unseen }) => unseenTables === "second half" && shareOf(unseen) > shareOf(seen),
      ),
  },
];

const FIGURE_10: readonly Statement<NonNullable<Parts["figure10"]>>[] = [
  {
    where: "figure 10",
    says: "with unseen tables alone, plans by predicted costs are less balanced than with none",
    holds: (shares) => {
      const balances = shares.map(({ methods }) => balanceOf(methods, "predicted-greedy"));
      return (balances.at(-1) as number) < (balances[0] as number);
    },
  },
  {
    where: "figure 10",
    says: "they are faster than those of the rules at every share of unseen tables",
    holds: (shares) =>
      shares.every(({ methods }) => speedupOf(methods, "predicted-greedy") > speedupOf(methods, "lookup-greedy")),
  },
];

const TABLE_2: readonly Statement<readonly Ablation[]>[] = [
  {
    where: "table 2",
    says: "without the pooling factor plans are slowest, even slower than without a cost model",
    holds: (rows) => rows.every((row) => ablated(row) >= ablated(rowOf(rows, "poolingFactor"))),
  },
  {
    where: "table 2",
    says: "without a cost model plans are slower than with the whole one",
    holds: (rows) => ablated(rowOf(rows, "cost model")) < ablated(rowOf(rows, null)),
  },
  {
    where: "table 2",
    says: "every feature that is left out makes plans slower",
    holds: (rows) => rows.every((row) => row.without === null || ablated(row) < ablated(rowOf(rows, null))),
  },
];

/** What the paper's text says of its tables and figures, held against this program's. */
export function claims({ figure8, figure10, figure11, table2, table3 }: Parts): readonly Claim[] {
  return [
    ...held(FIGURE_8, figure8),
    ...held(FIGURE_11, figure11),
    ...held(TABLE_3, table3),
    ...held(FIGURE_10, figure10),
    ...held(TABLE_2, table2),
  ];
}

function held<T>(statements: readonly Statement<T>[], part: T | null): Claim[] {
  return statements.map(({ where, says, holds }) => ({ where, says, holds: part === null ? null : holds(part) }));
}

/** `NaN`, which is above and below nothing, where the method placed no task. */
function speedupOf(measures: readonly MethodMeasure[], method: MethodName): number {
  return measures.find((measure) => measure.method === method)?.speedup?.mean ?? Number.NaN;
}

function balanceOf(measures: readonly MethodMeasure[], method: MethodName): number {
  return measures.find((measure) => measure.method === method)?.balance?.mean ?? Number.NaN;
}

function shareOf({ meanAbsoluteError, meanCost }: SetErrors): number {
  return meanAbsoluteError / meanCost;
}

function rowOf(rows: readonly Ablation[], without: Ablation["without"]): Ablation {
  return rows.find((row) => row.without === without) as Ablation;
}

function ablated({ measure }: Ablation): number {
  return measure.speedup?.mean ?? Number.NaN;
}

/** From the first to the last; what is between may waver. */
function rises(values: readonly number[]): boolean {
  return (values.at(-1) as number) > (values[0] as number);
}
