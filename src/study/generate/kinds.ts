/** What can be drawn: row tiers, tables for placement, features for towers. */
export const GENERATOR_KINDS = ["rows", "tables", "towers"] as const;

export type GeneratorKind = (typeof GENERATOR_KINDS)[number];
