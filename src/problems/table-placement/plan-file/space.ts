import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";

/** What a search was among, where that is not every option that an instance may be read as having. */
export type PlacementSpace = Pick<PlacementProblem, "leftOut" | "runnable">;

/** What has to be known of the options that a placement takes. */
export function notesOf({ tables }: PlacementProblem, { choices }: Placement): { readonly notes?: readonly string[] } {
  const notes = tables.flatMap(({ name, options }, t) =>
    (options[choices[t]?.option as number]?.notes ?? []).map((note) => `${name}: ${note}`),
  );
  return notes.length === 0 ? {} : { notes };
}

/** The keys of a problem that say so, as files have them. */
export function spaceOf({
  leftOut,
  runnable,
}: { readonly [Key in keyof PlacementSpace]: PlacementSpace[Key] | undefined }): PlacementSpace {
  return { ...(leftOut === undefined ? {} : { leftOut }), ...(runnable === undefined ? {} : { runnable }) };
}
