/** A way to use the command line that there is not. The message is one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
