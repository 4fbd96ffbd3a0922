/** The reason of a published method whose time was over before its end: its plan, if any, is the best that it had by then. */
export const STOPPED = "its time was over: with more, it may find another";

/** Whether more time might have made another plan of a status. */
export function isOpen(status: string): boolean {
  return status !== "proved" && status !== "infeasible";
}

/** What is shown of a published method without a plan. */
export function noPlanText(reason: string | null): string {
  return reason === STOPPED ? "stopped before it found any" : `found none: ${reason ?? ""}`;
}
