/**
 * The published methods of a problem, handed to its verifier from outside: it imports none of them. Running a method again
 * shows that a plan's baseline is what the method gives; what the baseline is worth is evaluated by the verifier alone.
 */
export interface MethodsOf<Input, Result> {
  /** The methods that a plan is shown beside, in their order; those that do not apply among them. */
  baselines(input: Input): readonly string[];
  /** Runs a method, with the plan's seed. */
  run(method: string, input: Input, seed: number): Rerun<Result>;
}

/** What running a method again came to. */
export type Rerun<Result> =
  | { readonly kind: "result"; readonly result: Result }
  /** It is none for this instance, and no plan lists it. */
  | { readonly kind: "not-applicable" }
  /** It was not run to its end: why. */
  | { readonly kind: "left-out"; readonly reason: string };
