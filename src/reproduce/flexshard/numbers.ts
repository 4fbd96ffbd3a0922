import {
  either,
  judged,
  numberIn,
  type PublishedNumber,
  printedTo,
  type Rule,
  said,
  statementIn,
  unchecked,
  within,
} from "../published-number.js";
import { PUBLISHED_TEXT } from "./published.js";
import type { Beside, FlexShardReproduction, ModelReproduction, ShardingReproduction } from "./reproduction.js";

const COMPUTED = within(0.01, "computed by the paper's own formulas");
const ROUGH = within(0.05, "the paper rounds it, or says about");
const FASTER = within(0.1, "measured times, beside ones fitted to them all");
const MEASURED = either(FASTER, printedTo(1, "or to the millisecond"));
const ATOP: Rule = { says: "at least as much", holds: (ours, published) => ours >= published };
const NEUTRAL: Rule = { says: "within 1 MiB: the paper says about 0", holds: (ours) => Math.abs(ours) < 2 ** 20 };
const LESS = "1 − B·L·D / RW's, table 3";
const INPUT = "an input of the instance";
const FITTED_SHARE = "the instance's access curve was drawn through the paper's shares";
const FITTED_LENGTH = "the instance's mean length was fitted to the two-tier plan's rows";
const WHOLE_ITERATION = "measured end to end; the model knows communication alone";
const ALLOCATED = "measured on the GPUs; the model is neutral by the paper's own factor κ = 6";

/** The share above the optimum up to which a plan is as good as it: 0.0 % as it is printed. */
const OPTIMAL = 0.0005;

/** Every number of FlexShard's tables 4 to 6 and of its text, and what it says of its plans, beside ours. */
export function flexShardNumbers({ models }: FlexShardReproduction): readonly PublishedNumber[] {
  const each = (of: (model: ModelReproduction) => readonly PublishedNumber[]): readonly PublishedNumber[] =>
    models.flatMap((model) => of(model).map((number) => ({ ...number, what: `${model.model}, ${number.what}` })));
  return [
    ...each(specification),
    ...each(({ shardings }) => shardings.flatMap(tiers)),
    ...each(({ shardings }) => shardings.flatMap(elements)),
    ...each(({ shardings }) => shardings.flatMap(times)),
    ...ofText(models),
    ...each(optimality),
  ];
}

function specification({ specification: { meanLength, rows, gigabytes, activationGigabytes } }: ModelReproduction) {
  const rough = ({ ours, published }: typeof meanLength) => judged(ours, published, ROUGH);
  const length = "L = (κ − 1/U)·rows / (B·share), table 5";
  return [
    numberIn("table 4", "mean sequence length", "", length, rough(meanLength)),
    numberIn("table 4", "rows", "rows", null, unchecked(rows.published, INPUT, rows.ours)),
    numberIn("table 4", "size of the embeddings", "GB", "E·D·s, table 2", rough(gigabytes)),
    numberIn("table 4", "size of the activations", "GB", "B·L·D·s, table 2", rough(activationGigabytes)),
  ];
}

function tiers({ sharding, tiers: all, extraBytesPerGpu }: ShardingReproduction): PublishedNumber[] {
  if (sharding === "RW") return [];
  const isFitted = sharding === "2-tier";
  const equation = isFitted ? "section 4.3, table 2" : "section 4.5, table 2";
  const memory = judged(extraBytesPerGpu, 0, NEUTRAL);
  return [
    ...all.flatMap(({ tier, rows, share }) => [
      ...printed(rows, (ours, published) => {
        const verdict = isFitted ? unchecked(published, FITTED_LENGTH, ours) : judged(ours, published, COMPUTED);
        return numberIn("table 5", `${sharding}, ${tier}: rows`, "rows", equation, verdict);
      }),
      ...printed(share, (ours, published) => {
        const verdict = unchecked(published, FITTED_SHARE, ours);
        return numberIn("table 5", `${sharding}, ${tier}: share of accesses`, "share", "Σ p / L, equation 2", verdict);
      }),
    ]),
    numberIn("table 5", `${sharding}: additional memory`, "bytes", "table 2, κ = 6", memory),
  ];
}

function elements({ sharding, allToAllGlobalElements, reduction }: ShardingReproduction): PublishedNumber[] {
  const { ours: less, observed } = reduction;
  return [
    ...printed(allToAllGlobalElements, (ours, published) => {
      const verdict = judged(ours, published, COMPUTED);
      return numberIn("table 6", `${sharding}: global all-to-all`, "elements", "B·L·D, table 3", verdict);
    }),
    ...printed({ ours: less, published: observed }, (ours, published) => {
      const verdict = judged(ours, published, COMPUTED);
      return numberIn("table 6", `${sharding}: reduction of it`, "share", LESS, verdict);
    }),
  ];
}

/** What the paper prints, beside ours; nothing where it does not. */
function printed(
  { ours, published }: Beside,
  number: (ours: number, published: number) => PublishedNumber,
): readonly PublishedNumber[] {
  return published === null ? [] : [number(ours, published)];
}

function times({ sharding, milliseconds }: ShardingReproduction): PublishedNumber[] {
  const equation = "latency + bytes / bandwidth, bytes by table 3";
  return milliseconds.map(({ collective, predicted, published }) =>
    numberIn("table 6", `${sharding}: ${collective}`, "ms", equation, judged(predicted, published, MEASURED)),
  );
}

function ofText(models: readonly ModelReproduction[]): readonly PublishedNumber[] {
  const { throughput, memoryBelowRowWise, reduction, faster } = PUBLISHED_TEXT;
  const of = (model: string, sharding: string) =>
    models.find((each) => each.model === model)?.shardings.find((each) => each.sharding === sharding);
  const most = models.flatMap(({ shardings }) => shardings.map(({ reduction: { ours } }) => ours));
  const [before, after] = [of("RM-2", "RW"), of("RM-2", "3-tier")].map((each) => each && exposedMilliseconds(each));
  const ours = before === undefined || after === undefined ? null : before.ours / after.ours;
  const two = ["2-tier", "3-tier"] as const;
  const below = (sharding: (typeof two)[number]) => {
    const extra = of("RM-1", sharding)?.extraBytesPerGpu;
    return unchecked(memoryBelowRowWise[sharding], ALLOCATED, extra === undefined ? null : -extra / 2 ** 30);
  };
  const reduced = judged(Math.max(...most), reduction, ATOP);
  const exposed = "figure 7: allToAllGlobal + allReduceGlobal, RW's over it";
  return [
    numberIn("abstract", "most reduction of the global all-to-all", "share", LESS, reduced),
    numberIn("abstract", "RM-2, 3-tier: communication, times faster", "times", exposed, judged(ours, faster, FASTER)),
    ...two.map((sharding) => {
      const verdict = unchecked(throughput[sharding], WHOLE_ITERATION);
      return numberIn("section 6.2", `RM-1, ${sharding}: more throughput`, "share", null, verdict);
    }),
    ...two.map((sharding) =>
      numberIn("section 6.3", `RM-1, ${sharding}: memory below RW's`, "GiB", "table 2, κ = 6", below(sharding)),
    ),
  ];
}

/** What nothing hides, as the paper counts it: ours by the fitted times, and the paper's measured. */
export function exposedMilliseconds({ milliseconds }: ShardingReproduction): { ours: number; published: number } {
  const exposed = milliseconds.filter(
    ({ collective }) => collective === "allToAllGlobal" || collective === "allReduceGlobal",
  );
  return {
    ours: exposed.reduce((sum, { predicted }) => sum + predicted, 0),
    published: exposed.reduce((sum, { published }) => sum + published, 0),
  };
}

/** "FlexShard optimally shards": its plans beside the proved optimum under each reading of the time. */
function optimality({ optima }: ModelReproduction): PublishedNumber[] {
  return optima.flatMap(({ objective, status, plans }): PublishedNumber[] => {
    const plan = plans.find(({ sharding }) => sharding === "3-tier");
    if (plan === undefined) return [];
    const isProved = status === "proved";
    const holds = isProved ? plan.aboveOptimum < OPTIMAL : null;
    const verdict = said(holds, "less than 0.05 % above the optimum that was proved");
    const beside = { ...verdict, published: 0, ours: plan.aboveOptimum };
    const statement = statementIn("section 4", `the 3-tier plan is optimal (${objective})`, "tables 2 and 3", beside);
    return [{ ...statement, unit: "share", proved: isProved }];
  });
}
