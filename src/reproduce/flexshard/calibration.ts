import { PASSES } from "../../cost/flexshard.js";
import type { RowTiersInstance } from "../../problems/row-tiers/instance/instance.js";
import { fitTimeModel, predictSeconds } from "./fit.js";
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
