import { secondsPerElement, slowestWire } from "../../../../models/joint-towers/element-seconds.js";
import { speedsOf, type TowerShape, worldOf } from "../../../../models/joint-towers/setting.js";
import { chosenOption, type PlacedTower } from "../../../../models/joint-towers/workload.js";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import { hotCopies } from "../../../../models/table-placement/hot-rows.js";
import { ranksPerTower } from "../../../access/traffic/exchange.js";
import { bandwidthAt } from "../../../cost/dmt/collective-seconds.js";
import { Rational } from "../../../exact/rational.js";
import type { TowerJoint } from "../../../instance/types/tower-partition.js";
import { nearest } from "../../../plan-file/rounding.js";
import type { JointStep } from "./plan-file.js";

/** The steps of an exchange with those that caches and hot rows add: misses are read before vectors are sent, copies synchronised last. */
export function withMemorySteps(
  joint: TowerJoint,
  shape: TowerShape,
  steps: readonly JointStep[],
  placed: readonly PlacedTower[],
): readonly JointStep[] {
  const [ids, ...others] = steps as [JointStep, ...JointStep[]];
  return [ids, ...fetchStep(joint, shape, placed), ...others, ...syncStep(joint, shape, placed)];
}

function fetchStep(joint: TowerJoint, shape: TowerShape, placed: readonly PlacedTower[]): readonly JointStep[] {
  const { host } = joint.cluster;
  if (joint.caches === undefined || host === undefined) return [];
  const fetched = placed.map(({ problem, placement }) => {
    return evaluatePlacement(problem, placement).phaseMaxima?.[1]?.largest ?? Rational.zero;
  });
  const most = fetched.reduce((largest, each) => (each.compare(largest) > 0 ? each : largest), Rational.zero);
  const seconds = most.multiply(secondsPerElement(joint, shape));
  const bytes = seconds.multiply(Rational.fromNumber(host.bytesPerSecond));
  return [
    {
      ...{ pass: "forward", step: "b", world: 1, insideHostBytes: 0, acrossHostsBytes: 0 },
      hostMemoryBytes: nearest(bytes),
      seconds: nearest(seconds),
    },
  ];
}

function syncStep(joint: TowerJoint, shape: TowerShape, placed: readonly PlacedTower[]): readonly JointStep[] {
  const world = ranksPerTower(worldOf(joint, shape));
  if (joint.hotRows === undefined || world === 1) return [];
  const copied = placed.map(({ features, problem, placement }) =>
    features.reduce((sum, _, k) => sum + (hotCopies(chosenOption(problem, placement, k))[0]?.hbmBytes ?? 0), 0),
  );
  const most = Rational.fromNumber(copied.reduce((largest, each) => Math.max(largest, each), 0));
  // A ring all-reduce sends and receives so much of what it adds up.
  const bytes = most.multiply(Rational.of(2n * BigInt(world - 1), BigInt(world)));
  const wire = slowestWire(joint, shape);
  const seconds = bytes.divide(bandwidthAt(speedsOf(joint)[wire].bandwidth, world));
  const sent = nearest(bytes);
  return [
    {
      ...{ pass: "backward", step: "sync", world },
      insideHostBytes: wire === "insideHost" ? sent : 0,
      acrossHostsBytes: wire === "acrossHosts" ? sent : 0,
      seconds: nearest(seconds),
    },
  ];
}
