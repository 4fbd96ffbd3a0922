import type { PlacementDelta } from "../../../models/table-placement/migration/delta.js";
import { type Fact, fact, factsOf } from "../../facts/facts.js";
import { some } from "../../text/units.js";
import { plainUnit } from "../../text/value-unit.js";

/** Whether moving is worth it: what an iteration costs now and after, and when the seconds of moving are made up for. */
export function worthFacts({ unit, now, after, iterations, reason }: PlacementDelta["worth"]): readonly Fact[] {
  const { text } = plainUnit(unit);
  const pays =
    iterations === null
      ? `not known: ${reason}`
      : iterations === 0
        ? "at once"
        : `after ${some(iterations, "iteration")}`;
  return factsOf(
    fact("cost now", now === null ? `not known: ${reason}` : text(now)),
    fact("cost after", text(after)),
    now === null ? null : fact("pays", now <= after ? `not: ${reason}` : pays),
  );
}
