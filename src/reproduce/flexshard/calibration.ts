import { PASSES } from "../../cost/flexshard.js";
import type { RowTiersInstance } from "../../instance/types/row-tiers.js";
import {
  PUBLISHED_COLLECTIVES,
  PUBLISHED_MODELS,
  type PublishedCollective,
  type PublishedModel,
  type PublishedRow,
} from "./published.js";
import type { CollectiveFit } from "./reproduction.js";

/**
 * Collectives whose time the fit gives a latency. The all-reduces take 2 to 3 ms however little they carry, as table 6
 * shows; the all-to-alls, ten times larger, are proportional to their bytes.
 */
const WITH_LATENCY: Readonly<Record<PublishedCollective, boolean>> = {
  allToAllGlobal: false,
  allToAllIntra: false,
  allReduceGlobal: true,
  allReduceCross: true,
};

/**
 * Fits a time model to each collective's cells of table 6. The bytes come from the paper alone: the global all-to-all's
 * from table 6; the others' from the rows and shares of table 5 by the formulas of table 3. `instances` are those of
 * the published models, in their order (for the width of a row and the GPUs of a node).
 */
export function calibrate(instances: readonly RowTiersInstance[]): readonly CollectiveFit[] {
  return PUBLISHED_COLLECTIVES.map((collective) => {
    const measured = PUBLISHED_MODELS.flatMap((model, m) =>
      model.rows.flatMap((row) => {
        const publishedMilliseconds = row.milliseconds[collective];
        if (publishedMilliseconds === undefined) return [];
        const bytes = publishedBytes(instances[m] as RowTiersInstance, model, row, collective);
        return [{ model: model.model, sharding: row.sharding, bytes, publishedMilliseconds }];
      }),
    );
    const fitted = fitTimeModel(
      measured.map(({ bytes, publishedMilliseconds }) => ({ bytes, seconds: publishedMilliseconds / 1000 })),
      WITH_LATENCY[collective],
    );
    const cells = measured.map((cell) => {
      const fittedMilliseconds = predictSeconds(fitted, cell.bytes) * 1000;
      return { ...cell, fittedMilliseconds, residual: fittedMilliseconds / cell.publishedMilliseconds - 1 };
    });
    return { collective, ...fitted, cells };
  });
}

function publishedBytes(
  { tables, cluster }: RowTiersInstance,
  { rows }: PublishedModel,
  row: PublishedRow,
  collective: PublishedCollective,
): number {
  const [{ dim, elementBytes }] = tables as readonly [RowTiersInstance["tables"][number]];
  const rowBytes = dim * elementBytes;
  const passes = PASSES[collective];
  switch (collective) {
    case "allToAllGlobal":
      return passes * row.allToAllGlobalElements * elementBytes;
    case "allToAllIntra": {
      const rowWise = rows.find(({ sharding }) => sharding === "RW") as PublishedRow;
      return passes * rowWise.allToAllGlobalElements * elementBytes * (row.tiers?.flex?.share ?? 0);
    }
    case "allReduceGlobal":
      return passes * (row.tiers?.data_parallel?.rows ?? 0) * rowBytes;
    case "allReduceCross":
      return (passes * (row.tiers?.flex?.rows ?? 0) * rowBytes) / cluster.gpusPerNode;
  }
}

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
