import { z } from "zod";
import { type DataType, ELEMENT_BYTES } from "../../instance/data-type.js";
import { positive, positiveInteger } from "../../instance/schema/fields.js";
import { positiveBytes } from "../../instance/schema/quantities.js";

/** Options that the generators of tables share. */

export const tableCount = positiveInteger("number of tables");

export const nodes = positiveInteger("number of nodes").default(1);

export const gpusPerNode = (count: number) => positiveInteger("GPUs of one node").default(count);

export const hbmBytesPerGpu = (bytes: number) =>
  positiveBytes("bytes of a GPU that tables may use, where tightness does not say").prefault(bytes);

export const tightness = positive("memory of a GPU over the tables' mean need, and at least the largest table");

export const dims = (list: number[]) =>
  z.array(positiveInteger("elements per row")).min(1).default(list).describe("elements per row, one drawn");

/** A table in the keys of an instance file. */
export interface DrawnTable {
  readonly name: string;
  readonly rows: number;
  readonly dim: number;
  readonly dataType: DataType;
}

/** The part of `cluster` that the tables decide: a given memory, or what `tightness` makes of their bytes. */
export function clusterOf(
  options: {
    readonly nodes: number;
    readonly gpusPerNode: number;
    readonly hbmBytesPerGpu: number;
    readonly tightness?: number | undefined;
  },
  tables: readonly DrawnTable[],
): { nodes: number; gpusPerNode: number; hbmBytesPerGpu: number } {
  const { nodes, gpusPerNode, hbmBytesPerGpu, tightness } = options;
  const bytes = tables.map(({ rows, dim, dataType }) => rows * dim * ELEMENT_BYTES[dataType]);
  const memory = tightness === undefined ? hbmBytesPerGpu : tightMemory(bytes, nodes * gpusPerNode, tightness);
  return { nodes, gpusPerNode, hbmBytesPerGpu: memory };
}

/** Bytes of a device: so many times the mean need, and at least the largest table. */
export function tightMemory(bytes: readonly number[], devices: number, tightness: number, largest?: number): number {
  const need = bytes.reduce((sum, own) => sum + own, 0);
  return Math.ceil(Math.max((tightness * need) / devices, largest ?? Math.max(...bytes)));
}
