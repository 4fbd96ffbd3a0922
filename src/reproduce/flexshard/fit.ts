/** One measurement: bytes moved and the seconds that took. */
export interface Measurement {
  readonly bytes: number;
  readonly seconds: number;
}

/** seconds = latencySeconds + bytes / bytesPerSecond. */
export interface TimeModel {
  readonly latencySeconds: number;
  readonly bytesPerSecond: number;
}

/**
 * The time model with the least Σ ((predicted − seconds) / seconds)²: relative, because the measurements span more than a
 * factor of ten and all of them are rounded alike.
 *
 * With `latency` false the latency is 0. With it, a latency that comes out negative is no time and is set to 0 as well.
 * Throws `RangeError` when the measurements do not determine the model: fewer than its parameters, or, with latency, all
 * of the same size; or when they fall with size, so that no bandwidth fits.
 */
export function fitTimeModel(measurements: readonly Measurement[], latency: boolean): TimeModel {
  if (measurements.length < (latency ? 2 : 1)) throw new RangeError("too few measurements for the time model");
  // In units of each measured time: predicted/seconds = latency·u + v/bytesPerSecond with u = 1/seconds, v = bytes/seconds.
  let uu = 0;
  let uv = 0;
  let vv = 0;
  let u = 0;
  let v = 0;
  for (const { bytes, seconds } of measurements) {
    const perSecond = 1 / seconds;
    const rate = bytes / seconds;
    uu += perSecond * perSecond;
    uv += perSecond * rate;
    vv += rate * rate;
    u += perSecond;
    v += rate;
  }
  if (latency) {
    const determinant = uu * vv - uv * uv;
    if (!(determinant > uu * vv * Number.EPSILON)) throw new RangeError("measurements of one size do not show latency");
    const latencySeconds = (u * vv - v * uv) / determinant;
    const secondsPerByte = (v * uu - u * uv) / determinant;
    if (!(secondsPerByte > 0)) throw new RangeError("times that fall with size have no bandwidth");
    if (latencySeconds >= 0) return { latencySeconds, bytesPerSecond: 1 / secondsPerByte };
  }
  if (!(v > 0)) throw new RangeError("measurements of no bytes have no bandwidth");
  return { latencySeconds: 0, bytesPerSecond: vv / v };
}

/** Seconds for these bytes; 0 for none, because nothing is called then. */
export function predictSeconds({ latencySeconds, bytesPerSecond }: TimeModel, bytes: number): number {
  return bytes === 0 ? 0 : latencySeconds + bytes / bytesPerSecond;
}
