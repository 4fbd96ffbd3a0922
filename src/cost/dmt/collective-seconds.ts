import { Rational } from "../../exact/rational.js";
import { type BandwidthPoint, bandwidthAt } from "./bandwidth.js";
import type { StepTraffic } from "./steps.js";
import { busiest, WIRES, type Wire } from "./traffic.js";

/** How fast a kind of link is. */
export interface WireSpeed {
  /** Seconds that a collective takes beside its bytes. */
  readonly latencySeconds: number;
  /** Bytes per second and rank, in one direction, by the ranks of the collective. */
  readonly bandwidth: readonly BandwidthPoint[];
}

export type WireSpeeds = Readonly<Record<Wire, WireSpeed>>;

/** Seconds of `bytes` bytes per rank in a collective of `world` ranks: latency + bytes / bandwidth(world); 0 for none. */
export function wireSeconds({ latencySeconds, bandwidth }: WireSpeed, world: number, bytes: Rational): Rational {
  if (bytes.sign() === 0) return Rational.zero;
  return Rational.fromNumber(latencySeconds).add(bytes.divide(bandwidthAt(bandwidth, world)));
}

/**
 * Seconds of a step of an exchange: both kinds of links carry their bytes at once, each as long as its busiest rank needs,
 * and the slower ends the step. Moves in a rank's own memory count nothing.
 */
export function stepSeconds({ world, traffic }: StepTraffic, speeds: WireSpeeds): Rational {
  const seconds = WIRES.map((wire) => wireSeconds(speeds[wire], world, busiest(traffic, wire)));
  return seconds.reduce((slowest, each) => (each.compare(slowest) > 0 ? each : slowest));
}
