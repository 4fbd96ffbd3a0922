/** What was asked, as a frontier's file says it. */
export interface FrontierRequest {
  /** Budgets at which the optimum was looked for. */
  readonly points: number;
  /** Relative gap that was to be proved at each. */
  readonly gap: number;
  readonly timeLimitSeconds: number;
  readonly seed: number;
}
