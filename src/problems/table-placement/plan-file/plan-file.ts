import { z } from "zod";
import type { SecondGoal, StageGoal } from "../../../../models/table-placement/problem.js";
import type { LeftOut } from "../../../cost/placement/instance-costs.js";
import { type PhaseName, STAGE_GOALS } from "../../../instance/types/table-placement.js";
import type { PlanEnvelope } from "../../../plan-file/envelope.js";
import {
  covered,
  exactNumber,
  type Fields,
  listOf,
  type Named,
  number,
  text,
  textOf,
  word,
} from "../../../plan-file/fields.js";
import { GIVEN_PLACEMENT, PLACEMENT_PUBLISHED } from "../../../plan-file/method-names.js";
import {
  certificateShape,
  envelopeShape,
  exactShape,
  methodShape,
  stoppedShape,
  valueShape,
} from "../../../plan-file/plan-shape.js";
import type { Verdict } from "../../../proof/verdict.js";
import type { PlacementGroups } from "./groups.js";
import { migrationShape } from "./migration.js";
import { ceilingShape, proofWith, provedOnShape, provenShape } from "./proof-on.js";

const verdict = textOf<Verdict["status"]>();
const exactOrNone = exactNumber.nullable();
const ranks = listOf(number, "the device of each shard, from 0");
const option = number.describe("number of the option among those with a place on the cluster, from 0");
const choices = listOf(z.tuple([option, ranks]), "for each table its option and the device of each shard");
const perDevice = (description: string) => listOf(number).nullable().describe(description);

/** Compact form of a placement: for each table its option and the device of each shard. */
export type WrittenChoices = readonly (readonly [option: number, ranks: readonly number[]])[];

const tableFields = {
  name: text,
  /** Number of the option among those with a place on the cluster, from 0. */
  option: covered("chosen", option),
  shardingType: text,
  kernel: text,
  ranks: covered("chosen", ranks),
  cost: number.describe("of all shards, in the unit of the costs"),
  hbmBytes: number,
  hostBytes: number,
  /** Absent: none. */
  ssdBytes: number.describe("absent: none").optional(),
  /** The hottest rows, of which every device has a copy (its last ranks), and their share of the look-ups; absent: none. */
  hotRows: number.describe("hottest rows, of which every device has a copy; absent: none").optional(),
  hotShare: number.describe("their share of the look-ups").optional(),
  /** Share of the rows that the cache holds, and of a batch's distinct rows that are not in it, where its size is chosen. */
  cacheLoadFactor: number.describe("share of the rows that the cache holds, where its size is chosen").optional(),
  missRate: number.describe("share of a global batch's distinct rows that are not in it").optional(),
};
/** The decision in full for one table, and what it comes to over all shards. */
export interface PlacementPlanTable extends Fields<typeof tableFields> {}
const table: Named<PlacementPlanTable, typeof tableFields> = z.strictObject(tableFields);

const baselineFields = {
  method: methodShape(PLACEMENT_PUBLISHED),
  /** `none`: the method found no plan, which does not mean that there is none. */
  status: word("plan", "breaks-limits", "none"),
  reason: covered("told", text.nullable()),
  value: number.nullable(),
  /** (value − bound) / bound with the proved bound; `null` without a plan within the limits, or where the bound is 0. */
  aboveBound: number.nullable().describe("(value - bound) / bound"),
  choices: covered("told", choices.nullable()),
};
export interface PlacementBaseline extends Fields<typeof baselineFields> {}
const baseline: Named<PlacementBaseline, typeof baselineFields> = z.strictObject(baselineFields);

const infeasibilityFields = {
  /**
   * What is short: one table by itself, some tables by their total, some tables because too many of them would share a
   * device, or the arrangement of all of them although none of these is.
   */
  kind: word("rule", "table", "total", "crowding", "arrangement"),
  memory: word("device", "host", "device and host", "SSD", "device and SSD", "device, host and SSD"),
  /** The tables that do not fit: the fewest that this program finds a short reason for. */
  conflict: listOf(text, "the tables that do not fit"),
  bytesNeeded: number.nullable(),
  bytesAvailable: number.nullable(),
  /** No less than this on every device, over what there is, makes the instance feasible; `null` where unknown. */
  leastExtraBytesPerDevice: number.nullable().describe("no less than this on every device makes it feasible"),
  /** A placement that fits once every device has so much more; `null` where none was found. */
  relaxed: z.strictObject({ extraBytesPerDevice: number, choices: covered("chosen", choices) }).nullable(),
  explanation: text,
};
export interface PlacementInfeasibility extends Fields<typeof infeasibilityFields> {}
const infeasibility: Named<PlacementInfeasibility, typeof infeasibilityFields> = z.strictObject(infeasibilityFields);

const secondFields = {
  goal: word<SecondGoal>("sum", "second-largest"),
  /** `null`: no bound was asked for, or the first goal was not proved within the limit. */
  status: verdict.nullable(),
  value: number,
  bound: number.nullable(),
  gap: number.nullable(),
  /** `cap` is within the asked gap of the first goal's bound. Integers or fractions in lowest terms. */
  exact: z.strictObject({ cap: covered("chosen", exactOrNone), value: exactNumber, bound: exactOrNone }),
  ...provenShape,
};
/** The second goal, with a proof of its own: no plan whose largest cost is at most `exact.cap` has less of it. */
export interface PlacementSecond extends Fields<typeof secondFields> {}
const second: Named<PlacementSecond, typeof secondFields> = z.strictObject(secondFields);

const floorFields = {
  kind: word("shard", "mean", "total", "nothing", "limits"),
  table: text.nullable(),
  /** Some of the devices that have most. */
  devices: listOf(number),
  /** What the largest shard, the mean or the total comes to; the stage's own value is no less. */
  value: number,
  words: text,
};
/**
 * What keeps a stage from less.
 *
 * - `shard`: a table's every option has so large a shard; `mean`: all tables at their least, spread evenly;
 * - `total`: every table at its least; `nothing`: there is nothing left to be less;
 * - `limits`: none of these alone, but limits that are in the way, or how shards fall together.
 */
export interface StageFloor extends Fields<typeof floorFields> {}
const floor: Named<StageFloor, typeof floorFields> = z.strictObject(floorFields);

const stageFields = {
  minimize: word(...STAGE_GOALS),
  /** `5 %`, or an amount. */
  allow: text.describe("how much worse later stages may have it"),
  unit: text.nullable(),
  /** `null`: no bound was asked for, or there was no time for this stage. */
  status: verdict.nullable(),
  /** What the plan has of it; at most `most`. */
  value: number.describe("what the plan has of it"),
  /** The least that was found, of a placement of its own. */
  best: number.nullable().describe("the least that was found"),
  bound: number.nullable(),
  /** Between `best` and `bound`. */
  gap: number.nullable().describe("between best and bound"),
  /** The most that later stages may have. */
  most: number.nullable().describe("the most that later stages may have"),
  floor: floor.nullable().describe("what keeps it from less"),
  /** Integers or fractions in lowest terms. */
  exact: z.strictObject({ value: exactNumber, best: exactOrNone, bound: exactOrNone, most: exactOrNone }),
  /** The placement of `best`; `null`: the plan's own, or none. */
  choices: covered("chosen", choices.nullable().describe("the placement of best; null: the plan's own, or none")),
  /** Its certificate is `null` where it is the plan's own, which is the first stage's, or none. */
  ...provenShape,
};
/**
 * One of several goals in order: no plan that keeps to what the stages before it hold (`most`) has less than `bound` of it.
 * Bytes, tables, or the unit of the costs.
 */
export interface PlacementStage extends Fields<typeof stageFields> {}
const stage: Named<PlacementStage, typeof stageFields> = z.strictObject(stageFields);

const RATE = { reason: "a first estimate from a relaxation, in floating point" };

const priceFields = {
  /** The change, in words. */
  change: text,
  /** What the bound that sees all devices as one pool changes by, at first, per unit: 0 or less. `null` where unknown. */
  rate: covered(RATE, number.nullable()),
  /** The least cost after the change, to the same gap; `null` where it is not known. */
  value: covered("told", number.nullable()),
  /** `value` − the plan's own. */
  difference: covered("told", number.nullable()),
  /** Where `value` is not known: no plan costs less than this after the change; left out where nothing is proved. */
  bound: covered("told", number.optional().describe("no plan costs less after the change; where value is not known")),
  /** Why `value` is not known. */
  reason: covered("told", text.nullable()),
  /** What shows `value` or `bound`, for the first goal of the changed problem; left out where nothing does. */
  proof: z
    .strictObject({
      /** A placement of the changed problem; `null`: the plan's own. */
      choices: covered("chosen", choices.nullable()),
      /** About the changed problem's program; `null`: the steps of the plan's own. */
      certificate: certificateShape,
    })
    .optional(),
};
export interface PlacementPrice extends Fields<typeof priceFields> {}
const price: Named<PlacementPrice, typeof priceFields> = z.strictObject(priceFields);

const pricesFields = {
  /** One GiB more on every device. */
  gibPerGpu: price,
  /** One more device, or where there are several nodes one more node. */
  device: price,
};
/**
 * What a change of the cluster is worth. Other problems are behind these values, each with a proof of its own; rates are the
 * search's word.
 */
export interface PlacementPrices extends Fields<typeof pricesFields> {}
const prices: Named<PlacementPrices, typeof pricesFields> = z.strictObject(pricesFields);

const leftOutFields = {
  options: number.describe("how many"),
  tables: listOf(text, "whose options they are"),
  reason: text.describe("why they have no place"),
  rule: text.optional().describe("the rule of TorchRec's that they break"),
};
const leftOut: Named<LeftOut, typeof leftOutFields> = z.strictObject(leftOutFields);

const phaseFields = {
  phase: textOf<PhaseName>(),
  /** The largest cost of a device in it, and the first device that has it. */
  cost: number,
  device: number,
};
export interface PlacementPhase extends Fields<typeof phaseFields> {}
const phase: Named<PlacementPhase, typeof phaseFields> = z.strictObject(phaseFields);

const memoryFields = {
  /** One entry per device; `null` where memory does not limit. */
  hbmBytesPerGpu: perDevice("what shards may use on each device; null where memory does not limit"),
  /** One entry per device; `null` where host memory does not limit. */
  hostBytesPerGpu: perDevice("what shards may use of host memory; null where it does not limit"),
  hostIsPooled: z.boolean().describe("the host memory of a node's devices is one pool"),
  /** Σ bytes of host memory of the shards on each device; `null` where there is no plan, or none needs any. */
  deviceHostBytes: perDevice("bytes of host memory of the shards on each device"),
  /** What shards may use of each device's SSD; absent where none limits. */
  ssdBytesPerGpu: listOf(number, "what shards may use of each device's SSD; absent where none limits").optional(),
  /** Σ bytes on SSD of the shards on each device; absent where there is no plan, or none needs any. */
  deviceSsdBytes: listOf(number, "bytes on SSD of the shards on each device").optional(),
};
export interface PlacementMemory extends Fields<typeof memoryFields> {}
const memory: Named<PlacementMemory, typeof memoryFields> = z.strictObject(memoryFields);

/** An option and the device of each of its shards. */
export interface PlacedChoice {
  readonly shardingType: string;
  readonly kernel: string;
  /** Of the shards; where hot rows are copied to every device, of those of the other rows. */
  readonly ranks: readonly number[];
  /** The hottest rows, of which every device has a copy; absent: none. */
  readonly hotRows?: number;
  /** Share of the rows that the cache holds, where it is chosen. */
  readonly cacheLoadFactor?: number;
}

// Its keys are names of tables, of which any text may be one: the verifier compares it as it is.
const placedChoices = z.unknown().meta({
  type: ["object", "null"],
  description: "by table, the option taken and the device of each shard",
  additionalProperties: {
    type: "object",
    properties: {
      shardingType: { type: "string" },
      kernel: { type: "string" },
      ranks: { type: "array", items: { type: "integer", minimum: 0 } },
      hotRows: { type: "integer", minimum: 1 },
      cacheLoadFactor: { type: "number" },
    },
    required: ["shardingType", "kernel", "ranks"],
    additionalProperties: false,
  },
}) as unknown as z.ZodType<unknown, Readonly<Record<string, PlacedChoice>> | null>;

type ObjectiveKind = "largest-device-cost" | "sum-of-phase-maxima" | Exclude<StageGoal, "largest-cost" | "phases">;

const objectiveFields = {
  /** With a list of goals, the first. */
  kind: word(
    "largest-device-cost",
    "sum-of-phase-maxima",
    ...(STAGE_GOALS.filter((goal) => goal.includes("-") || goal === "sum") as ObjectiveKind[]),
  ),
  /** Of the costs, bytes (`B`) or `tables`; `null` where the instance does not say. */
  unit: text.nullable().describe("of the costs; null where the instance does not say"),
  ...valueShape,
};
export interface PlacementObjective extends Fields<typeof objectiveFields> {}
const objective: Named<PlacementObjective, typeof objectiveFields> = z.strictObject(objectiveFields);

const planFields = {
  /** Only of a heuristic whose time was over, or a search that somebody stopped, before it ended: with more, it may find another plan. */
  stopped: stoppedShape,
  /** Options that the search was without, though the instance may be read as allowing them; absent where there are none. */
  leftOut: listOf(leftOut).optional().describe("options that the search is without; absent where it has all"),
  /** `false`: options that TorchRec prices and cannot run were among them; absent: none was. */
  runnable: z
    .literal(false)
    .optional()
    .describe("options that TorchRec prices and cannot run are among them; absent where none is"),
  /** What has to be known of the options taken beside their costs and bytes; absent: nothing. */
  notes: listOf(text, "table and note").optional().describe("what has to be known of the options taken"),
  /** What the goal comes to; `null` where there is no plan. `bound` is proved in exact arithmetic. */
  objective: objective.describe("what is minimised"),
  /** The second goal among the plans that are as good; `null` where none was asked for, or there is no plan. */
  second: second.nullable().describe("the second goal among the plans that are as good, where one was asked for"),
  /** Goals in order, each with a proof of its own; absent where the instance has no list of goals, `null` without a plan. */
  stages: listOf(stage).nullable().optional().describe("goals in order, where the instance has a list of them"),
  /** With the goal `phases`, the largest cost that a device has in each; `null` otherwise. */
  phases: listOf(phase).nullable().describe("with the goal phases, the largest cost that a device has in each"),
  /** Tables that are not where the plan before had them; `null` where the instance limits none. */
  moves: z
    .strictObject({ mostMoved: number, moved: listOf(text) })
    .nullable()
    .describe("tables that are not where the plan before had them"),
  /** What it takes to come from where the tables are now; absent where the instance does not say where that is. */
  migration: migrationShape
    .describe("what it takes to come from where the tables are now; absent where the instance does not say")
    .optional(),
  /** The numbers that the status rests on, as integers or fractions in lowest terms. */
  exact: z.strictObject({ ...exactShape, deviceCosts: listOf(exactNumber).nullable() }),
  /** Names of the shards on each device; a table in one shard has its own name, others `NAME#0`, `NAME#1`, …; of one with hot rows on every device `NAME_hot` and `NAME_cold`. */
  devices: listOf(listOf(text))
    .nullable()
    .describe(
      "names of the shards on each device; a table in one shard has its own name, others NAME#0, NAME#1, ...; of one with hot rows on every device NAME_hot and NAME_cold",
    ),
  /** By table, the option taken and the device of each shard. */
  choices: placedChoices,
  /** Σ cost of the shards on each device. */
  deviceCosts: perDevice("sum of the costs of the shards on each device"),
  /** Σ bytes of the shards on each device, in its own memory. */
  deviceBytes: perDevice("bytes of the shards on each device, in its own memory"),
  memory,
  /** One entry per table; empty where there is no plan. */
  tables: listOf(table, "one entry per table; empty where there is no plan"),
  /** Published methods beside the proved bound. */
  baseline: listOf(baseline, "published methods beside the proved bound"),
  infeasibility: infeasibility.nullable().describe("why there is no plan"),
  /** What more memory and one more device would do; `null` where there is no proved bound. */
  prices: prices.nullable().describe("what more memory and one more device would do"),
  proof: proofWith(covered("chosen", ceilingShape)),
  /** The program that the certificate is about; absent in files of 0.5.0 and before. */
  provedOn: provedOnShape,
};

/**
 * `proved`, `feasible` and `infeasible` as in `Verdict`; `heuristic`: a checked plan for which no bound was asked;
 * `unknown`: nothing was proved within the limits; a plan, where one was found, is checked.
 */
export type PlacementStatus = Verdict["status"] | "heuristic" | "unknown";

/**
 * A table-placement plan as its file has it: plain JSON, in the unit of the instance's costs and in bytes. Every number
 * but those under `timing` is computed exactly and rounded once, to the nearest double (bounds downwards, gaps upwards),
 * so that equal input gives equal bytes; fractions that decide are kept as text (`"1/3"`) under `exact`.
 *
 * Apart from `request`, `timing`, `claim`, the rates of `prices`, `tables` (the option and the ranks of each), the
 * choices of the baselines and of the relaxed plan, and the certificate, every field follows from those and the
 * instance: `shardproof verify` computes all of them again.
 */
export interface TablePlacementPlan extends Omit<PlanEnvelope, keyof typeof planFields>, Fields<typeof planFields> {
  readonly problem: "table-placement";
  readonly status: PlacementStatus;
  /** Where the devices are parted into groups, every size of them; the rest of the file is about one group of the chosen size. */
  readonly groups?: PlacementGroups;
}

export const tablePlacementPlanSchema = z.strictObject({
  ...envelopeShape([...PLACEMENT_PUBLISHED, GIVEN_PLACEMENT]),
  ...planFields,
});

/** A plan file as read: its shape is right, nothing else of it is known to be. */
export type WrittenPlacementPlan = z.output<typeof tablePlacementPlanSchema>;
