import type { RowClasses } from "../row-classes.js";

/** Kinds of links: a device's own memory, between devices of a host, between hosts. */
export const LINKS = ["own", "inside", "between"] as const;
export type LinkName = (typeof LINKS)[number];
export type LinkAmounts = Readonly<Record<LinkName, number>>;

/** The devices that traffic is sent to and comes from: device d in host ⌊d / perHost⌋. */
export interface PlacedFleet {
  readonly devices: number;
  readonly perHost: number;
}

/** What every device's samples look up in a table in one iteration. */
export interface PlacedFeature {
  /** Mean ids of a bag: ⌊length⌋, and once more with the probability of what is left. */
  readonly length: number;
  /** Bags of a device's samples, whole or on average. */
  readonly bags: number;
  /** Variance of a bag's ids, where it was measured; absent: that of a length as above. */
  readonly spread?: number;
}

/** A table of a plan, as its rows and shards lie. */
export interface PlacedTable {
  readonly name: string;
  /** Rows by how often they are read, the hottest first: what ids are drawn from. */
  readonly classes: RowClasses;
  /** Whether the instance says how often rows are read; otherwise all are read alike. */
  readonly hasAccess: boolean;
  readonly features: readonly PlacedFeature[];
  /** A bag gives one vector; otherwise every id does. */
  readonly isPooled: boolean;
  /** One, or the hot rows and then the others. */
  readonly parts: readonly PlacedPart[];
}

export type PartKind = "whole" | "hot" | "cold";

/** Rows of a table that are looked up as one: all, its hottest, or the others. */
export interface PlacedPart {
  readonly kind: PartKind;
  /** The rank, in falling order of access, of its first row. */
  readonly first: number;
  readonly rows: number;
  /**
   * How ids and vectors go: `none`, every device has all of it; `all-to-all`, a shard sends each bag's vector to the bag's device;
   * `grouped`, first to the device of its own group with the bag's device's number, which sends it on.
   */
  readonly exchange: "none" | "all-to-all" | "grouped";
  /** Devices of a group. */
  readonly groupSize: number;
  /** Rows of each block that the part is cut into. */
  readonly blocks: readonly number[];
  readonly shards: readonly { readonly block: number; readonly columns: number; readonly device: number }[];
  /** Of an id; of an element of a vector, to where it is added up, and from one group to another. */
  readonly bytes: { readonly id: number; readonly element: number; readonly betweenGroups: number };
  /** By feature: whether every bag gives a vector, also one without an id in this part. */
  readonly everyBag: readonly boolean[];
  /** Its hottest rows that a cache holds; `null`: it has none, or nothing is said of what misses it. */
  readonly cachedRows: number | null;
  readonly predicted: PredictedPart;
}

/** What the cost model says of a part, all devices together, in one iteration and its forward pass. */
export interface PredictedPart {
  /** Rows looked up. */
  readonly lookups: number;
  /** Rows that each of its shards looks up. */
  readonly lookupsOfShard: number;
  /** Bytes of ids. */
  readonly ids: LinkAmounts;
  /** Bags, or of a sequence ids, that give a vector; `null` where the cost model knows none. */
  readonly outputs: number | null;
  /** Bytes of vectors. */
  readonly vectors: LinkAmounts | null;
  /** Rows that are fetched into the cache; `null` without one. */
  readonly misses: number | null;
}

export function linkOf({ perHost }: PlacedFleet, from: number, to: number): number {
  if (from === to) return 0;
  return Math.floor(from / perHost) === Math.floor(to / perHost) ? 1 : 2;
}
