import { type NumberUnit, numberIn, type PublishedNumber, said, statementIn, unchecked } from "../published-number.js";
import { PUBLISHED, type PublishedPlacement } from "./published.js";
import type { AutoShardReproduction, MethodMeasure } from "./reproduction.js";

const OF_GPUS = "measured on GPUs, where costs here are those of CPUs: only the order can be compared";
const GPU_SECONDS = "seconds of the paper's GPUs";
const PRIVATE = "the tables of MetaProd are not published";
const BALANCE = "smallest over largest device cost, section 5.1";
const SPEEDUP = "largest device cost, random over the method's, section 5.1";

/** How tables without some feature are called, on page and terminal alike. */
export const WITHOUT = {
  "cost model": "cost model (lookup-greedy)",
  dim: "dimension",
  rows: "hash size",
  poolingFactor: "pooling factor",
  size: "size",
  accessBins: "distribution",
} as const;

/** Every number of AutoShard's tables 2 and 3 and of its text, and what it says of them, beside ours. */
export function autoShardNumbers(reproduction: AutoShardReproduction): readonly PublishedNumber[] {
  const { table2, table3, figure10, claims } = reproduction;
  const features = ["cost model", "dim", "rows", "poolingFactor", "size", "accessBins", null] as const;
  return [
    ...features.flatMap((without) => {
      const measure = table2?.find((row) => row.without === without)?.measure ?? null;
      const what = without === null ? "all features" : `without ${WITHOUT[without]}`;
      return placement("table 2", what, publishedOf(without), measure);
    }),
    ...(["seen", "unseen"] as const).flatMap((tables) => {
      const own = table3?.find(({ unseenTables }) => unseenTables === "second half")?.[tables] ?? null;
      const published = PUBLISHED.table3[tables];
      const error = (kind: string, unit: NumberUnit, key: keyof typeof published) =>
        numberIn("table 3", `${tables} tables, mean ${kind} error`, unit, "section 4.2", {
          ...unchecked(published[key], OF_GPUS, own?.[key]),
        });
      return [error("absolute", "ms", "meanAbsoluteError"), error("squared", "ms²", "meanSquaredError")];
    }),
    ...[0.8, 1].flatMap((share) => {
      const of = figure10?.find(({ unseenShare }) => unseenShare === share);
      const measure = of?.methods.find(({ method }) => method === "predicted-greedy") ?? null;
      const published = share === 1 ? PUBLISHED.figure10.all : PUBLISHED.figure10.some;
      return placement("figure 10", `${100 * share} % unseen tables`, published, measure);
    }),
    numberIn("figure 9", "1,000 random plans, MetaSyn", "s", null, unchecked(PUBLISHED.figure9.synthetic, GPU_SECONDS)),
    numberIn("figure 9", "1,000 random plans, MetaProd", "s", null, unchecked(PUBLISHED.figure9.production, PRIVATE)),
    numberIn("section 5.6", "training to a balance of 80 %", "s", null, unchecked(PUBLISHED.training, GPU_SECONDS)),
    ...claims.map(({ where, says, holds }) => statementIn(where, says, null, said(holds, "the order of our numbers"))),
  ];
}

function publishedOf(without: keyof typeof WITHOUT | null): PublishedPlacement {
  const { full, withoutCostModel, without: features } = PUBLISHED.table2;
  return without === null ? full : without === "cost model" ? withoutCostModel : features[without];
}

function placement(
  where: string,
  what: string,
  { balance, speedup }: PublishedPlacement,
  measure: MethodMeasure | null,
): readonly PublishedNumber[] {
  return [
    numberIn(where, `${what}: balance`, "share", BALANCE, unchecked(balance, OF_GPUS, measure?.balance?.mean)),
    numberIn(where, `${what}: speed-up`, "times", SPEEDUP, unchecked(speedup, OF_GPUS, measure?.speedup?.mean)),
  ];
}
