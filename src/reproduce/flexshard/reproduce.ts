import { join } from "node:path";
import { buildRowTiers } from "../../../models/row-tiers/build.js";
import type { RowClasses } from "../../access/row-classes.js";
import { tableClasses } from "../../access/table-classes.js";
import { atBytes, PASSES, tierCosts } from "../../cost/flexshard.js";
import { Rational } from "../../exact/rational.js";
import { instancesFolder } from "../../input/instances-folder.js";
import type { Collective } from "../../instance/cluster.js";
import { loadWith } from "../../instance/load.js";
import type { Assignment } from "../../instance/types/assignment.js";
import { ROW_TIERS_OBJECTIVES, type RowTiersInstance, TIERS } from "../../instance/types/row-tiers.js";
import { rowTiersReader } from "../../problems/row-tiers/instance/reader.js";
import { rowTiersHeuristics } from "../../problems/row-tiers/methods/index.js";
import {
  evaluateRuns,
  type RunsEvaluation,
  type TierEvaluation,
} from "../../problems/row-tiers/plan-file/evaluate-runs.js";
import { solveRowTiers } from "../../problems/row-tiers/solve/solve.js";
import { evaluateLadder } from "../../program/ladder/evaluate.js";
import { calibrate, predictSeconds } from "./calibration.js";
import { figure3 } from "./figure3.js";
import { figure5 } from "./figure5.js";
import { PUBLISHED_MODELS, PUBLISHED_SHARDINGS, type PublishedModel } from "./published.js";
import type {
  CollectiveFit,
  FlexShardReproduction,
  GreedyGap,
  ModelReproduction,
  OptimumReproduction,
  ShardingReproduction,
} from "./reproduction.js";

export interface ReproduceFlexShardOptions {
  /** Whether to prove the optima (seconds to a minute each) beside the tables (under a second in all); default true. */
  readonly optima?: boolean;
  /** Relative gap to prove for each optimum; default 10⁻⁹. */
  readonly gap?: Rational;
  /** For each optimum, of which there are twelve; default 60. */
  readonly timeLimitSeconds?: number;
  /** What is left for all together, asked before each; no limit where absent. */
  readonly secondsLeft?: () => number;
  /** Where the package's folder instances is; found beside the program when not given. */
  readonly instances?: string;
  /** Told before a model's optima are solved. */
  readonly onModel?: (model: string) => void;
  /** Asked during the search for an optimum: `true` ends it with the best proved so far. */
  readonly shouldStop?: () => boolean;
}

/**
 * FlexShard's tables 5 and 6 beside what this program computes for the same models: rows and shares of both greedy
 * plans, elements of the global all-to-all, milliseconds from bandwidths fitted to table 6, and how far the greedy plans
 * are from the proved optimum under each objective (with the bandwidths of the instances).
 *
 * The access curves are those of the instances `paper/flexshard-rm1` to `-rm4`, which the paper gives only in part: they
 * pass through its published points. Throws `InputError` when an instance cannot be read.
 */
export async function reproduceFlexshard(options: ReproduceFlexShardOptions = {}): Promise<FlexShardReproduction> {
  const folder = options.instances ?? instancesFolder();
  const loaded = await Promise.all(
    PUBLISHED_MODELS.map(async (published) => {
      const instance = await loadWith([rowTiersReader], join(folder, published.instance));
      const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
      return { published, instance, access };
    }),
  );
  const fits = calibrate(loaded.map(({ instance }) => instance));
  const models: ModelReproduction[] = [];
  for (const { published, instance, access } of loaded) {
    models.push(await reproduceModel(published, instance, access, fits, options));
  }
  const errors = models.flatMap(({ shardings }) =>
    shardings.flatMap(({ milliseconds }) => milliseconds.map(({ relativeError }) => Math.abs(relativeError))),
  );
  return { figure3: figure3(), models, fits, medianRelativeError: median(errors) };
}

async function reproduceModel(
  published: PublishedModel,
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  fits: readonly CollectiveFit[],
  options: ReproduceFlexShardOptions,
): Promise<ModelReproduction> {
  const plans = published.rows.map(({ sharding }): GreedyPlan => {
    const method = PUBLISHED_SHARDINGS[sharding];
    const result = rowTiersHeuristics[method](instance, access);
    if (result.kind !== "plan") throw new RangeError(`${instance.name}: ${method} ${result.reason}`);
    return { sharding, method, assignment: result.assignment };
  });
  const shardings = compareShardings(published, instance, access, plans, fits);
  const { model } = published;
  const reproduced = {
    model,
    instance: { name: instance.name, sha256: instance.sha256 },
    specification: specificationOf(published, instance, access),
    figure5: figure5(instance, access),
    shardings,
  };
  if (options.optima === false) return { ...reproduced, optima: [] };
  options.onModel?.(model);
  const { gap = Rational.parse("1e-9"), timeLimitSeconds = 60, shouldStop } = options;
  const seconds = () => Math.max(0, Math.min(timeLimitSeconds, options.secondsLeft?.() ?? timeLimitSeconds));
  const solve = { gap, seconds, ...(shouldStop === undefined ? {} : { shouldStop }) };
  return { ...reproduced, optima: await optima(instance, access, plans, solve) };
}

/** Table 4 beside the instance that stands for the model. */
function specificationOf(
  { specification }: PublishedModel,
  { tables, training }: RowTiersInstance,
  access: readonly RowClasses[],
): ModelReproduction["specification"] {
  const [{ dim, elementBytes, rows }] = tables as readonly [RowTiersInstance["tables"][number]];
  const [classes] = access as readonly [RowClasses];
  const meanLength = classes.rows.reduce((sum, count, k) => sum + count * (classes.appearances[k] as number), 0);
  const ours = {
    meanLength,
    rows,
    gigabytes: (rows * dim * elementBytes) / 1e9,
    activationGigabytes: (training.batchPerGpu * meanLength * dim * elementBytes) / 1e9,
  };
  const beside = Object.entries(ours).map(([name, own]) => {
    return [name, { ours: own, published: specification[name as keyof typeof ours] }];
  });
  return Object.fromEntries(beside) as ModelReproduction["specification"];
}

function compareShardings(
  published: PublishedModel,
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  plans: readonly GreedyPlan[],
  fits: readonly CollectiveFit[],
): readonly ShardingReproduction[] {
  const evaluated = plans.map(({ assignment }) => {
    const evaluation = evaluateRuns(instance, access, assignment);
    return { memoryBytes: evaluation.memoryBytes, totals: tierTotals(instance, evaluation) };
  });
  const rowWise = evaluated[plans.findIndex(({ sharding }) => sharding === "RW")] as (typeof evaluated)[number];
  const { elementBytes } = instance.tables[0] as RowTiersInstance["tables"][number];
  const elements = ({ totals }: typeof rowWise) =>
    collectiveBytes(instance, totals, "allToAllGlobal").divide(
      Rational.of(BigInt(PASSES.allToAllGlobal) * BigInt(elementBytes)),
    );
  return published.rows.map((row, k) => {
    const { sharding, method } = plans[k] as GreedyPlan;
    const plan = evaluated[k] as typeof rowWise;
    const ours = elements(plan);
    const milliseconds = Object.entries(row.milliseconds) as [Collective, number][];
    return {
      sharding,
      method,
      tiers: sharesOf(plan.totals)
        .filter(({ tier, rows }) => rows > 0 || row.tiers?.[tier] !== undefined)
        .map(({ tier, rows, share }) => ({
          tier,
          rows: { ours: rows, published: row.tiers?.[tier]?.rows ?? null },
          share: { ours: share, published: row.tiers?.[tier]?.share ?? null },
        })),
      extraBytesPerGpu: plan.memoryBytes.subtract(rowWise.memoryBytes).toNumber(),
      allToAllGlobalElements: { ours: ours.toNumber(), published: row.allToAllGlobalElements },
      reduction: {
        ours: Rational.one.subtract(ours.divide(elements(rowWise))).toNumber(),
        predicted: row.tiers === null ? null : 1 - (row.tiers.row_wise?.share ?? 0),
        observed: row.reduction,
      },
      milliseconds: milliseconds.map(([collective, measured]) => {
        const fit = fits.find((candidate) => candidate.collective === collective) as CollectiveFit;
        const bytes = collectiveBytes(instance, plan.totals, collective).toNumber();
        const predicted = predictSeconds(fit, bytes) * 1000;
        return { collective, predicted, published: measured, relativeError: predicted / measured - 1 };
      }),
    };
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] as number;
  return Number.isInteger(middle) ? ((sorted[middle - 1] as number) + upper) / 2 : upper;
}

interface OptimaOptions {
  readonly gap: Rational;
  /** What the next optimum may take, asked before each. */
  readonly seconds: () => number;
  readonly shouldStop?: () => boolean;
}

/** One of the paper's plans for the instance. */
interface GreedyPlan extends Pick<GreedyGap, "sharding" | "method"> {
  readonly assignment: Assignment;
}

/** The optimum of an instance under each of the three objectives, and how far above it the paper's plans are. */
async function optima(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  plans: readonly GreedyPlan[],
  { seconds: secondsOf, ...options }: OptimaOptions,
): Promise<readonly OptimumReproduction[]> {
  const found: OptimumReproduction[] = [];
  for (const objective of ROW_TIERS_OBJECTIVES) {
    const model = buildRowTiers({ ...instance, objective }, access);
    const starts = plans.map(({ assignment }) => assignment);
    const { verdict, assignment } = await solveRowTiers(model, { ...options, starts, timeLimitSeconds: secondsOf() });
    const { value, bound, gap, status } = verdict;
    // The all-row_wise plan is within the budget, so there always is a plan.
    if (status === "infeasible" || value === null || bound === null || gap === null || assignment === null) {
      throw new RangeError(`${instance.name}: no plan within the budget`);
    }
    const seconds = value.toNumber();
    found.push({
      objective,
      status,
      seconds,
      boundSeconds: bound.toNumberDown(),
      provedGap: gap.toNumberUp(),
      tiers: sharesOf(tierTotals(instance, evaluateRuns(instance, access, assignment))),
      plans: plans.map(({ sharding, method, assignment: greedy }) => {
        const greedySeconds = evaluateLadder(model.ladder, model.pointOf(greedy)).objective;
        const aboveOptimum = greedySeconds.subtract(value).divide(value).toNumber();
        return { sharding, method, seconds: greedySeconds.toNumber(), aboveOptimum };
      }),
    });
  }
  return found;
}

/** Rows and share of accesses of every tier. */
function sharesOf(totals: readonly TierTotals[]): OptimumReproduction["tiers"] {
  const all = totals.map(({ readBytes }) => readBytes).reduce((sum, readBytes) => sum.add(readBytes));
  return totals.map(({ tier, rows, readBytes }) => ({ tier, rows, share: readBytes.divide(all).toNumber() }));
}

/** What a plan puts into one tier, over all tables. */
type TierTotals = Pick<TierEvaluation, "tier" | "rows" | "parameterBytes" | "readBytes">;

/** Of every tier that the instance allows; tiers without rows have zeros. */
function tierTotals({ tiers }: RowTiersInstance, { tables }: RunsEvaluation): readonly TierTotals[] {
  return tiers
    .map((tier) =>
      tables.flatMap((ofTable): TierTotals[] => ofTable.filter((one) => one.tier === tier)).reduce(together),
    )
    .sort((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier));
}

function together(a: TierTotals, b: TierTotals): TierTotals {
  return {
    tier: a.tier,
    rows: a.rows + b.rows,
    parameterBytes: a.parameterBytes.add(b.parameterBytes),
    readBytes: a.readBytes.add(b.readBytes),
  };
}

/** Bytes that one GPU sends by a collective in all passes of an iteration. */
function collectiveBytes(instance: RowTiersInstance, totals: readonly TierTotals[], collective: Collective): Rational {
  return totals.reduce((sum, { tier, parameterBytes, readBytes }) => {
    const moved = tierCosts(instance, [tier])[0]?.collectives.find((cost) => cost.collective === collective);
    return moved === undefined ? sum : sum.add(atBytes(moved.bytes, parameterBytes, readBytes));
  }, Rational.zero);
}
