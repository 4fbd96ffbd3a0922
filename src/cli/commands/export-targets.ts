/** What a plan can be exported to. */
export const EXPORT_TARGETS = ["remap", "torchrec", "lp", "mps", "vipr"] as const;

export type ExportTarget = (typeof EXPORT_TARGETS)[number];
