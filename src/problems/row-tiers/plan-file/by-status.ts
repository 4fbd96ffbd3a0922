import {
  type Bounded,
  type Feasible,
  type Goal,
  type Infeasible,
  type NoValue,
  type Proved,
  statusTable,
  type Told,
  type Unbounded,
  type Unproved,
} from "../../plan-file/by-status.js";
import type { ROW_TIERS_PUBLISHED } from "../../plan-file/method-names.js";
import type { PlanCollectives, PlanMemory, RowTiersPlan as RowTiersFile } from "./plan-file.js";

/** A row-tiers plan; seconds, bytes and rows. */
export type RowTiersPlan = ProvedRowTiers | Feasible<ProvedRowTiers> | HeuristicRowTiers | InfeasibleRowTiers;

type RowTiersRest = Omit<RowTiersFile, Told | "memory" | "collectives">;

interface PlannedRows extends RowTiersRest {
  readonly memory: Omit<PlanMemory, "bytesPerGpu"> & { readonly bytesPerGpu: number };
  readonly collectives: PlanCollectives;
}

export interface ProvedRowTiers extends PlannedRows, Proved<RowTiersFile> {
  readonly objective: Goal<RowTiersFile["objective"], Bounded>;
}

export interface HeuristicRowTiers extends PlannedRows, Unproved {
  readonly status: "heuristic";
  readonly method: (typeof ROW_TIERS_PUBLISHED)[number];
  readonly objective: Goal<RowTiersFile["objective"], Unbounded>;
}

export interface InfeasibleRowTiers extends RowTiersRest, Infeasible<RowTiersFile> {
  readonly objective: Goal<RowTiersFile["objective"], NoValue>;
  readonly memory: Omit<PlanMemory, "bytesPerGpu"> & { readonly bytesPerGpu: null };
  readonly collectives: null;
}

/** The same as a table. */
export const ROW_TIERS_STATUSES = statusTable(["memory.bytesPerGpu", "collectives"], { hasUnknown: false });
