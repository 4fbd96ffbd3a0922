import type {
  PlacementChoice,
  PlacementOption,
  PlacementProblem,
  PlacementTable,
} from "../../models/table-placement/problem.js";

/** How many tables are elsewhere than at home: with another option, or with other shards on some device. */
export function movedCount({ tables, stay }: PlacementProblem, choices: readonly PlacementChoice[]): number {
  const layout = (t: number, { option, devices }: PlacementChoice) =>
    devices
      .map((d, k) => {
        const { shards } = (tables[t] as PlacementTable).options[option] as PlacementOption;
        return JSON.stringify([option, d, shards[k]]);
      })
      .sort()
      .join();
  return choices.filter((choice, t) => {
    const homes = stay?.homes[t] as readonly PlacementChoice[] | null;
    return (
      homes !== null && !homes.some((home) => home.option === choice.option && layout(t, home) === layout(t, choice))
    );
  }).length;
}
