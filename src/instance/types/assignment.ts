import type { Tier } from "./row-tiers.js";

/** Neighbouring rows, in a table's order of falling access, that go to the same tier. */
export interface Run {
  readonly rows: number;
  readonly tier: Tier;
}

/** A plan's decision in full: for each table, runs over its rows from the hottest to the coldest. */
export type Assignment = readonly (readonly Run[])[];

/** An assignment that does not fit its instance; the message says where. */
export class AssignmentError extends Error {
  override readonly name = "AssignmentError";
}
