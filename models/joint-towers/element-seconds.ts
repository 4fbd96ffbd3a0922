import { bandwidthAt } from "../../src/cost/dmt/collective-seconds.js";
import { WIRES, type Wire } from "../../src/cost/dmt/traffic.js";
import { Rational } from "../../src/exact/rational.js";
import type { TowerJoint } from "../../src/problems/tower-partition/instance/instance.js";
import { ranksPerTower } from "../../src/traffic/exchange.js";
import { speedsOf, type TowerShape, worldOf } from "./setting.js";

/**
 * What one more element per sample on the busiest GPU adds to step d, forward and backward, over the kind of link that
 * more bytes keep busiest; 0 where a tower is one GPU. Latencies apart, that is what all of step d takes for each element.
 */
export function secondsPerElement(joint: TowerJoint, shape: TowerShape): Rational {
  const both = Rational.of(2n);
  return slopesOf(joint, shape)[slowestWire(joint, shape)].multiply(both);
}

/** The kind of link on which step d of a tower takes longest for each byte. */
export function slowestWire(joint: TowerJoint, shape: TowerShape): Wire {
  const slopes = slopesOf(joint, shape);
  return slopes.acrossHosts.compare(slopes.insideHost) > 0 ? "acrossHosts" : "insideHost";
}

/**
 * Whether one kind of link is the slower in step d however many elements there are, so that its seconds are a latency and as much
 * for each element. Where latencies make the other one the slower of few elements they are not.
 */
export function hasOneSlowestWire(joint: TowerJoint, shape: TowerShape): boolean {
  const slopes = slopesOf(joint, shape);
  const slowest = slowestWire(joint, shape);
  const speeds = speedsOf(joint);
  return WIRES.every(
    (wire) => slopes[wire].sign() === 0 || speeds[wire].latencySeconds <= speeds[slowest].latencySeconds,
  );
}

/** Seconds of a pass of step d for an element, by the kind of link. */
function slopesOf(joint: TowerJoint, shape: TowerShape): Readonly<Record<Wire, Rational>> {
  const { cluster, batchPerGpu, wireElementBytes } = joint;
  const ranks = ranksPerTower(worldOf(joint, shape));
  const speeds = speedsOf(joint);
  const toEach = Rational.of(BigInt(shape.towers) * BigInt(batchPerGpu) * BigInt(wireElementBytes));
  const slope = (wire: Wire, others: number) =>
    others === 0
      ? Rational.zero
      : toEach.multiply(Rational.of(BigInt(others))).divide(bandwidthAt(speeds[wire].bandwidth, ranks));
  return {
    insideHost: slope("insideHost", cluster.gpusPerNode - 1),
    acrossHosts: slope("acrossHosts", ranks - cluster.gpusPerNode),
  };
}
