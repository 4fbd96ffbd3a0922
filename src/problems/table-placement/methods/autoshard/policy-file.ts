import { createHash } from "node:crypto";
import { z } from "zod";
import type { TrainedNetwork } from "../../../../cost/neural/trained-network.js";
import { seededRandom } from "../../../../exact/random.js";
import { readDocument } from "../../../../instance/document.js";
import { type Finding, throwFindings } from "../../../../instance/findings.js";
import { positive } from "../../../../instance/schema/fields.js";
import { shaped } from "../../../../instance/schema/issues.js";
import type { TrainedPolicy } from "./episode.js";
import { PARAMETER_NAMES, PolicyNetwork } from "./policy-network.js";
import { POLICY_REWARDS, type PolicyReward } from "./rewards.js";

/** Significant digits of parameters. */
const DIGITS = 6;

/** How far a policy has learned: what learning on needs besides the policy. */
export interface PolicyProgress {
  /** Tables that were placed while learning. */
  readonly steps: number;
  readonly seed: number;
  readonly reward: PolicyReward;
}

/** A policy as its file has it. */
export interface PolicyFile {
  readonly policy: TrainedPolicy;
  readonly progress: PolicyProgress;
}

const count = (description: string) => z.int().min(0).describe(description);

const schema = z.strictObject({
  shardproof: z.literal(1).describe("1, the version of the format"),
  kind: z.literal("autoshard-policy").describe("autoshard-policy"),
  origin: z.unknown().optional(),
  costNetwork: z.string().describe("SHA-256 of the parameters of the cost network that it learned under"),
  costUnit: positive("milliseconds that costs are divided by"),
  learned: z
    .strictObject({
      steps: count("tables that were placed while learning"),
      seed: count("seed of the random numbers"),
      reward: z.enum(POLICY_REWARDS).describe("what it was rewarded by"),
    })
    .describe("steps, seed and reward"),
  parameters: z
    .record(z.string(), z.array(z.number().describe("a finite number")).describe("a list of numbers"))
    .describe("a list of numbers for each layer's weights and biases"),
});

/**
 * The text of a policy's file: JSON with one line per layer's weights or biases, rounded to six digits. Reading it back gives
 * the policy of {@link roundPolicy}, bit by bit. `origin` is for people.
 */
export function writePolicy({ policy, progress }: PolicyFile, costNetwork: TrainedNetwork, origin: object): string {
  const lines = policy.network.parameters().map(({ values }, p) => {
    const short = Array.from(values, rounded);
    return `${JSON.stringify(PARAMETER_NAMES[p])}: ${JSON.stringify(short)}`;
  });
  const fields = [
    `"shardproof": 1`,
    `"kind": "autoshard-policy"`,
    `"origin": ${JSON.stringify(origin)}`,
    `"costNetwork": ${JSON.stringify(fingerprint(costNetwork))}`,
    `"costUnit": ${policy.costUnit}`,
    `"learned": ${JSON.stringify(progress)}`,
    `"parameters": {\n${lines.join(",\n")}\n}`,
  ];
  return `{\n${fields.join(",\n")}\n}\n`;
}

/** Rounds the parameters as the file has them, so that what is measured is what is written. */
export function roundPolicy({ network }: TrainedPolicy): void {
  for (const { values } of network.parameters()) values.set(values.map(rounded));
}

/**
 * Reads a policy's file from its text. Throws `InputError` with the place of what is wrong: another format, layers of other
 * widths, or a policy that learned under another cost network than this one, whose representations mean nothing to it.
 */
export function readPolicy(text: string, file: string, costNetwork: TrainedNetwork): PolicyFile {
  const document = readDocument(text, file);
  const data = shaped(document, schema);
  const network = PolicyNetwork.drawn(seededRandom(0));
  throwFindings(document, [...networkFindings(data.costNetwork, costNetwork), ...fill(network, data.parameters)]);
  return { policy: { network, costUnit: data.costUnit }, progress: data.learned };
}

/** SHA-256 of a cost network's parameters, as doubles in their order, lower-case hexadecimal. */
function fingerprint({ kind, features, network }: TrainedNetwork): string {
  const hash = createHash("sha256").update(JSON.stringify([kind, features]));
  for (const { values } of network.parameters()) hash.update(values);
  return hash.digest("hex");
}

function networkFindings(learnedUnder: string, costNetwork: TrainedNetwork): Finding[] {
  const own = fingerprint(costNetwork);
  if (learnedUnder === own) return [];
  const message = `expected a policy that learned under the cost network in use (${own.slice(0, 12)}…), received one for ${learnedUnder.slice(0, 12)}…; learn it under these weights (learn-policy --cost)`;
  return [{ path: ["costNetwork"], message }];
}

/** Sets the parameters; what is wrong with the lists. */
function fill(network: PolicyNetwork, lists: Readonly<Record<string, readonly number[]>>): Finding[] {
  const unknown = Object.keys(lists).filter((name) => !PARAMETER_NAMES.includes(name));
  const findings = unknown.map((name): Finding => {
    const message = `unknown layer; a policy has ${PARAMETER_NAMES.join(", ")}`;
    return { path: ["parameters", name], atKey: true, message };
  });
  for (const [p, { values }] of network.parameters().entries()) {
    const name = PARAMETER_NAMES[p] as string;
    const list = lists[name];
    if (list === undefined) {
      const message = `expected ${name}, a list of ${values.length} numbers, received nothing; learn the policy anew`;
      findings.push({ path: ["parameters"], message });
    } else if (list.length !== values.length) {
      const message = `expected ${values.length} numbers, received ${list.length}; learn the policy anew`;
      findings.push({ path: ["parameters", name], message });
    } else values.set(list);
  }
  return findings;
}

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
