import { publishedNumbers } from "../published-numbers.js";

/** The features that table 2 removes, one at a time; `size` is the product of rows, width and bytes per element. */
export const BLINDED_FEATURES = ["dim", "rows", "poolingFactor", "size", "accessBins"] as const;

export type BlindedFeature = (typeof BLINDED_FEATURES)[number];

/** Two numbers by which AutoShard measures placements (section 5.1). */
export interface PublishedPlacement {
  /** Smallest over largest device latency. */
  readonly balance: number;
  /** Largest device latency of random sharding over that of the method. */
  readonly speedup: number;
}

/**
 * What the text of AutoShard (Zha et al., KDD 2022) prints of its results on the synthetic tables, measured on a 2080 Ti. The
 * bars and curves of its figures 8 to 11 have no numbers; what the text says of them is in `claims.ts`.
 */
interface PublishedAutoShard {
  /** Sets of 10 tables, milliseconds and their squares. */
  readonly table3: Readonly<
    Record<"seen" | "unseen", Readonly<Record<"meanAbsoluteError" | "meanSquaredError", number>>>
  >;
  /** As section 5.5 reads it: with shares of unseen tables from 0 to 0.8, and with unseen ones alone. */
  readonly figure10: Readonly<Record<"some" | "all", PublishedPlacement>>;
  /** Seconds of a search of 1,000 random plans. */
  readonly figure9: Readonly<Record<"synthetic" | "production", number>>;
  /** Section 5.6: seconds of training until the balance is 80 %. */
  readonly training: number;
  readonly table2: Readonly<Record<"full" | "withoutCostModel", PublishedPlacement>> & {
    readonly without: Readonly<Record<BlindedFeature, PublishedPlacement>>;
  };
}

export const PUBLISHED = publishedNumbers<PublishedAutoShard>("autoshard");
