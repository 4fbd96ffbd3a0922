/** Both sides of a contradiction, ready to be written as JSON: rationals as text. */
export interface Evidence {
  /** What was evaluated in exact arithmetic: a plan or a point, whose it is and what it comes to. */
  readonly known: object;
  /** What cannot be beside it: a checked bound with its certificate, or a program that leaves the plan out. */
  readonly against: object;
}

/**
 * Something that is known contradicts something that was derived: a feasible plan is better than a bound that was proved, there
 * is one where it is proved that there is none, or a program leaves it out. One of the two is a fault of this program, so that
 * neither is shown. The message is one sentence with both values; the command line writes the evidence to a file and ends with
 * exit status 70.
 */
export class ContradictionError extends Error {
  override readonly name = "ContradictionError";
  readonly evidence: Evidence;

  constructor(message: string, evidence: Evidence) {
    super(message);
    this.evidence = evidence;
  }
}
