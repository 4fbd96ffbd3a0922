/** What the process ends with. */
export const EXIT = {
  solved: 0,
  badInput: 2,
  notProved: 3,
  infeasible: 4,
  verificationFailed: 5,
  internalError: 70,
  interrupted: 130,
} as const;

/** Exit status of a plan's status. */
export function exitStatusOf(status: string): number {
  if (status === "infeasible") return EXIT.infeasible;
  return status === "feasible" ? EXIT.notProved : EXIT.solved;
}
