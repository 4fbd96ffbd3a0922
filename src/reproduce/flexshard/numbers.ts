import {
  either,
  judged,
  type PublishedNumber,
  printedTo,
  type Rule,
  said,
  unchecked,
  within,
} from "../published-number.js";
import { PUBLISHED_TEXT } from "./published.js";
import type { FlexShardReproduction, ModelReproduction, ShardingReproduction } from "./reproduction.js";

type Unplaced = Omit<PublishedNumber, "where">;

const COMPUTED = within(0.01, "computed by the paper's own formulas");
const ROUGH = within(0.05, "the paper rounds it, or says about");
const FASTER = within(0.1, "measured times, beside ones fitted to them all");
const MEASURED = either(FASTER, printedTo(1, "or to the millisecond"));
const ATOP: Rule = { says: "at least as much", holds: (ours, published) => ours >= published };
const NEUTRAL: Rule = { says: "within 1 MiB: the paper says about 0", holds: (ours) => Math.abs(ours) < 2 ** 20 };
const INPUT = "an input of the instance";
const FITTED_SHARE = "the instance's access curve was drawn through the paper's shares";
const FITTED_LENGTH = "the instance's mean length was fitted to the two-tier plan's rows";
const WHOLE_ITERATION = "measured end to end; the model knows communication alone";
const ALLOCATED = "measured on the GPUs; the model is neutral by the paper's own factor κ = 6";

/** The share above the optimum up to which a plan is as good as it: 0.0 % as it is printed. */
const OPTIMAL = 0.0005;

/** Every number of FlexShard's tables 4 to 6 and of its text, and what it says of its plans, beside ours. */
export function flexShardNumbers({ models }: FlexShardReproduction): readonly PublishedNumber[] {
  const each = (where: string, of: (model: ModelReproduction) => readonly Unplaced[]): readonly PublishedNumber[] =>
    models.flatMap((model) =>
      of(model).map(({ what, ...rest }) => ({ where, what: `${model.model}, ${what}`, ...rest })),
    );
  return [
    ...each("table 4", specification),
    ...each("table 5", ({ shardings }) => shardings.flatMap(tiers)),
    ...each("table 6", ({ shardings }) => shardings.flatMap(elements)),
    ...each("table 6", ({ shardings }) => shardings.flatMap(times)),
    ...ofText(models),
    ...each("section 4", optimality),
  ];
}

function number(
  what: string,
  unit: Unplaced["unit"],
  equation: string | null,
  verdict: ReturnType<typeof judged>,
): Unplaced {
  return { what, kind: "number", unit, ...verdict, equation, proved: false };
}

function specification({ specification: { meanLength, rows, gigabytes, activationGigabytes } }: ModelReproduction) {
  const rough = ({ ours, published }: typeof meanLength) => judged(ours, published, ROUGH);
  return [
    number("mean sequence length", "", "L = (κ − 1/U)·rows / (B·share), table 5", rough(meanLength)),
    number("rows", "rows", null, unchecked(rows.published, INPUT, rows.ours)),
    number("size of the embeddings", "GB", "E·D·s, table 2", rough(gigabytes)),
    number("size of the activations", "GB", "B·L·D·s, table 2", rough(activationGigabytes)),
  ];
}

function tiers({ sharding, tiers: all, extraBytesPerGpu }: ShardingReproduction): Unplaced[] {
  if (sharding === "RW") return [];
  const isFitted = sharding === "2-tier";
  const placed = all.flatMap(({ tier, rows, share }) => [
    ...(rows.published === null
      ? []
      : [
          number(
            `${sharding}, ${tier}: rows`,
            "rows",
            isFitted ? "section 4.3, table 2" : "section 4.5, table 2",
            isFitted
              ? unchecked(rows.published, FITTED_LENGTH, rows.ours)
              : judged(rows.ours, rows.published, COMPUTED),
          ),
        ]),
    ...(share.published === null
      ? []
      : [
          number(
            `${sharding}, ${tier}: share of accesses`,
            "share",
            "Σ p / L, equation 2",
            unchecked(share.published, FITTED_SHARE, share.ours),
          ),
        ]),
  ]);
  const memory = judged(extraBytesPerGpu, 0, NEUTRAL);
  return [...placed, number(`${sharding}: additional memory`, "bytes", "table 2, κ = 6", memory)];
}

function elements({ sharding, allToAllGlobalElements, reduction }: ShardingReproduction): Unplaced[] {
  const { ours, published } = allToAllGlobalElements;
  const sent = published === null ? [] : [judged(ours, published, COMPUTED)];
  const less = reduction.observed === null ? [] : [judged(reduction.ours, reduction.observed, COMPUTED)];
  return [
    ...sent.map((verdict) => number(`${sharding}: global all-to-all`, "elements", "B·L·D, table 3", verdict)),
    ...less.map((verdict) => number(`${sharding}: reduction of it`, "share", "1 − B·L·D / RW's, table 3", verdict)),
  ];
}

function times({ sharding, milliseconds }: ShardingReproduction): Unplaced[] {
  return milliseconds.map(({ collective, predicted, published }) =>
    number(
      `${sharding}: ${collective}`,
      "ms",
      "latency + bytes / bandwidth, bytes by table 3",
      judged(predicted, published, MEASURED),
    ),
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
  return [
    {
      where: "abstract",
      ...number("most reduction of the global all-to-all", "share", "1 − B·L·D / RW's, table 3", {
        ...judged(Math.max(...most), reduction, ATOP),
      }),
    },
    {
      where: "abstract",
      ...number(
        "RM-2, 3-tier: communication, times faster",
        "times",
        "figure 7: allToAllGlobal + allReduceGlobal, RW's over it",
        judged(ours, faster, FASTER),
      ),
    },
    ...two.map((sharding) => ({
      where: "section 6.2",
      ...number(`RM-1, ${sharding}: more throughput`, "share", null, unchecked(throughput[sharding], WHOLE_ITERATION)),
    })),
    ...two.map((sharding) => ({
      where: "section 6.3",
      ...number(`RM-1, ${sharding}: memory below RW's`, "GiB", "table 2, κ = 6", below(sharding)),
    })),
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
function optimality({ optima }: ModelReproduction): Unplaced[] {
  return optima.flatMap(({ objective, status, plans }) => {
    const plan = plans.find(({ sharding }) => sharding === "3-tier");
    if (plan === undefined) return [];
    const verdict = said(
      status === "proved" ? plan.aboveOptimum < OPTIMAL : null,
      "less than 0.05 % above the optimum that was proved",
    );
    return [
      {
        what: `the 3-tier plan is optimal (${objective})`,
        kind: "statement" as const,
        unit: "share" as const,
        ...verdict,
        published: 0,
        ours: plan.aboveOptimum,
        equation: "tables 2 and 3",
        proved: status === "proved",
      },
    ];
  });
}
