import type { DeviceColumns, NeuralProgram } from "../../../../../models/table-placement/learned/build.js";
import { Rational } from "../../../../exact/rational.js";
import { MAX_TABLES, partitionBelow } from "../../../../proof/kernel/partition/partition.js";
import { viewOf } from "../../../../proof/kernel/view.js";
import { UNITS } from "../../../../search/work.js";
import type { PlacementState } from "../placement-state.js";

/** Tables up to which devices that differ are gone through, each on its own. */
const MAX_OF_UNLIKE = 14;

/** Where bound and best placement are as near as this, the next question is whether the placement is optimal. */
const NEAR = Rational.of(1n, 500n);

/** Whether all sets of the tables are few enough to go through: whole tables, and not many. */
export function hasFewSets({ structure }: NeuralProgram): boolean {
  const { devices, symmetry } = structure;
  const tables = tablesOf(devices);
  const areWhole = devices.every(
    ({ shards }) =>
      shards.every(({ most }) => most === 1) && new Set(shards.map(({ table }) => table)).size === shards.length,
  );
  return areWhole && tables <= (symmetry.isSymmetric ? MAX_TABLES : MAX_OF_UNLIKE);
}

function tablesOf(devices: readonly DeviceColumns[]): number {
  return new Set(devices.flatMap(({ shards }) => shards.map(({ table }) => table))).size;
}

/**
 * Goes through all sets of tables to see whether devices can share them below a target, for targets between the bound and the
 * best placement: first at the placement itself, which heuristics have mostly found; where there is a better one, half way to
 * the bound. Placements found are offered to the incumbent, refused targets to the bound, where there is the time to check them:
 * as long as the search took. Ends after so many units of work in all.
 */
export function searchSets(
  built: NeuralProgram,
  { incumbent, best, budget, work }: PlacementState,
  until: number,
): void {
  const { view, box } = viewOf(built.program);
  const loads = built.structure.devices.map(({ costRow }) => costRow);
  const partition = loads.map((row) => built.program.rows[row]?.name as string);
  const each = unitsOf(built);
  // Below this sets make up all tables, though rows beside them forbid the placement: no such bound comes further.
  let reached: Rational | null = null;
  let isFirst = true;
  while (!work.ask() && work.done < until && !best.isInfeasible) {
    const limit = lesser(reached, incumbent.value);
    if (limit !== null && best.certificate !== null && best.value.compare(limit) >= 0) return;
    const target = isFirst || limit === null ? limit : targetBetween(best.value, limit);
    isFirst = false;
    const started = budget.secondsUsed;
    work.spend(each);
    const found = budget.within((checkTime) => partitionBelow(view, box, loads, target, checkTime));
    if (found === null) return;
    if (found.kind === "none") {
      if (!budget.affords(budget.secondsUsed - started)) return;
      work.spend(each);
      best.offer({ claim: target, steps: [{ partition }] });
      continue;
    }
    incumbent.offer(pointWith(built, found.columns));
    const isBetter = incumbent.value !== null && (target === null || incumbent.value.compare(target) < 0);
    if (isBetter) continue;
    if (target === null || target === limit) return;
    reached = target;
  }
}

/** About the work of going through all sets once: those of each device, and their unions for halves of the devices. */
function unitsOf({ structure: { devices, symmetry } }: NeuralProgram): number {
  const tables = tablesOf(devices);
  const families = symmetry.isSymmetric ? 1 : devices.length;
  const unions = symmetry.isSymmetric ? Math.ceil(Math.log2(devices.length)) : devices.length;
  return UNITS.subset * 2 ** tables * (families * (devices[0]?.units.length ?? 0) + unions * (tables + 1) ** 2);
}

function lesser(one: Rational | null, other: Rational | null): Rational | null {
  if (one === null || other === null) return one ?? other;
  return one.compare(other) < 0 ? one : other;
}

function targetBetween(bound: Rational, limit: Rational): Rational {
  const room = limit.subtract(bound);
  return room.compare(limit.multiply(NEAR)) <= 0 ? limit : bound.add(room.divide(Rational.of(2n)));
}

function pointWith({ program }: NeuralProgram, ones: readonly number[]): readonly Rational[] {
  const point = new Array<Rational>(program.columns.length).fill(Rational.zero);
  for (const j of ones) point[j] = Rational.one;
  return point;
}
