import type { Tier } from "../../problems/row-tiers/instance/instance.js";

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

const rowWise = (elements: number, milliseconds: number): PublishedRow => ({
  sharding: "RW",
  tiers: null,
  allToAllGlobalElements: elements,
  reduction: null,
  milliseconds: { allToAllGlobal: milliseconds },
});

type Placed = readonly [rows: number, share: number];

const twoTier = (
  dataParallel: Placed,
  rest: Placed,
  [elements, reduction]: readonly [number, number],
  [allToAllGlobal, allReduceGlobal]: readonly [number, number],
): PublishedRow => ({
  sharding: "2-tier",
  tiers: { data_parallel: placed(dataParallel), row_wise: placed(rest) },
  allToAllGlobalElements: elements,
  reduction,
  milliseconds: { allToAllGlobal, allReduceGlobal },
});

const threeTier = (
  [dataParallel, flex, rest]: readonly [Placed, Placed, Placed],
  [elements, reduction]: readonly [number, number],
  [allToAllGlobal, allToAllIntra, allReduceGlobal, allReduceCross]: readonly [number, number, number, number],
): PublishedRow => ({
  sharding: "3-tier",
  tiers: { data_parallel: placed(dataParallel), flex: placed(flex), row_wise: placed(rest) },
  allToAllGlobalElements: elements,
  reduction,
  milliseconds: { allToAllGlobal, allToAllIntra, allReduceGlobal, allReduceCross },
});

function placed([rows, share]: Placed): { rows: number; share: number } {
  return { rows, share };
}

/**
 * Tables 5 and 6 of G. Sethi, P. Bhattacharya, D. Choudhary, C.-J. Wu, C. Kozyrakis: FlexShard: Flexible Sharding for
 * Industry-Scale Sequence Recommendation Models (2023), for the models of table 4 on 4 nodes of 8 GPUs.
 */
export const PUBLISHED_MODELS: readonly PublishedModel[] = [
  {
    model: "RM-1",
    specification: { meanLength: 1000, rows: 30_000_000, gigabytes: 30, activationGigabytes: 4.19 },
    instance: "paper/flexshard-rm1.yaml",
    rows: [
      rowWise(972_424_960, 307),
      twoTier([346_144, 0.525], [29_653_856, 0.475], [450_510_848, 0.537], [149, 3]),
      threeTier(
        [
          [100_064, 0.368],
          [1_184_544, 0.306],
          [28_715_392, 0.326],
        ],
        [297_697_024, 0.694],
        [99, 30, 3, 14],
      ),
    ],
  },
  {
    model: "RM-2",
    specification: { meanLength: 1000, rows: 30_000_000, gigabytes: 30, activationGigabytes: 4.19 },
    instance: "paper/flexshard-rm2.yaml",
    rows: [
      rowWise(958_656_768, 308),
      twoTier([507_072, 0.77], [29_492_928, 0.23], [220_126_208, 0.77], [80, 6]),
      threeTier(
        [
          [128_736, 0.639],
          [2_397_216, 0.217],
          [27_474_048, 0.144],
        ],
        [138_198_784, 0.856],
        [49, 21, 3, 27],
      ),
    ],
  },
  {
    model: "RM-3",
    specification: { meanLength: 500, rows: 10_000_000, gigabytes: 10, activationGigabytes: 2.1 },
    instance: "paper/flexshard-rm3.yaml",
    rows: [
      rowWise(466_826_496, 156),
      twoTier([115_296, 0.349], [9_884_704, 0.651], [311_369_728, 0.333], [101, 4]),
      threeTier(
        [
          [36_704, 0.227],
          [318_560, 0.259],
          [9_644_736, 0.514],
        ],
        [246_077_440, 0.473],
        [85, 13, 2, 5],
      ),
    ],
  },
  {
    model: "RM-4",
    specification: { meanLength: 500, rows: 10_000_000, gigabytes: 10, activationGigabytes: 2.1 },
    instance: "paper/flexshard-rm4.yaml",
    rows: [
      rowWise(473_709_312, 155),
      twoTier([184_864, 0.57], [9_815_136, 0.43], [201_887_232, 0.574], [72, 5]),
      threeTier(
        [
          [55_040, 0.39],
          [592_992, 0.36],
          [9_351_968, 0.25],
        ],
        [118_944_768, 0.748],
        [45, 18, 3, 9],
      ),
    ],
  },
];

/** Numbers of the text and of the abstract. */
export const PUBLISHED_TEXT = {
  /** Section 6.2: end-to-end throughput of RM-1 over RW, less 1. */
  throughput: { "2-tier": 0.61, "3-tier": 0.81 },
  /** Section 6.3: measured memory per GPU below RW's, RM-1, GiB. */
  memoryBelowRowWise: { "2-tier": 2.5, "3-tier": 1.5 },
  /** Abstract: "over 85 %" less traffic in the global all-to-all, and communication "nearly 6x" faster (figure 7). */
  reduction: 0.85,
  faster: 6,
} as const;
