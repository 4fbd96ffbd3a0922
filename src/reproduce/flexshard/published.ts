import type { Tier } from "../../instance/types/row-tiers.js";
import { publishedNumbers } from "../published-numbers.js";

/** The collectives that table 6 has times of. */
export const PUBLISHED_COLLECTIVES = ["allToAllGlobal", "allToAllIntra", "allReduceGlobal", "allReduceCross"] as const;
export type PublishedCollective = (typeof PUBLISHED_COLLECTIVES)[number];

/** The shardings of tables 5 and 6, by the paper's names, and the methods here that make them. */
export const PUBLISHED_SHARDINGS = {
  RW: "row-wise",
  "2-tier": "flexshard-2tier",
  "3-tier": "flexshard-3tier",
} as const;

export type PublishedSharding = keyof typeof PUBLISHED_SHARDINGS;

/** One model and sharding of the paper: a row of table 6 with its row of table 5 (which has none for RW). */
export interface PublishedRow {
  readonly sharding: PublishedSharding;
  /** Table 5: rows of each tier and the share of accesses (0 to 1) that they take; `null` for RW. */
  readonly tiers: Readonly<Partial<Record<Tier, { readonly rows: number; readonly share: number }>>> | null;
  /** Table 6: elements that a GPU sends in one direction of the global all-to-all; their bytes are four times as many. */
  readonly allToAllGlobalElements: number;
  /** Table 6: 1 − elements over those of RW, as printed; `null` for RW. */
  readonly reduction: number | null;
  /** Table 6: measured milliseconds of all passes of an iteration, printed to the millisecond. */
  readonly milliseconds: Readonly<Partial<Record<PublishedCollective, number>>>;
}

export interface PublishedModel {
  readonly model: string;
  /** Table 4, as rounded there; bytes are decimal. */
  readonly specification: {
    readonly meanLength: number;
    readonly rows: number;
    readonly gigabytes: number;
    readonly activationGigabytes: number;
  };
  /** File in the folder instances. */
  readonly instance: string;
  readonly rows: readonly PublishedRow[];
}

/**
 * Tables 5 and 6 of G. Sethi, P. Bhattacharya, D. Choudhary, C.-J. Wu, C. Kozyrakis: FlexShard: Flexible Sharding for
 * Industry-Scale Sequence Recommendation Models (2023), for the models of table 4 on 4 nodes of 8 GPUs.
 */
export const { models: PUBLISHED_MODELS, text: PUBLISHED_TEXT } = publishedNumbers<{
  readonly models: readonly PublishedModel[];
  readonly text: PublishedText;
}>("flexshard");

/** Numbers of the text and of the abstract. */
interface PublishedText {
  /** Section 6.2: end-to-end throughput of RM-1 over RW, less 1. */
  readonly throughput: Readonly<Record<"2-tier" | "3-tier", number>>;
  /** Section 6.3: measured memory per GPU below RW's, RM-1, GiB. */
  readonly memoryBelowRowWise: Readonly<Record<"2-tier" | "3-tier", number>>;
  /** Abstract: "over 85 %" less traffic in the global all-to-all, and communication "nearly 6x" faster (figure 7). */
  readonly reduction: number;
  readonly faster: number;
}
