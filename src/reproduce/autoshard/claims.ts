import type { Ablation, AutoShardReproduction, Claim, MethodMeasure, MethodName, SetErrors } from "./reproduction.js";

/** The rules that the paper compares with (section 5.1). */
const RULES: readonly MethodName[] = ["size-greedy", "dim-greedy", "lookup-greedy"];

type Parts = Pick<AutoShardReproduction, "figure8" | "figure10" | "figure11" | "table2" | "table3">;

/** What the paper's text says of its tables and figures, held against this program's. */
export function claims({ figure8, figure10, figure11, table2, table3 }: Parts): readonly Claim[] {
  return [
    ...held("figure 8", figure8, {
      "every method is faster than random sharding": (all) =>
        all.every(({ method, speedup }) => method === "random" || speedup === null || speedup.mean > 1),
      "lookup-greedy is the best of size-greedy, dim-greedy and lookup-greedy": (all) =>
        RULES.every((rule) => speedupOf(all, rule) <= speedupOf(all, "lookup-greedy")),
      "AutoShard is above those three in balance and speed-up": (all) =>
        RULES.every((rule) => speedupOf(all, "autoshard-rl") > speedupOf(all, rule)) &&
        RULES.every((rule) => balanceOf(all, "autoshard-rl") > balanceOf(all, rule)),
    }),
    ...held("figure 9", figure8, {
      "1,000 random plans do not come near AutoShard": (all) =>
        speedupOf(all, "autoshard-rl") > speedupOf(all, "random-search"),
    }),
    ...held("figure 11", figure11, {
      "more tables: AutoShard's balance falls": (sizes) =>
        rises(sizes.map(({ methods }) => -balanceOf(methods, "autoshard-rl"))),
      "more tables: AutoShard's speed-up rises": (sizes) =>
        rises(sizes.map(({ methods }) => speedupOf(methods, "autoshard-rl"))),
      "AutoShard is faster than the rules at every size": (sizes) =>
        sizes.every(({ methods }) =>
          RULES.every((rule) => speedupOf(methods, "autoshard-rl") > speedupOf(methods, rule)),
        ),
    }),
    ...held("table 3", table3, {
      // The paper's parting: with the other, sets have few unseen tables, and more tables than those that were learned from.
      "errors on unseen tables are larger (as shares of the mean cost, without the second half)": (errors) =>
        errors.some(
          ({ unseenTables, seen, unseen }) => unseenTables === "second half" && shareOf(unseen) > shareOf(seen),
        ),
    }),
    ...held("figure 10", figure10, {
      "with unseen tables alone, plans by predicted costs are less balanced than with none": (shares) => {
        const balances = shares.map(({ methods }) => balanceOf(methods, "predicted-greedy"));
        return (balances.at(-1) as number) < (balances[0] as number);
      },
      "they are faster than those of the rules at every share of unseen tables": (shares) =>
        shares.every(({ methods }) => speedupOf(methods, "predicted-greedy") > speedupOf(methods, "lookup-greedy")),
    }),
    ...held("table 2", table2, {
      "without the pooling factor plans are slowest, even slower than without a cost model": (rows) =>
        rows.every((row) => ablated(row) >= ablated(rowOf(rows, "poolingFactor"))),
      "without a cost model plans are slower than with the whole one": (rows) =>
        ablated(rowOf(rows, "cost model")) < ablated(rowOf(rows, null)),
      "every feature that is left out makes plans slower": (rows) =>
        rows.every((row) => row.without === null || ablated(row) < ablated(rowOf(rows, null))),
    }),
  ];
}

/** Statements of the paper, and how the part that they are about shows them; `null` where the part was left out. */
function held<Part>(
  where: string,
  part: Part | null,
  statements: Readonly<Record<string, (part: Part) => boolean>>,
): Claim[] {
  return Object.entries(statements).map(([says, holds]) => ({
    where,
    says,
    holds: part === null ? null : holds(part),
  }));
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
