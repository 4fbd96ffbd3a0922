/** The papers whose tables can be reproduced. */
export const PAPERS = ["flexshard", "autoshard", "dmt"] as const;

export type Paper = (typeof PAPERS)[number];
