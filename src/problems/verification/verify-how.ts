import type { MethodsOf } from "./published-methods.js";
import type { VerifySteps } from "./verify-steps.js";

/** What a verification of a plan may make use of. */
export interface VerifyHow<Input, Result> {
  /** Told of every step. */
  readonly steps?: VerifySteps;
  /** The problem's published methods, to be run again; without them, what a plan says of methods is not checked. */
  readonly methods?: MethodsOf<Input, Result> | undefined;
}
