import type { Collective } from "../../../instance/cluster.js";
import { colour } from "../../../report/palette.js";

/** Tiers with their colours, from those that suit the hottest rows. */
export const TIER_COLOURS: Readonly<Record<string, string>> = {
  data_parallel: colour.vermilion,
  flex: colour.orange,
  row_wise: colour.blue,
  column_wise: colour.sky,
  host: colour.purple,
};

/** What a tier does with its rows. */
export const TIER_WORDS: Readonly<Record<string, string>> = {
  data_parallel: "copied to every GPU",
  flex: "sharded inside every node",
  row_wise: "sharded over all GPUs",
  column_wise: "cut by columns over all GPUs",
  host: "in host memory",
};

export const COLLECTIVE_COLOURS: Readonly<Record<Collective, string>> = {
  allToAllGlobal: colour.blue,
  allToAllIntra: colour.sky,
  allReduceGlobal: colour.vermilion,
  allReduceCross: colour.orange,
  hostToDevice: colour.purple,
};
