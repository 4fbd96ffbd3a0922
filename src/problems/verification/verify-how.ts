import type { PublishedMethods } from "./published-methods.js";
import type { VerifySteps } from "./verify-steps.js";

/** What a verification of a plan may make use of. */
export interface VerifyHow {
  /** Told of every step. */
  readonly steps?: VerifySteps;
  /** The published methods, to be run again; what a plan says of those that are not there is not checked. */
  readonly methods?: PublishedMethods | undefined;
}
