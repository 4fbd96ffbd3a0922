import { Rational } from "../../exact/rational.js";

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
