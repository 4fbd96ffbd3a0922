import { hashedOnce } from "../hash.js";
import type { Grouping } from "./grouping.js";

/**
 * SHA-256 (hexadecimal) of a grouping's meaning: elements, number of clusters, pairs, share, windows, loads and
 * conflicts, all exact. The grouping's own name does not count.
 */
export const groupingHash = hashedOnce((hash, grouping: Grouping) => {
  const { elements, clusters, pairs, share, windows, load, furtherLoads = [], conflicts = [] } = grouping;
  hash.update(`shardproof-grouping 1\n${JSON.stringify(elements)} ${clusters} ${share}\n`);
  hash.update(`w ${windows.map(({ least, most }) => `${least}:${most}`).join(" ")}\n`);
  hash.update(`p ${pairs.join(" ")}\n`);
  hash.update(load === null ? "-\n" : `l ${load.most} ${load.weights.join(" ")}\n`);
  for (const { most, weights } of furtherLoads) hash.update(`f ${most} ${weights.join(" ")}\n`);
  for (const conflict of conflicts) {
    hash.update(`c ${conflict.map(({ elements: some, count }) => `${count}:${some.join()}`).join(" ")}\n`);
  }
});
