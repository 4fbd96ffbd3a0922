/** Hot rows end at break-points of a table's access curve, of which so many are options. */
export interface HotRowsChoice {
  readonly maxPoints: number;
}

/** The load factors that are options: at so many break-points of a table's access curve, or these. */
export type CachesChoice = { readonly maxPoints: number } | { readonly loadFactors: readonly number[] };
