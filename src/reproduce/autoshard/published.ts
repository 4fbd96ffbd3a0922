import type { BlindedFeature } from "./blinded.js";

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
export const PUBLISHED = {
  /** Table 3: sets of 10 tables, milliseconds and their squares. */
  table3: {
    seen: { meanAbsoluteError: 1.321, meanSquaredError: 3.408 },
    unseen: { meanAbsoluteError: 3.061, meanSquaredError: 10.835 },
  },
  /** Figure 10, as section 5.5 reads it: with shares of unseen tables from 0 to 0.8, and with unseen ones alone. */
  figure10: { some: { balance: 0.8, speedup: 1.6 }, all: { balance: 0.7, speedup: 1.6 } },
  /** Figure 9: seconds of a search of 1,000 random plans. */
  figure9: { synthetic: 9783, production: 14_599 },
  /** Section 5.6: seconds of training until the balance is 80 %. */
  training: 454,
  /** Table 2. */
  table2: {
    full: { balance: 0.886, speedup: 1.712 },
    withoutCostModel: { balance: 0.613, speedup: 1.42 },
    without: {
      dim: { balance: 0.876, speedup: 1.706 },
      rows: { balance: 0.878, speedup: 1.702 },
      poolingFactor: { balance: 0.459, speedup: 1.271 },
      size: { balance: 0.87, speedup: 1.683 },
      accessBins: { balance: 0.843, speedup: 1.688 },
    } satisfies Record<BlindedFeature, PublishedPlacement>,
  },
} as const;
