import type { StageGoal } from "../../../instance/types/table-placement.js";
import type { FrontierRequest } from "../../../plan-file/frontier-request.js";
import type { PlacementFrontierHead, PlacementFrontierProof } from "./frontier.js";

/**
 * The second of an instance's goals against the first, as `frontier --json` has it: at so much of the first, the best plan found
 * of the second and a proved bound. Plain data, in the units of the goals. Every number but those under `timing` is computed
 * exactly and rounded once (bounds downwards, gaps upwards).
 */
export interface PlacementTrade extends PlacementFrontierHead {
  readonly kind: "trade";
  readonly first: TradedGoal;
  readonly second: TradedGoal;
  readonly request: FrontierRequest;
  /** The least of the first goal: found and proved. */
  readonly least: { readonly value: number | null; readonly bound: number | null };
  /** Every point is proved to the gap, and none that was asked for is missing; or it is proved that there is none. */
  readonly isComplete: boolean;
  /** No plan is within the limits, whatever there is of the goals: there are no points, and the one proof is of that. */
  readonly isInfeasible: boolean;
  /** By rising `most`. Values do not rise, and bounds do not either. */
  readonly points: readonly TradePoint[];
  readonly timing: { readonly totalSeconds: number };
}

export interface TradedGoal {
  readonly goal: StageGoal;
  readonly unit: string | null;
}

export interface TradePoint {
  /** Of the first goal. */
  readonly most: number;
  /** The share by which that is above the least found. */
  readonly above: number | null;
  /** What the plan has of the first goal. */
  readonly first: number | null;
  /** The second goal; `null`: no plan was found. */
  readonly value: number | null;
  readonly bound: number | null;
  readonly gap: number | null;
  /** Whether value and bound, which was checked, are within the gap; `unknown`: one of them is missing. */
  readonly status: "settled" | "open" | "unknown";
  /** What the bound was proved for: with less of the first goal it holds too. */
  readonly provedAt: number | null;
  readonly exact: { readonly most: string; readonly value: string | null; readonly bound: string | null };
}

/** With its proofs: what `frontier --out` writes. */
export interface PlacementTradeFile extends PlacementTrade {
  readonly proofs: readonly (Omit<PlacementFrontierProof, "bytesPerGpu"> & { readonly most: string | null })[];
}
