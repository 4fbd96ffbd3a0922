import type { FrontierRequest } from "../../../plan-file/frontier-request.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import type { TablePlacementPlan, WrittenChoices } from "./plan-file.js";

/** What is said of the instance as in its plans. */
export type PlacementFrontierHead = Pick<
  TablePlacementPlan,
  "shardproof" | "problem" | "instance" | "leftOut" | "runnable"
>;

/**
 * Device memory against the goal, as `frontier --json` has it: plain data, in bytes and in the unit of the instance's costs.
 * Every number but those under `timing` is computed exactly and rounded once, to the nearest double (bounds downwards, gaps
 * upwards).
 */
export interface PlacementFrontier extends PlacementFrontierHead {
  readonly objective: Pick<TablePlacementPlan["objective"], "kind" | "unit">;
  readonly request: FrontierRequest;
  /** The instance's own memory, of the device that has most. */
  readonly budget: { readonly bytesPerGpu: number };
  /** No plan needs less, counted from the options alone. */
  readonly leastBytesPerGpu: number;
  /** What the best plan found without limits needs. */
  readonly enoughBytesPerGpu: number | null;
  /** Every point is proved to the gap, or that it has no plan; and none that was asked for is missing. */
  readonly isComplete: boolean;
  /** By rising memory. Values do not rise, and bounds do not either. */
  readonly optimal: readonly PlacementFrontierPoint[];
  readonly timing: { readonly totalSeconds: number };
}

export interface PlacementFrontierPoint {
  /** Of the device with most memory; those with less have as much less in proportion, rounded down. */
  readonly bytesPerGpu: number;
  /** `null`: no plan was found, or there is none. */
  readonly value: number | null;
  /** `null` where nothing is proved, or there is no plan. */
  readonly bound: number | null;
  readonly gap: number | null;
  readonly status: Verdict["status"] | "unknown";
  /** What the plan needs of it. */
  readonly usedBytesPerGpu: number | null;
  readonly isOwnBudget: boolean;
  /** The budget at which the bound, or that there is no plan, was proved: with less memory it holds too. */
  readonly provedAtBytesPerGpu: number | null;
  readonly exact: { readonly value: string | null; readonly bound: string | null };
}

/** A frontier with its proofs: what `frontier --out` writes. */
export interface PlacementFrontierFile extends PlacementFrontier {
  readonly proofs: readonly PlacementFrontierProof[];
}

/** What was proved at a budget, about the program of the instance with that memory. */
export interface PlacementFrontierProof {
  readonly bytesPerGpu: number;
  readonly choices: WrittenChoices | null;
  readonly certificate: Certificate | null;
}
