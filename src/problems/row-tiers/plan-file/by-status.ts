import { type ByStatus, statusTable } from "../../../plan-file/by-status.js";
import type { ROW_TIERS_PUBLISHED } from "../../../plan-file/method-names.js";
import type { RowTiersPlan as RowTiersFile } from "./plan-file.js";

type Planned = ByStatus<RowTiersFile, "collectives", (typeof ROW_TIERS_PUBLISHED)[number]>;
type Using<Bytes> = { readonly memory: { readonly bytesPerGpu: Bytes } };

/** A row-tiers plan; seconds, bytes and rows. Every one is proved or a heuristic's: nothing is unknown of rows. */
export type RowTiersPlan =
  | (Exclude<Planned, { readonly status: "infeasible" | "unknown" }> & Using<number>)
  | (Extract<Planned, { readonly status: "infeasible" }> & Using<null>);

/** The same as a table. */
export const ROW_TIERS_STATUSES = statusTable(["memory.bytesPerGpu", "collectives"], { hasUnknown: false });
