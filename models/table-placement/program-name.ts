const KINDS = ["hosts", "aggregated", "counted", "counted-memory", "numbered", "direct"] as const;

/**
 * The programs that bounds of a placement problem are proved of, as plan files name them: README.md beside this file has their
 * mathematics. Each may be of the problem with memory set aside (memory-aside.ts); `goal`: of a goal that is no largest cost, or beside
 * limited moves; `network`: of a learned cost.
 */
export type ProgramName = ProgramKind | `${ProgramKind}, memory aside` | "goal" | "network";
export type ProgramKind = (typeof KINDS)[number];

export const PROGRAM_NAMES: readonly ProgramName[] = [
  ...KINDS.flatMap((kind) => [`${kind}, memory aside`, kind] as const),
  ...(["goal", "network"] as const),
];
