/** The reason of a published method whose time was over before its end: its plan, if any, is the best that it had by then. */
export const STOPPED = "its time was over: with more, it may find another";

/** What is shown of a published method without a plan. */
export function noPlanText(reason: string | null): string {
  return reason === STOPPED ? "stopped before it found any" : `found none: ${reason ?? ""}`;
}
