import type { Placement, PlacementProblem, StayLimit } from "./problem.js";

/** A problem in which tables have fewer options, with the ways between its placements and those of the whole. */
export interface Restriction {
  readonly problem: PlacementProblem;
  /** The same placement of the whole problem. */
  whole(placement: Placement): Placement;
  /** The index that an option of this problem has in the whole. */
  original(table: number, option: number): number;
  /** The same placement of this problem; `null` where it takes an option that is not there. */
  part(placement: Placement): Placement | null;
}

/** Leaves the options that are alive, by table. */
export function withFewerOptions(problem: PlacementProblem, alive: readonly (readonly boolean[])[]): Restriction {
  const kept = alive.map((own) => own.flatMap((isAlive, o) => (isAlive ? [o] : [])));
  const { stay } = problem;
  const homesOf = (stays: StayLimit) =>
    stays.homes.map(
      (own, t) =>
        own?.flatMap((home) => {
          const option = (kept[t] as number[]).indexOf(home.option);
          return option === -1 ? [] : [{ ...home, option }];
        }) ?? null,
    );
  return {
    problem: {
      ...problem,
      ...(stay === undefined ? {} : { stay: { ...stay, homes: homesOf(stay) } }),
      tables: problem.tables.map((table, t) => ({
        ...table,
        options: table.options.filter((_, o) => alive[t]?.[o]),
      })),
    },
    original: (table, option) => kept[table]?.[option] as number,
    whole: ({ choices }) => ({
      choices: choices.map(({ option, devices }, t) => ({ option: kept[t]?.[option] as number, devices })),
    }),
    part: ({ choices }) => {
      const own = choices.map(({ option, devices }, t) => ({ option: (kept[t] as number[]).indexOf(option), devices }));
      return own.some(({ option }) => option === -1) ? null : { choices: own };
    },
  };
}
