import type { RowTiersObjective, Tier } from "../../../instance/types/row-tiers.js";
import type { FrontierRequest } from "../../../plan-file/frontier-request.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";

/**
 * `frontier`'s result as its JSON has it: plain data, in bytes per GPU and seconds per iteration. Every number but those
 * under `timing` is computed exactly and rounded once, to the nearest double (bounds downwards, gaps upwards).
 */
export interface FrontierReport {
  readonly shardproof: 1;
  readonly problem: "row-tiers";
  readonly instance: { readonly name: string; readonly sha256: string; readonly file: string };
  readonly objective: RowTiersObjective;
  readonly request: FrontierRequest;
  /** The instance's own budget; whether any plan keeps to it, `null` where that was not to be solved. */
  readonly budget: { readonly bytesPerGpu: number; readonly isFeasible: boolean | null };
  /** Every point of `optimal` is proved to the gap, and none that was asked for is missing. */
  readonly isComplete: boolean;
  readonly relaxation: FrontierRelaxation;
  /** The relaxation's, by rising memory: no plan is below the lines between them, and none needs less than the first. */
  readonly breakPoints: readonly FrontierBreakPoint[];
  /** The integer optimum at budgets of memory, rising. */
  readonly optimal: readonly FrontierOptimum[];
  /** The frontier of `greedyMethod` at the same budgets, without those at which it has no plan. */
  readonly greedy: readonly FrontierGreedyPoint[];
  /** `flexshard-3tier` where it applies, otherwise `flexshard-2tier`, otherwise (host memory) `recshard-like`. */
  readonly greedyMethod: string | null;
  /** (greedy − bound) / bound over the points of `greedy`; `null` where there are none. */
  readonly largestGreedyGap: number | null;
  readonly meanGreedyGap: number | null;
  readonly greedyByMethod: Readonly<Record<string, FrontierGreedy>>;
  /** FlexShard's points A to D (figure 5) with two tiers; `null` where those two are not allowed. */
  readonly points: Readonly<Record<"a" | "b" | "c" | "d", FrontierMark>> | null;
  readonly check: FrontierCheck;
  readonly timing: FrontierTiming;
}

export interface FrontierRelaxation {
  /** `sorted`: the break-points are all there are, exactly. `lines`: the highest of exact supporting lines. */
  readonly method: "sorted" | "lines";
  /** How far the relaxation's own optimum can be above the lines between break-points, relatively; 0 for `sorted`. */
  readonly precision: number;
  readonly breakPoints: number;
}

export interface FrontierBreakPoint {
  readonly bytesPerGpu: number;
  readonly value: number;
  /** As integers or fractions in lowest terms, where that was asked for. */
  readonly exact?: { readonly bytesPerGpu: string; readonly value: string };
}

export interface FrontierOptimum {
  /** The budget. */
  readonly bytesPerGpu: number;
  readonly value: number;
  readonly bound: number;
  /** |value − bound| / |value|. */
  readonly gap: number;
  readonly status: Verdict["status"];
  /** What the plan needs of the budget. */
  readonly usedBytesPerGpu: number;
  /** The budget is the instance's own. */
  readonly isOwnBudget: boolean;
  readonly exact: {
    readonly bytesPerGpu: string;
    readonly value: string;
    readonly bound: string;
    readonly usedBytesPerGpu: string;
  };
}

export interface FrontierGreedyPoint {
  /** The budget. */
  readonly bytesPerGpu: number;
  /** The least seconds of the method's plans at this budget and the smaller ones. */
  readonly value: number;
  /** (value − bound) / bound with the bound proved at this budget; `null` where that is no double, over a bound of 0. */
  readonly gap: number | null;
}

export interface FrontierGreedy {
  /** Why the method does not apply. */
  readonly reason: string | null;
  readonly largestGap: number | null;
  readonly meanGap: number | null;
  readonly points: readonly {
    readonly bytesPerGpu: number;
    /** As in {@link FrontierGreedyPoint}; `null` while none of the plans is within its budget. */
    readonly value: number | null;
    readonly gap: number | null;
    /** The method's plan at this budget, as it is. */
    readonly raw: { readonly value: number; readonly usedBytesPerGpu: number; readonly isWithin: boolean };
  }[];
}

export interface FrontierMark {
  /** The hottest rows of all tables merged, data_parallel; the rest is row_wise. */
  readonly rows: number;
  readonly bytesPerGpu: number;
  readonly value: number;
}

/** Comparisons in exact arithmetic. */
export interface FrontierCheck {
  /** Plans compared with the relaxation's frontier: greedy ones, A to D, and the optima. */
  readonly plans: number;
  /** Those that lie below it: none, as one would have ended the command. */
  readonly below: readonly [];
}

export interface FrontierTiming {
  readonly readSeconds: number;
  readonly breakPointsSeconds: number;
  readonly solveSeconds: number;
  readonly proveSeconds: number;
  readonly totalSeconds: number;
}

/** The plan and the proof of one point of `optimal`, in the same order. */
export interface FrontierProof {
  readonly bytesPerGpu: number;
  readonly status: Verdict["status"];
  readonly exact: FrontierOptimum["exact"];
  /** [rows, tier] per table, from the hottest row to the coldest. */
  readonly runs: readonly (readonly (readonly [rows: number, tier: Tier])[])[];
  /** For the instance with the budget `{bytesPerGpu}`, or with its own. */
  readonly certificate: Certificate;
}

/** A report with its proofs: what `frontier --out` writes. */
export interface FrontierFile extends FrontierReport {
  readonly proofs: readonly FrontierProof[];
}
