import { z } from "zod";
import { COLLECTIVES, type Collective } from "../../../instance/cluster.js";
import {
  type goalUnit,
  ROW_TIERS_GOALS,
  ROW_TIERS_OBJECTIVES,
  type RowTiersGoalName,
  type RowTiersObjective,
  TIERS,
} from "../../../instance/types/row-tiers.js";
import type { PlanEnvelope } from "../../../plan-file/envelope.js";
import {
  covered,
  exactNumber,
  type Fields,
  listOf,
  type Named,
  number,
  type TypeOf,
  text,
  textOf,
  word,
} from "../../../plan-file/fields.js";
import { ROW_TIERS_PUBLISHED } from "../../../plan-file/method-names.js";
import { certificateShape, envelopeShape, exactShape, methodShape, valueShape } from "../../../plan-file/plan-shape.js";
import type { Verdict } from "../../../proof/verdict.js";

const tier = word(...TIERS);
const runs = listOf(z.tuple([number, tier]), "[rows, tier] from the hottest row to the coldest");
const exactOrNone = exactNumber.nullable();
const perCollective = z.strictObject(
  Object.fromEntries(COLLECTIVES.map((collective) => [collective, number])) as Record<Collective, z.ZodNumber>,
);

const tierFields = {
  tier,
  rows: number,
  /** Share of all accesses to the table. */
  accessShare: number.describe("share of all accesses to the table"),
  parameterBytes: number,
  /** Expected bytes that one sample reads. */
  readBytesPerSample: number.describe("expected bytes that one sample reads"),
  memoryBytesPerGpu: number,
  /** Only in the tier `host`. */
  hostBytesPerNode: number.optional(),
  /** Seconds per iteration of the tier's collectives for this table alone, without latency. */
  collectives: perCollective.partial(),
};
export interface PlanTier extends Fields<typeof tierFields> {}
const tierShape: Named<PlanTier, typeof tierFields> = z.strictObject(tierFields);

const tableFields = {
  name: text,
  rows: number,
  /** One entry per tier that the instance allows, in its order; empty where there is no plan. */
  tiers: listOf(tierShape),
  /** The decision in full: [rows, tier] from the hottest row to the coldest. */
  runs: covered("chosen", runs),
};
export interface PlanTable extends Fields<typeof tableFields> {}
const table: Named<PlanTable, typeof tableFields> = z.strictObject(tableFields);

const baselineFields = {
  method: methodShape(ROW_TIERS_PUBLISHED),
  status: word("within-budget", "over-budget", "not-applicable"),
  reason: covered("told", text.nullable()),
  value: number.nullable(),
  bytesPerGpu: number.nullable(),
  /** (value − bound) / bound with the proved bound; `null` where the plan is over the budget or the bound is 0. */
  aboveBound: number.nullable().describe("(value - bound) / bound"),
  /** [rows, tier] per table, as in {@link PlanTable}. */
  runs: covered("told", listOf(runs).nullable()),
};
export interface PlanBaseline extends Fields<typeof baselineFields> {}
const baseline: Named<PlanBaseline, typeof baselineFields> = z.strictObject(baselineFields);

const proofFields = {
  /** Classes of interchangeable rows: the size of the program that was proved. */
  classes: number,
  columns: number,
  steps: number,
  branchings: number,
};
export interface PlanProof extends Fields<typeof proofFields> {}
const proof: Named<PlanProof, typeof proofFields> = z.strictObject(proofFields);

const floorFields = {
  /** The limits that multipliers of the certificate price, which prove nearly as much by themselves; `null` where none do. */
  binding: listOf(z.strictObject({ limit: text, at: number })).nullable(),
  /** The table and the tier that most of the value is of, and their share of it; `null` where it is zero. */
  largest: z.strictObject({ table: text, tier, share: number }).nullable(),
  words: text,
};
export interface PlanFloor extends Fields<typeof floorFields> {}
const floor: Named<PlanFloor, typeof floorFields> = z.strictObject(floorFields);

const stageFields = {
  minimize: word(...ROW_TIERS_GOALS),
  /** How much worse it may be for the goals after it: `5 %`, or an amount. */
  allow: text.describe("how much worse it may be for the goals after it"),
  unit: word<ReturnType<typeof goalUnit>>("s", "B", "rows"),
  status: textOf<Verdict["status"]>("of this stage"),
  /** What the plan has of it; at most `most`. */
  value: number.describe("what the plan has of it"),
  /** The least that was found, of a plan of its own. */
  best: number.describe("the least that was found, of a plan of its own"),
  bound: number.describe("proved in exact arithmetic: no plan that keeps to the stages before is better"),
  /** Between `best` and `bound`. */
  gap: number.describe("|best - bound| / |best|"),
  /** The most that later stages may have. */
  most: number.describe("the most that later stages may have"),
  floor: floor.describe("why it cannot be less"),
  /** Integers or fractions in lowest terms. */
  exact: z.strictObject({ value: exactNumber, best: exactNumber, bound: exactNumber, most: exactNumber }),
  /** The plan of `best`, per table as in {@link PlanTable}; `null` of the last, whose plan is the file's. */
  runs: covered(
    "chosen",
    listOf(runs).nullable().describe("the plan of best; null of the last, whose plan is the file's"),
  ),
  proof,
  /** `null` of the first, whose certificate is the file's. */
  certificate: certificateShape.describe("null of the first, whose certificate is the file's"),
};
/**
 * One of several goals in order: no plan that keeps to what the stages before it hold (`most`) has less than `bound` of it.
 * Seconds, bytes, rows.
 */
export interface PlanStage extends Fields<typeof stageFields> {}
const stage: Named<PlanStage, typeof stageFields> = z.strictObject(stageFields);

const movesFields = {
  /** The plan before, as the instance names it. */
  plan: text,
  rows: number,
  /** Bytes that a GPU receives for them, parameters and the optimizer's state (src/cost/row-moves.ts). */
  bytesPerGpu: number.describe("bytes that a GPU receives"),
  /** By what the rows of each table are known again (see `TableFrom`); `new`: the table is. */
  knownBy: listOf(z.strictObject({ table: text, by: word("counts", "same-access", "order", "new") })),
  moves: listOf(z.strictObject({ table: text, from: tier, to: tier, rows: number, bytesPerGpu: number })),
};
/** Rows that change the tier that the plan before has them in. */
export interface PlanMoves extends Fields<typeof movesFields> {}
const moves: Named<PlanMoves, typeof movesFields> = z.strictObject(movesFields);

const memoryFields = {
  bytesPerGpu: number.nullable(),
  budgetBytesPerGpu: number,
  /** The GPU's own memory where the instance gives it: a budget above it is only worth a warning. */
  hbmBytesPerGpu: number.nullable(),
  /** Only where the instance allows the tier `host`. */
  host: z.strictObject({ bytesPerNode: number.nullable(), budgetBytesPerNode: number }).optional(),
};
export interface PlanMemory extends Fields<typeof memoryFields> {}
const memory: Named<PlanMemory, typeof memoryFields> = z.strictObject(memoryFields);

const priceFields = {
  /** How that bound changes with one more GiB of memory per GPU: not positive. */
  secondsPerGiBPerGpu: number.nullable(),
  /** Seconds that it falls per byte: an integer or a fraction. */
  pricePerByte: exactOrNone,
  /** The same for host memory, per GiB and byte of a node's; only where the instance allows the tier `host`. */
  host: z.strictObject({ secondsPerGiBPerNode: number, pricePerByte: exactNumber }).optional(),
};
/**
 * Shadow prices: what multipliers of the certificate charge for memory, those that prove the highest bound by themselves. `null`
 * (`host` is left out) where that bound is not within 0.1 % of the plan, or the asked gap: then no price says much.
 */
export interface PlanPrices extends Fields<typeof priceFields> {}
const prices: Named<PlanPrices, typeof priceFields> = z.strictObject(priceFields);

const infeasibilityFields = {
  /** The least memory of any plan. */
  leastBytesPerGpu: number,
  /** The least memory that each table needs by itself, largest first. */
  tables: listOf(z.strictObject({ name: text, leastBytesPerGpu: number })),
  /** The fewest tables that together already need more than the budget. */
  conflict: listOf(text),
  explanation: text,
};
export interface PlanInfeasibility extends Fields<typeof infeasibilityFields> {}
const infeasibility: Named<PlanInfeasibility, typeof infeasibilityFields> = z.strictObject(infeasibilityFields);

const kind = word<RowTiersObjective | RowTiersGoalName>(...ROW_TIERS_OBJECTIVES, ...ROW_TIERS_GOALS.slice(1));
const collectives = perCollective.partial({ hostToDevice: true });
/** Seconds per iteration, with latency; `hostToDevice` only where the instance allows the tier `host`. */
export type PlanCollectives = TypeOf<typeof collectives>;

const planFields = {
  /**
   * Of the first goal; `null` where there is none. `bound` is proved in exact arithmetic. `kind`: the instance's objective, or the
   * first goal's name where it is not the time.
   */
  objective: z
    .strictObject({ kind, ...valueShape })
    .describe("what is minimised: seconds per iteration, or the first goal in its own unit"),
  /** Only where the instance has goals: seconds per iteration of the instance's objective, whatever the first goal is. */
  time: z
    .strictObject({ kind: word(...ROW_TIERS_OBJECTIVES), seconds: number })
    .optional()
    .describe("seconds per iteration, where there are goals"),
  /** Only where the instance has goals: each in turn, the earlier ones held. */
  stages: listOf(stage, "the goals in order, where there are several").optional(),
  /** Only where the instance has a plan to move from; `null` where there is no plan to move to. */
  moves: moves.nullable().optional().describe("rows that change the tier that a plan before has them in"),
  /** The numbers that the status rests on, as integers or fractions in lowest terms; host memory where there is that tier. */
  exact: z.strictObject({
    ...exactShape,
    bytesPerGpu: exactOrNone,
    budgetBytesPerGpu: exactNumber,
    hostBytesPerNode: exactOrNone.optional(),
  }),
  memory,
  /** Seconds per iteration with latency, whether or not the objective counts them; `null` where there is no plan. */
  collectives: collectives.nullable().describe("seconds per iteration of each collective, with latency"),
  prices,
  /** FlexShard's greedy methods beside the proved bound. */
  baseline: listOf(baseline, "published methods beside the proved bound"),
  infeasibility: infeasibility.nullable().describe("why there is no plan"),
  tables: listOf(table, "the tiers of each table"),
  proof: proof.nullable(),
};

/**
 * A row-tiers plan as its file has it: plain JSON, in bytes, seconds and rows. Every number but those under `timing` is
 * computed exactly and rounded once, to the nearest double (bounds downwards, gaps upwards), so that equal input gives
 * equal bytes; fractions that decide are kept as text (`"1/3"`) under `exact`.
 *
 * Apart from `request`, `timing`, `claim`, the runs and the certificate, every field follows from those and the
 * instance: `shardproof verify` computes all of them again.
 */
export interface RowTiersPlan
  extends Omit<PlanEnvelope, "stopped" | keyof typeof planFields>,
    Fields<typeof planFields> {
  readonly problem: "row-tiers";
  /** `proved`, `feasible` and `infeasible` as in `Verdict`; `heuristic`: a checked plan for which no bound was asked. */
  readonly status: Verdict["status"] | "heuristic";
}

export const rowTiersPlanSchema = z.strictObject({ ...envelopeShape(ROW_TIERS_PUBLISHED), ...planFields });

/** A plan file as read: its shape is right, nothing else of it is known to be. */
export type WrittenPlan = z.output<typeof rowTiersPlanSchema>;
