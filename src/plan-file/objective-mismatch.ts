import { ContradictionError } from "../errors/contradiction-error.js";

/** The evaluation of a plan and the program do not come to the same objective: one of the two is wrong. */
export class ObjectiveMismatchError extends ContradictionError {
  constructor(message: string, plan: unknown, certificate: unknown) {
    super(message, { known: { plan }, against: { certificate } });
  }
}
