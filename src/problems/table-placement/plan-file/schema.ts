import { z } from "zod";
import { GIVEN_PLACEMENT, PLACEMENT_PUBLISHED } from "../../plan-file/method-names.js";
import {
  certificateShape,
  envelopeShape,
  exactNumber,
  exactShape,
  listOf,
  methodShape,
  stoppedShape,
  valueShape,
  word,
} from "../../plan-file/plan-shape.js";
import { STAGE_GOALS } from "../instance/instance.js";

/**
 * The shape of a table-placement plan file. Only the shape: whether a number or a word is right is for the verifier to
 * say, with what it should have been.
 */
const number = z.number();
const text = z.string();
const ranks = listOf(number, "the device of each shard, from 0");
const option = number.describe("number of the option among those with a place on the cluster, from 0");
const choices = listOf(z.tuple([option, ranks]), "for each table its option and the device of each shard");
const perDevice = (description: string) => listOf(number).nullable().describe(description);

const table = z.strictObject({
  name: text,
  option,
  shardingType: text,
  kernel: text,
  ranks,
  cost: number.describe("of all shards, in the unit of the costs"),
  hbmBytes: number,
  hostBytes: number,
  ssdBytes: number.describe("absent: none").optional(),
  hotRows: number.describe("hottest rows, of which every device has a copy; absent: none").optional(),
  hotShare: number.describe("their share of the look-ups").optional(),
  cacheLoadFactor: number.describe("share of the rows that the cache holds, where its size is chosen").optional(),
  missRate: number.describe("share of a global batch's distinct rows that are not in it").optional(),
});

const baseline = z.strictObject({
  method: methodShape(PLACEMENT_PUBLISHED),
  status: word("plan", "breaks-limits", "none"),
  reason: text.nullable(),
  value: number.nullable(),
  aboveBound: number.nullable().describe("(value - bound) / bound"),
  choices: choices.nullable(),
});

const infeasibility = z
  .strictObject({
    kind: word("rule", "table", "total", "crowding", "arrangement"),
    memory: word("device", "host", "device and host", "SSD", "device and SSD", "device, host and SSD"),
    conflict: listOf(text, "the tables that do not fit"),
    bytesNeeded: number.nullable(),
    bytesAvailable: number.nullable(),
    leastExtraBytesPerDevice: number.nullable().describe("no less than this on every device makes it feasible"),
    relaxed: z.strictObject({ extraBytesPerDevice: number, choices }).nullable(),
    explanation: text,
  })
  .nullable()
  .describe("why there is no plan");

const proof = z
  .strictObject({
    columns: number,
    rows: number,
    ceiling: exactNumber.optional(),
    steps: number,
    branchings: number,
  })
  .nullable()
  .describe("the size of what was proved");

const second = z
  .strictObject({
    goal: word("sum", "second-largest"),
    status: text.nullable(),
    value: number,
    bound: number.nullable(),
    gap: number.nullable(),
    exact: z.strictObject({ cap: exactNumber.nullable(), value: exactNumber, bound: exactNumber.nullable() }),
    proof,
    certificate: certificateShape,
  })
  .nullable()
  .describe("the second goal among the plans that are as good, where one was asked for");

const stage = z.strictObject({
  minimize: word(...STAGE_GOALS),
  allow: text.describe("how much worse later stages may have it"),
  unit: text.nullable(),
  status: text.nullable(),
  value: number.describe("what the plan has of it"),
  best: number.nullable().describe("the least that was found"),
  bound: number.nullable(),
  gap: number.nullable().describe("between best and bound"),
  most: number.nullable().describe("the most that later stages may have"),
  floor: z
    .strictObject({
      kind: word("shard", "mean", "total", "nothing", "limits"),
      table: text.nullable(),
      devices: listOf(number),
      value: number,
      words: text,
    })
    .nullable()
    .describe("what keeps it from less"),
  exact: z.strictObject({
    value: exactNumber,
    best: exactNumber.nullable(),
    bound: exactNumber.nullable(),
    most: exactNumber.nullable(),
  }),
  choices: choices.nullable().describe("the placement of best; null: the plan's own, or none"),
  proof,
  certificate: certificateShape,
});

const price = z.strictObject({
  change: text,
  rate: number.nullable(),
  value: number.nullable(),
  difference: number.nullable(),
  bound: number.optional().describe("no plan costs less after the change; where value is not known"),
  reason: text.nullable(),
  proof: z.strictObject({ choices: choices.nullable(), certificate: certificateShape }).optional(),
});

const migration = z
  .strictObject({
    bytes: z.strictObject({ received: number, host: number, inside: number, between: number }),
    seconds: number
      .nullable()
      .describe("of moving, all devices and links at once; null where a bandwidth is not known"),
    worth: z.strictObject({
      unit: text.nullable(),
      now: number.nullable().describe("what the goal comes to where the tables are now"),
      after: number,
      iterations: number.nullable().describe("after which the seconds of moving are made up for"),
      reason: text.nullable(),
    }),
  })
  .describe("what it takes to come from where the tables are now; absent where the instance does not say");

export const tablePlacementPlanSchema = z.strictObject({
  ...envelopeShape([...PLACEMENT_PUBLISHED, GIVEN_PLACEMENT]),
  stopped: stoppedShape,
  leftOut: listOf(
    z.strictObject({
      options: number.describe("how many"),
      tables: listOf(text, "whose options they are"),
      reason: text.describe("why they have no place"),
      rule: text.optional().describe("the rule of TorchRec's that they break"),
    }),
  )
    .optional()
    .describe("options that the search is without; absent where it has all"),
  runnable: z
    .literal(false)
    .optional()
    .describe("options that TorchRec prices and cannot run are among them; absent where none is"),
  notes: listOf(text, "table and note").optional().describe("what has to be known of the options taken"),
  objective: z
    .strictObject({
      kind: word(
        "largest-device-cost",
        "sum-of-phase-maxima",
        ...STAGE_GOALS.filter((goal) => goal.includes("-") || goal === "sum"),
      ),
      unit: text.nullable().describe("of the costs; null where the instance does not say"),
      ...valueShape,
    })
    .describe("what is minimised"),
  second,
  stages: listOf(stage).nullable().optional().describe("goals in order, where the instance has a list of them"),
  phases: listOf(z.strictObject({ phase: text, cost: number, device: number }))
    .nullable()
    .describe("with the goal phases, the largest cost that a device has in each"),
  moves: z
    .strictObject({ mostMoved: number, moved: listOf(text) })
    .nullable()
    .describe("tables that are not where the plan before had them"),
  migration: migration.optional(),
  exact: z.strictObject({
    ...exactShape,
    deviceCosts: listOf(exactNumber).nullable(),
  }),
  devices: listOf(listOf(text))
    .nullable()
    .describe(
      "names of the shards on each device; a table in one shard has its own name, others NAME#0, NAME#1, ...; of one with hot rows on every device NAME_hot and NAME_cold",
    ),
  // Its keys are names of tables, of which any text may be one: the verifier compares it as it is.
  choices: z.unknown().meta({
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
  }),
  deviceCosts: perDevice("sum of the costs of the shards on each device"),
  deviceBytes: perDevice("bytes of the shards on each device, in its own memory"),
  memory: z.strictObject({
    hbmBytesPerGpu: perDevice("what shards may use on each device; null where memory does not limit"),
    hostBytesPerGpu: perDevice("what shards may use of host memory; null where it does not limit"),
    hostIsPooled: z.boolean().describe("the host memory of a node's devices is one pool"),
    deviceHostBytes: perDevice("bytes of host memory of the shards on each device"),
    ssdBytesPerGpu: listOf(number, "what shards may use of each device's SSD; absent where none limits").optional(),
    deviceSsdBytes: listOf(number, "bytes on SSD of the shards on each device").optional(),
  }),
  tables: listOf(table, "one entry per table; empty where there is no plan"),
  baseline: listOf(baseline, "published methods beside the proved bound"),
  infeasibility,
  prices: z
    .strictObject({ gibPerGpu: price, device: price })
    .nullable()
    .describe("what more memory and one more device would do"),
  proof,
});

/** A plan file as read: its shape is right, nothing else of it is known to be. */
export type WrittenPlacementPlan = z.output<typeof tablePlacementPlanSchema>;
