/** What the process ends with. */
export const EXIT = {
  solved: 0,
  badInput: 2,
  notProved: 3,
  infeasible: 4,
  verificationFailed: 5,
  unbounded: 6,
  internalError: 70,
  interrupted: 130,
} as const;

/** Exit status of the status of a plan or of a program's solution. */
export function exitStatusOf(status: string): number {
  if (status === "infeasible") return EXIT.infeasible;
  if (status === "unbounded") return EXIT.unbounded;
  return status === "feasible" || status === "unknown" ? EXIT.notProved : EXIT.solved;
}
