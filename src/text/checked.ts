/**
 * What `verify` does, in the one sentence that help and pages have: model code and exact evaluation are those of planning, and
 * what searches has no part in it.
 */
export const CHECKED_HOW =
  "the model is rebuilt from the instance with the same model code, the plan evaluated in exact rational arithmetic, and the certificate replayed by src/proof, which imports no solver and no method";
