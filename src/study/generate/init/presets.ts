import { readFileSync } from "node:fs";
import { join } from "node:path";
import { instancesFolder } from "../../../input/instances-folder.js";

/** A cluster whose numbers somebody has published. */
export interface Preset {
  readonly name: string;
  /** Where the numbers are from, and which of them are choices. */
  readonly source: string;
  readonly nodes: number;
  readonly gpusPerNode: number;
  /** All of a GPU's HBM. */
  readonly hbmBytes: number;
  /** Of a GPU to the other nodes, and to those of its own, in one direction: bytes per second. */
  readonly network: number;
  readonly nvlink: number;
  /** All-reduce over all GPUs and between the nodes, where measured: bytes of parameters per second. */
  readonly allReduce?: { readonly global: number; readonly cross: number };
}

/** FlexShard takes an all-reduce to be so many times as fast as the all-to-all. */
const ALL_REDUCE = 3;

/** A ring's all-reduce sends every byte twice. */
const RING = 2;

/** From one of this package's own files, whose shape is this type. */
export const PRESETS: readonly Preset[] = JSON.parse(
  readFileSync(join(instancesFolder(), "paper", "clusters.published.json"), "utf8"),
);

/** Bytes per second per GPU of the collectives of row tiers. */
export function bandwidthOf({ network, nvlink, allReduce }: Preset) {
  return {
    allToAllGlobal: network,
    allToAllIntra: nvlink,
    allReduceGlobal: allReduce?.global ?? ALL_REDUCE * network,
    allReduceCross: allReduce?.cross ?? network / RING,
  };
}
