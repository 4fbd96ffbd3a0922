/** A certificate rests on something that VIPR has no rule for, or that this writer does not put into its rules. */
export class ViprUnsupportedError extends Error {
  override readonly name = "ViprUnsupportedError";
}
