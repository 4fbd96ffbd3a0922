/**
 * The programs that bounds of a placement problem are proved of, by the words of plan files: README.md beside this file has their
 * mathematics. `goal`: of a goal that is no largest cost, or beside limited moves; `network`: of a learned cost.
 */
export const PROGRAM_KINDS = [
  "direct",
  "aggregated",
  "counted",
  "counted-memory",
  "numbered",
  "hosts",
  "goal",
  "network",
] as const;

export type ProgramKind = (typeof PROGRAM_KINDS)[number];

/** Which program of a problem; its ceiling, where it has one, is told beside. */
export interface ProgramName {
  readonly kind: ProgramKind;
  /** Of the problem with memory set aside (memory-aside.ts). */
  readonly memoryAside?: true;
}
