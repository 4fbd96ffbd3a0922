/**
 * What `verify` does, in the one sentence that help and pages have: model code and exact evaluation are those of planning, and
 * what searches has no part in it.
 */
const CLAUSES = [
  "the model is rebuilt from the instance with the same model code",
  "the plan evaluated in exact rational arithmetic",
  "and the certificate replayed by src/proof, which imports no solver and no method",
];

export const CHECKED_HOW = CLAUSES.join(", ");

/** The same with a clause to a line. */
export const CHECKED_HOW_LINES = CLAUSES.join(",\n");
