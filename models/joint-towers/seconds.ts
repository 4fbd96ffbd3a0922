import { ranksPerTower, type Tower } from "../../src/access/traffic/exchange.js";
import { exchangeSeconds, stepSeconds, wireSeconds } from "../../src/cost/dmt/collective-seconds.js";
import { flatSteps, peerExchange, type StepTraffic, spttSteps } from "../../src/cost/dmt/steps.js";
import { reversed, WIRES } from "../../src/cost/dmt/traffic.js";
import type { Workload } from "../../src/cost/dmt/workload.js";
import { Rational } from "../../src/exact/rational.js";
import type { TowerJoint, TowerTable } from "../../src/instance/types/tower-partition.js";
import type { ShardNeed } from "../table-placement/problem.js";
import { bytesPerElement } from "./element-seconds.js";
import { moduleOutput, speedsOf, type TowerShape, worldOf } from "./setting.js";
import { hasFreedoms, mostParts, optionsOf } from "./table-options.js";

/** The seconds of an exchange, exactly. */
export interface ExchangeSeconds {
  /** What an iteration waits for: all steps but the ids, forward and backward. */
  readonly exposed: Rational;
  /** Step a, which is fetched ahead (DMT, section 5.1). */
  readonly ids: Rational;
}

/** The seconds of SPTT. */
export function spttSeconds(joint: TowerJoint, workload: Workload): ExchangeSeconds {
  return secondsOf(joint, spttSteps(workload));
}

/** The seconds of the flat exchange of the same tables at the same places. */
export function flatSeconds(joint: TowerJoint, workload: Workload): ExchangeSeconds {
  return secondsOf(joint, flatSteps(workload));
}

function secondsOf(joint: TowerJoint, steps: readonly StepTraffic[]): ExchangeSeconds {
  const speeds = speedsOf(joint);
  return {
    exposed: exchangeSeconds(
      steps.filter(({ step }) => step !== "a"),
      speeds,
    ),
    ids: exchangeSeconds(
      steps.filter(({ step }) => step === "a"),
      speeds,
    ),
  };
}

/**
 * The exposed seconds of SPTT where no GPU looks up more than `largest` elements per sample, of given towers: step f, which
 * the towers' features decide alone, and step d as long as its busiest GPU needs, both in both passes.
 *
 * It rises with `largest`, so that a bound of that bounds the seconds. `towers` are lists of features.
 */
export function secondsOfLargest(
  joint: TowerJoint,
  shape: TowerShape,
  towers: readonly (readonly number[])[],
  largest: Rational,
): Rational {
  return towerSeconds(joint, shape, largest).add(peerSeconds(joint, shape, towers));
}

/**
 * The exposed seconds that no partition into so many towers is below, wherever its tables lie. All GPUs together look
 * up every element of a sample, and one of them a part of each table; towers put out as much together whatever their
 * features, and the one that puts out most sends it to all others.
 */
export function leastSeconds(joint: TowerJoint, shape: TowerShape): Rational {
  const { cluster, tables } = joint;
  const all = tables.reduce((sum, { dim }) => sum + dim, 0);
  const perTower = ranksPerTower(worldOf(joint, shape));
  const largest = hasFreedoms(joint)
    ? leastOfOptions(joint, shape)
    : tables.reduce(
        (most, { dim }) => Math.max(most, Math.ceil(dim / mostParts(dim, perTower))),
        Math.ceil(all / (cluster.nodes * cluster.gpusPerNode)),
      );
  const outputs =
    joint.modules === null ? all : joint.modules.perFeature * tables.length + joint.modules.perTower * shape.towers;
  const fullest = Math.ceil(((joint.modules?.width ?? 1) * outputs) / shape.towers);
  const sent = BigInt(fullest) * BigInt(shape.towers - 1) * BigInt(joint.batchPerGpu) * BigInt(joint.wireElementBytes);
  const peers = wireSeconds(speedsOf(joint).acrossHosts, shape.towers, Rational.of(sent));
  return towerSeconds(joint, shape, Rational.fromNumber(largest)).add(peers).add(peers);
}

/**
 * With hot rows and caches: what the busiest GPU of some tower has at least, in elements. All GPUs together have the least that
 * each table's options cost, one of them no less than the mean, nor less than the largest shard of some option of each table.
 */
function leastOfOptions(joint: TowerJoint, shape: TowerShape): number {
  const { nodes, gpusPerNode } = joint.cluster;
  let [all, most] = [Rational.zero, 0];
  for (const table of joint.tables) {
    const options = optionsOf(joint, shape, table);
    all = all.add(leastOf(options.map(({ shards }) => sumOf(shards.map(partsOf)))));
    most = Math.max(most, Math.min(...options.map(({ shards }) => Math.max(...shards.map(largestPart)))));
  }
  // In doubles, down: a mean that bounds from below.
  return Math.max(most, all.divide(Rational.of(BigInt(nodes * gpusPerNode))).toNumberDown());
}

/** What a shard adds to the phases, or to the one sum; a double of the sum of two might be above it. */
const partsOf = ({ cost, phases = [cost] }: ShardNeed) => sumOf(phases.map(Rational.fromNumber));
const largestPart = ({ cost, phases = [cost] }: ShardNeed) => Math.max(...phases);
const sumOf = (values: readonly Rational[]) => values.reduce((sum, each) => sum.add(each), Rational.zero);
const leastOf = (values: readonly Rational[]) =>
  values.reduce((least, each) => (each.compare(least) < 0 ? each : least));

/** The same of the flat exchange: its step c is step d of one tower of all hosts. */
export function flatSecondsOfLargest(joint: TowerJoint, largest: Rational): Rational {
  return towerSeconds(joint, { towers: 1, hostsPerTower: joint.cluster.nodes }, largest);
}

/**
 * Step d, forward and backward, whose busiest GPU looks up `largest` elements per sample: it sends T·B·s·largest bytes to each
 * of the L − 1 others of its host and to each of the M − L of the tower's other hosts, and no GPU receives more.
 */
function towerSeconds(joint: TowerJoint, shape: TowerShape, largest: Rational): Rational {
  const ranks = ranksPerTower(worldOf(joint, shape));
  const speeds = speedsOf(joint);
  const bytes = bytesPerElement(joint, shape);
  const pass = WIRES.map((wire) => wireSeconds(speeds[wire], ranks, largest.multiply(bytes[wire])));
  const slowest = pass.reduce((most, each) => (each.compare(most) > 0 ? each : most));
  return slowest.add(slowest);
}

/** Step f, forward and backward. */
function peerSeconds(joint: TowerJoint, shape: TowerShape, towers: readonly (readonly number[])[]): Rational {
  const dims = towers.map((features): Tower => {
    const outputDim = moduleOutput(joint, features.length);
    return {
      // Where the tables lie is of no weight to step f.
      features: features.map((feature) => ({
        ...{ dim: (joint.tables[feature] as TowerTable).dim, hotness: 1 },
        sharding: { kind: "table", slot: 0 },
      })),
      ...(outputDim === undefined ? {} : { outputDim }),
    };
  });
  const { batchPerGpu: localBatch, wireElementBytes: elementBytes } = joint;
  const workload = { world: worldOf(joint, shape), towers: dims, localBatch, elementBytes, idBytes: 0, lengthBytes: 0 };
  const traffic = peerExchange(workload);
  const seconds = (of: typeof traffic) =>
    stepSeconds({ world: shape.towers, traffic: of, pass: "forward", step: "f" }, speedsOf(joint));
  return seconds(traffic).add(seconds(reversed(traffic)));
}
