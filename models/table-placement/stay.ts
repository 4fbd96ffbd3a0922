import { plainKey, runsOf } from "./option-site.js";
import type { Placement, PlacementChoice, PlacementOption, PlacementProblem, PlacementTable } from "./problem.js";

/** The tables (by index) that are not where the other plan had them; `null` without a limit on them. */
export function movedTables(problem: PlacementProblem, { choices }: Placement): readonly number[] | null {
  if (problem.stay === undefined) return null;
  return [...choices.keys()].filter((t) => !stays(problem, t, choices[t] as PlacementChoice));
}

/** Whether a table with this choice stays where the other plan had it, if it had it (see `StayLimit`). */
export function stays(
  { tables, stay }: PlacementProblem,
  table: number,
  { option, devices }: PlacementChoice,
): boolean {
  const homes = stay?.homes[table];
  if (homes === null) return true;
  const home = homes?.find((choice) => choice.option === option);
  if (home === undefined) return false;
  const { shards } = (tables[table] as PlacementTable).options[option] as PlacementOption;
  return runsOf(shards, plainKey).every((run) => {
    const places = (list: readonly number[]) => run.shards.map((shard) => list[shard] as number).sort((a, b) => a - b);
    const [own, wanted] = [places(devices), places(home.devices)];
    return own.every((device, k) => device === wanted[k]);
  });
}

/** Tables that moved, named in words before only their number is. */
const MAX_NAMED = 5;

/** More tables moved than may, in words. */
export function stayViolations(problem: PlacementProblem, moved: readonly number[] | null): string[] {
  const { tables, stay } = problem;
  if (stay === undefined || moved === null || moved.length <= stay.mostMoved) return [];
  const names = moved.slice(0, MAX_NAMED).map((t) => tables[t]?.name);
  if (moved.length > names.length) names.push("…");
  const have = moved.length === 1 ? "table has" : "tables have";
  return [`${moved.length} ${have} moved (${names.join(", ")}), at most ${stay.mostMoved} may`];
}
