/** The papers whose tables can be reproduced, and a table of our own. */
export const PAPERS = ["flexshard", "autoshard", "dmt", "joint"] as const;

export type Paper = (typeof PAPERS)[number];
