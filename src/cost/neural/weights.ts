import { z } from "zod";
import { readDocument } from "../../instance/document.js";
import { type Finding, throwFindings } from "../../instance/findings.js";
import { positive } from "../../instance/schema/fields.js";
import { shaped } from "../../instance/schema/issues.js";
import { Dense } from "./dense.js";
import { featureNames, NETWORK_KINDS } from "./features.js";
import type { SplitFits } from "./learner.js";
import { CostNetwork, HEAD_HIDDEN, REPRESENTATION, TABLE_HIDDEN } from "./network.js";
import type { TrainedNetwork } from "./trained-network.js";

/** Where the weights that `learn-cost` trained come from: notes for people, which predictions do not need. */
export interface WeightsOrigin {
  /** The file of measured costs, and its hash (see `CostData` and `CostStream`). */
  readonly data: string;
  readonly sha256: string;
  readonly source: string;
  readonly seed: number;
  /** That are over, and the one that the weights are from: of passes over all sets, or rounds of a stream. */
  readonly epochs?: number;
  readonly bestEpoch?: number;
  readonly rounds?: number;
  readonly bestRound?: number;
  readonly fits: SplitFits;
}

const number = z.number().describe("a finite number");

const layer = z
  .strictObject({
    weights: z.array(z.array(number).min(1)).min(1).describe("one list of input weights per output"),
    biases: z.array(number).min(1).describe("one number per output"),
  })
  .describe("weights and biases");

const schema = z.strictObject({
  shardproof: z.literal(1).describe("1, the version of the format"),
  kind: z.enum(NETWORK_KINDS).describe(NETWORK_KINDS.join(", ")),
  unit: z.literal("ms").describe("ms"),
  origin: z.unknown().optional(),
  features: z
    .array(
      z.strictObject({
        name: z.string().describe("name of a feature"),
        mean: number,
        deviation: positive("what the feature is divided by"),
      }),
    )
    .describe("the network's inputs, in their order"),
  table: z.tuple([layer, layer]).describe("the two layers of a table"),
  head: z.tuple([layer, layer]).describe("the two layers of a set"),
});

type Input = z.output<typeof schema>;
type LayerInput = z.output<typeof layer>;

/**
 * The text of a weights file: JSON with one line per row of weights. Reading it back gives the same network, bit by bit.
 * `origin` is for people: {@link WeightsOrigin} where `learn-cost` writes it.
 */
export function writeWeights({ kind, features, network }: TrainedNetwork, origin: object): string {
  const json = JSON.stringify;
  const lines = (items: readonly unknown[]) => `[\n${items.map((item) => json(item)).join(",\n")}\n]`;
  const written = ({ inputs, outputs, weights, biases }: Dense) => {
    const rows = Array.from({ length: outputs }, (_, o) => [...weights.values.subarray(o * inputs, (o + 1) * inputs)]);
    return `{"weights": ${lines(rows)},\n"biases": ${json([...biases.values])}}`;
  };
  const fields = [
    `"shardproof": 1`,
    `"kind": ${json(kind)}`,
    `"unit": "ms"`,
    `"origin": ${json(origin)}`,
    `"features": ${lines(features)}`,
    `"table": [${network.table.map(written).join(",\n")}]`,
    `"head": [${network.head.map(written).join(",\n")}]`,
  ];
  return `{\n${fields.join(",\n")}\n}\n`;
}

/**
 * Reads a weights file from its text. Throws `InputError` with the place of what is wrong: another format, features other than
 * those of the kind, layers that do not fit one another, or a `neural-convex` network whose head is not convex.
 */
export function readWeights(text: string, file: string): TrainedNetwork {
  const document = readDocument(text, file);
  const data = shaped(document, schema);
  throwFindings(document, [...featureFindings(data), ...layerFindings(data)]);
  return {
    kind: data.kind,
    features: data.features,
    network: new CostNetwork(
      [denseOf(data.table[0]), denseOf(data.table[1])],
      [denseOf(data.head[0]), denseOf(data.head[1])],
    ),
  };
}

function denseOf({ weights, biases }: LayerInput): Dense {
  const layer = new Dense(weights[0]?.length ?? 0, weights.length);
  layer.weights.values.set(weights.flat());
  layer.biases.values.set(biases);
  return layer;
}

function featureFindings({ kind, features }: Input): Finding[] {
  const names = featureNames(kind);
  if (features.map(({ name }) => name).join() === names.join()) return [];
  const message = `expected the ${names.length} features of ${kind} (${names.slice(0, 3).join(", ")}, …, ${names.at(-1)}), received ${features.length} or others; train the network anew`;
  return [{ path: ["features"], message }];
}

/** A layer has the inputs that the one before has outputs; a convex head takes no ReLU negatively. */
function layerFindings({ kind, features, table, head }: Input): Finding[] {
  const widths = [features.length, TABLE_HIDDEN, REPRESENTATION, HEAD_HIDDEN, 1];
  const findings: Finding[] = [...table, ...head].flatMap(({ weights, biases }, l): Finding[] => {
    const path = l < 2 ? ["table", l] : ["head", l - 2];
    const [inputs, outputs] = [widths[l] as number, widths[l + 1] as number];
    const isRight =
      biases.length === outputs && weights.length === outputs && weights.every((w) => w.length === inputs);
    if (isRight) return [];
    return [{ path, message: `expected ${outputs} lists of ${inputs} weights and ${outputs} biases, received others` }];
  });
  const negative = head[1].weights[0]?.findIndex((weight) => weight < 0) ?? -1;
  if (kind !== "neural-convex" || negative === -1) return findings;
  const message = `expected a weight of at least 0, as ${kind} has them in its last layer, received ${head[1].weights[0]?.[negative]}`;
  return [...findings, { path: ["head", 1, "weights", 0, negative], message }];
}
