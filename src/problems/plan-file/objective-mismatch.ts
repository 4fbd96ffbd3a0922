/** The evaluation of a plan and the program do not come to the same objective: one of the two is wrong. */
export class ObjectiveMismatchError extends Error {
  override readonly name = "ObjectiveMismatchError";
}
