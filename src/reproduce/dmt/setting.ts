import type { Tower } from "../../access/traffic/exchange.js";
import { evenColumns, type Workload } from "../../cost/dmt/workload.js";
import { DIM, dmtDcn, dmtDlrm, type Family, FEATURES, type ModelWork, towerSizes } from "./models.js";

/** The setting of the paper's measurements (section 5.3.1). */
export const GPUS_PER_HOST = 8;
export const LOCAL_BATCH = 16 * 1024;
/** 2 hosts to 64. */
export const WORLDS: readonly number[] = [16, 32, 64, 128, 256, 512];

const WIRE = { localBatch: LOCAL_BATCH, elementBytes: 2, idBytes: 8, lengthBytes: 4 };

/** Their widths. */
const ALL_TABLES = new Array<number>(FEATURES).fill(DIM);

/** The flat exchange on `ranks` GPUs: the columns of all tables spread evenly over them, as the baseline's planner does. */
export function flatSetting(ranks: number): Workload {
  const world = { ranks, gpusPerHost: GPUS_PER_HOST, hostsPerTower: ranks / GPUS_PER_HOST };
  return { world, towers: [{ features: spread(ALL_TABLES, ranks) }], ...WIRE };
}

/** DMT's model for `ranks` GPUs, one tower per host; beyond 26 hosts the one of 26 towers. */
export function dmtModel(family: Family, ranks: number): ModelWork {
  const towers = Math.min(ranks / GPUS_PER_HOST, FEATURES);
  return family === "DLRM" ? dmtDlrm(towers) : dmtDcn(towers);
}

/**
 * SPTT on `ranks` GPUs, one tower per host, the columns of each tower's tables spread evenly over its GPUs. With `modules`
 * they put out what the model's do; without, vectors go out as they are.
 *
 * Where there are more hosts than features, tables are parted by columns into as many towers as hosts (the paper's footnote
 * 1), so that each has an even share of the columns, and each module puts out the same share of what it gets.
 */
export function spttSetting(ranks: number, modules: ModelWork | null): Workload {
  const towerCount = ranks / GPUS_PER_HOST;
  const outputs = modules?.towers.map(({ outputDim }) => outputDim);
  const towers = towerCount <= FEATURES ? wholeTables(towerCount, outputs) : partedTables(towerCount, outputs);
  return { world: { ranks, gpusPerHost: GPUS_PER_HOST, hostsPerTower: 1 }, towers, ...WIRE };
}

function wholeTables(towerCount: number, outputs: readonly number[] | undefined): readonly Tower[] {
  return towerSizes(towerCount).map((size, t) => {
    const features = spread(new Array<number>(size).fill(DIM), GPUS_PER_HOST);
    return { features, ...(outputs === undefined ? {} : { outputDim: outputs[t] as number }) };
  });
}

function partedTables(towerCount: number, outputs: readonly number[] | undefined): readonly Tower[] {
  const towers: number[][] = Array.from({ length: towerCount }, () => []);
  for (const { sharding } of spread(ALL_TABLES, towerCount)) {
    if (sharding.kind !== "columns") continue;
    for (const { slot, columns } of sharding.shards) towers[slot]?.push(columns);
  }
  const put = outputs?.reduce((sum, output) => sum + output, 0);
  return towers.map((dims) => ({
    features: spread(dims, GPUS_PER_HOST),
    ...(put === undefined ? {} : { outputDim: put / towerCount }),
  }));
}

/** Tables of these widths, one id each, their columns spread evenly over so many slots. */
function spread(dims: readonly number[], slots: number): Tower["features"] {
  return evenColumns(dims, slots).map((sharding, k) => ({ dim: dims[k] as number, hotness: 1, sharding }));
}
