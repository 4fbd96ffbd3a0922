/** Seconds that a plan has where nothing is said. */
const DEFAULT = 60;

/** How much more the clock has than the work, where work alone was limited: so much that it ends nothing. */
const ROOM = 10;

/** The limits of a plan as options have them: by the clock, by work, or by both. */
export function limitsOf({
  timeLimit,
  workLimit,
}: {
  readonly timeLimit?: number | undefined;
  readonly workLimit?: number | undefined;
}): { readonly timeLimitSeconds?: number; readonly workLimitSeconds?: number } {
  if (workLimit === undefined) return timeLimit === undefined ? {} : { timeLimitSeconds: timeLimit };
  return { timeLimitSeconds: timeLimit ?? Math.max(DEFAULT, ROOM * workLimit), workLimitSeconds: workLimit };
}
