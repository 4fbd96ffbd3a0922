import { linkSpeeds, secondsOf } from "../../../../models/table-placement/migration/link-speeds.js";
import { movesOf } from "../../../../models/table-placement/migration/moves.js";
import { bytesByLink } from "../../../../models/table-placement/migration/transfers.js";
import { worthOf } from "../../../../models/table-placement/migration/worth.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { TablePlacementInstance } from "../../../instance/types/table-placement.js";
import type { PlacementMigration } from "./plan-file.js";

/** `null` where the instance does not say where its tables are now. */
export function describeMigration(
  instance: TablePlacementInstance,
  problem: PlacementProblem,
  placement: Placement,
): PlacementMigration | null {
  const { from } = instance;
  if (from === null) return null;
  const { old, made } = movesOf(instance, from, problem, placement);
  const { host, inside, between } = bytesByLink(made);
  const sent = made.flatMap(({ device: to, reads }) =>
    reads.map(({ from: index, link, bytes }) => ({ from: old[index]?.device as number, to, link, bytes })),
  );
  const seconds = secondsOf(sent, linkSpeeds(instance));
  return {
    bytes: { received: host + inside + between, host, inside, between },
    seconds,
    worth: worthOf({ instance, problem, placement }, from, seconds),
  };
}
