/** Parts of a plan file that are alike for every problem: see plan-shape.ts for their shapes. */

/** Of a goal, in its own unit; `null` where there is none. */
export interface PlanValue {
  readonly value: number | null;
  readonly bound: number | null;
  /** |value − bound| / |value|. */
  readonly gap: number | null;
}

export interface PlanRequest {
  /** Relative gap that was to be proved. */
  readonly gap: number;
  readonly timeLimitSeconds: number;
  readonly seed: number;
}

export interface PlanClaim {
  readonly solver: string;
  readonly status: string;
  readonly value: number | null;
  readonly bound: number | null;
  /** Whether the claim can be true beside what was proved, up to the tolerances of floating-point solvers. */
  readonly agrees: boolean;
  readonly remark: string;
}

/** Wall-clock seconds, each a multiple of a millisecond; `totalSeconds` is the sum of the others. */
export interface PlanTiming {
  readonly readSeconds: number;
  readonly solveSeconds: number;
  readonly proveSeconds: number;
  readonly totalSeconds: number;
}
