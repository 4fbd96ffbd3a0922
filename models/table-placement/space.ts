import type { Placement, PlacementProblem } from "./problem.js";

/** What a search was among, where that is not every option that an instance may be read as having. */
export type PlacementSpace = Pick<PlacementProblem, "leftOut" | "runnable">;

/** What has to be known of the options that a placement takes; without one, of tables that have no other options. */
export function notesOf(
  { tables }: PlacementProblem,
  placement: Placement | null,
): { readonly notes?: readonly string[] } {
  const notes = tables.flatMap(({ name, options }, t) => {
    const choice = placement?.choices[t];
    const [first, ...others] = choice === undefined ? options : [options[choice.option]];
    const shared = first?.notes?.filter((note) => others.every((other) => other?.notes?.includes(note))) ?? [];
    return shared.map((note) => `${name}: ${note}`);
  });
  return notes.length === 0 ? {} : { notes };
}

/** The keys of a problem that say so, as files have them. */
export function spaceOf({
  leftOut,
  runnable,
}: { readonly [Key in keyof PlacementSpace]: PlacementSpace[Key] | undefined }): PlacementSpace {
  return { ...(leftOut === undefined ? {} : { leftOut }), ...(runnable === undefined ? {} : { runnable }) };
}
