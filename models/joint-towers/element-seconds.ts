import { ranksPerTower } from "../../src/access/traffic/exchange.js";
import { bandwidthAt } from "../../src/cost/dmt/collective-seconds.js";
import { WIRES, type Wire } from "../../src/cost/dmt/traffic.js";
import { Rational } from "../../src/exact/rational.js";
import type { TowerJoint } from "../../src/instance/types/tower-partition.js";
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

/**
 * Bytes that a GPU sends in a pass of step d for each element that it looks up per sample, by the kind of link: T·B·s to each of the
 * L − 1 others of its host and of the M − L of the tower's other hosts.
 */
export function bytesPerElement(joint: TowerJoint, shape: TowerShape): Readonly<Record<Wire, Rational>> {
  const { cluster, batchPerGpu, wireElementBytes } = joint;
  const toEach = BigInt(shape.towers) * BigInt(batchPerGpu) * BigInt(wireElementBytes);
  const toAll = (others: number) => Rational.of(toEach * BigInt(others));
  return {
    insideHost: toAll(cluster.gpusPerNode - 1),
    acrossHosts: toAll(ranksPerTower(worldOf(joint, shape)) - cluster.gpusPerNode),
  };
}

/** Seconds of a pass of step d for an element, by the kind of link. */
function slopesOf(joint: TowerJoint, shape: TowerShape): Readonly<Record<Wire, Rational>> {
  const ranks = ranksPerTower(worldOf(joint, shape));
  const speeds = speedsOf(joint);
  const bytes = bytesPerElement(joint, shape);
  const slope = (wire: Wire) =>
    bytes[wire].sign() === 0 ? Rational.zero : bytes[wire].divide(bandwidthAt(speeds[wire].bandwidth, ranks));
  return { insideHost: slope("insideHost"), acrossHosts: slope("acrossHosts") };
}
