import type { Path } from "../document.js";

/** An option as an instance lists it, whatever its needs say. */
interface ListedNeeds<Need> {
  readonly shards: readonly (readonly [count: number, need: Need])[];
  readonly hot?: { readonly need: Need } | undefined;
}

/** Every need that an option lists, of its shards and of the copies of its hot rows, and where it stands below the option. */
export function listedNeeds<Need>({ shards, hot }: ListedNeeds<Need>): { readonly need: Need; readonly path: Path }[] {
  const ofShards = shards.map(([, need], k) => ({ need, path: ["shards", k, 1] }));
  return hot === undefined ? ofShards : [...ofShards, { need: hot.need, path: ["hot", "need"] }];
}
