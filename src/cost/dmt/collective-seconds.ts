import { Rational } from "../../exact/rational.js";
import type { StepTraffic } from "./steps.js";
import { busiest, WIRES, type Wire } from "./traffic.js";

/** A measured bandwidth: what each rank moves in one direction while `world` ranks run one collective. */
export interface BandwidthPoint {
  readonly world: number;
  readonly bytesPerSecond: number;
}

/**
 * Bandwidth at a world size, linearly between the two points around it and that of the nearest point beyond them. DMT's
 * figure 5 shows why it depends on the world: a collective's bandwidth falls as more ranks take part.
 *
 * `points` ascend in `world`. Throws `RangeError` where there is none, they do not ascend or a bandwidth is not positive.
 */
export function bandwidthAt(points: readonly BandwidthPoint[], world: number): Rational {
  points.forEach((point, k) => {
    if (!(point.bytesPerSecond > 0 && Number.isFinite(point.bytesPerSecond))) {
      throw new RangeError(`a bandwidth of ${point.bytesPerSecond} bytes per second is not positive`);
    }
    if (k > 0 && point.world <= (points[k - 1] as BandwidthPoint).world) {
      throw new RangeError(
        `bandwidths must ascend in the size of the world: ${point.world} is not above the one before`,
      );
    }
  });
  const above = points.findIndex((point) => point.world >= world);
  const upper = points[above] ?? points.at(-1);
  if (upper === undefined) throw new RangeError("a table of bandwidths needs a point");
  const lower = points[above - 1];
  const top = Rational.fromNumber(upper.bytesPerSecond);
  if (lower === undefined) return top;
  const bottom = Rational.fromNumber(lower.bytesPerSecond);
  const share = Rational.fromNumber(world - lower.world).divide(Rational.fromNumber(upper.world - lower.world));
  return bottom.add(share.multiply(top.subtract(bottom)));
}

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

/** Everything that an iteration does one after the other. */
export interface Iteration {
  /** Seconds of dense layers, look-ups and all else that is not communication. */
  readonly computeSeconds: Rational;
  /** Steps of the embedding exchange that nothing hides. */
  readonly exposed: readonly StepTraffic[];
}

/** Seconds of the exposed steps of an exchange. */
export function exchangeSeconds(steps: readonly StepTraffic[], speeds: WireSpeeds): Rational {
  return steps.reduce((sum, step) => sum.add(stepSeconds(step, speeds)), Rational.zero);
}

/** Seconds of an iteration: compute + exposed steps, each latency + bytes / bandwidth(world). */
export function iterationSeconds({ computeSeconds, exposed }: Iteration, speeds: WireSpeeds): Rational {
  return computeSeconds.add(exchangeSeconds(exposed, speeds));
}
