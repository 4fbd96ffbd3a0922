import { z } from "zod";
import { linkSpeeds, secondsOf } from "../../../../models/table-placement/migration/link-speeds.js";
import { movesOf } from "../../../../models/table-placement/migration/moves.js";
import { bytesByLink } from "../../../../models/table-placement/migration/transfers.js";
import { worthOf } from "../../../../models/table-placement/migration/worth.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { TablePlacementInstance } from "../../../instance/types/table-placement.js";
import { covered, type Fields, type Named, number, text } from "../../../plan-file/fields.js";

const migrationFields = {
  /** Parameters and optimizer state that devices receive, in all and by link. */
  bytes: z.strictObject({ received: number, host: number, inside: number, between: number }),
  /** Tables of which a shard is not where it was, as it was. */
  tables: covered("later", number.optional().describe("of which a shard is not where it was, as it was")),
  /** Of moving, all devices and links at once, if memory never stands in the way; `null` where a bandwidth is not known. */
  seconds: number.nullable().describe("of moving, all devices and links at once; null where a bandwidth is not known"),
  worth: z.strictObject({
    unit: text.nullable(),
    now: number.nullable().describe("what the goal comes to where the tables are now"),
    after: number,
    iterations: number.nullable().describe("after which the seconds of moving are made up for"),
    reason: text.nullable(),
  }),
};
/** What it takes to come to the plan from where the tables are now (`from`). */
export interface PlacementMigration extends Fields<typeof migrationFields> {}
export const migrationShape: Named<PlacementMigration, typeof migrationFields> = z.strictObject(migrationFields);

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
    tables: new Set(made.flatMap(({ table, stays }) => (stays ? [] : [table]))).size,
    seconds,
    worth: worthOf({ instance, problem, placement }, from, seconds),
  };
}
