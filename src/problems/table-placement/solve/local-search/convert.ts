import type { Placement, PlacementChoice, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { Layout } from "./layout.js";
import { dominates, optionIn, type Unit } from "./movable-shards.js";
import type { Snapshot } from "./state.js";

/** The plan that a saved state is. */
export function placementOf(problem: PlacementProblem, layout: Layout, { option, place }: Snapshot): Placement {
  const choices: PlacementChoice[] = [];
  for (const [unit, { tables, options }] of layout.units.entries()) {
    const chosen = options[(option[unit] as number) - (layout.optionStart[unit] as number)] as Unit["options"][number];
    const from = layout.slotStart[unit] as number;
    for (const [k, table] of tables.entries()) {
      const index = chosen.choice[k] as number;
      const shards = problem.tables[table]?.options[index]?.shards.length as number;
      // Tables that are together lie on the one device of their unit's one shard.
      // Groups of shards that share a node are one there, as often as it takes for all shards.
      const own = tables.length === 1 ? chosen.shards.length - chosen.copies : 1;
      const cold = Array.from({ length: shards - chosen.copies }, (_, shard) => place[from + (shard % own)] as number);
      const copies = Array.from({ length: chosen.copies }, (_, k) => place[from + own + k] as number);
      const devices = [...cold, ...copies];
      choices[table] = { option: index, devices };
    }
  }
  return { choices };
}

/**
 * A plan as a saved state, `null` where it does not fit the problem's form. An option that was left out as dominated is
 * replaced by one that dominates it.
 */
export function snapshotOf(problem: PlacementProblem, layout: Layout, placement: Placement): Snapshot | null {
  const option = new Int32Array(layout.units.length);
  const place = new Int32Array(layout.unitOfSlot.length).fill(-1);
  for (const [unit, { tables, options }] of layout.units.entries()) {
    const [first] = tables as [number];
    const choices = tables.map((table) => placement.choices[table]);
    const index = options.findIndex((ours) => {
      if (tables.length > 1) return ours.choice.every((one, k) => one === choices[k]?.option);
      const theirs = optionIn(problem, first, choices[0]?.option ?? -1);
      return theirs !== null && (ours.choice[0] === choices[0]?.option || dominates(ours, theirs));
    });
    if (index < 0) return null;
    const chosen = options[index] as Unit["options"][number];
    const given = choices[0]?.devices ?? [];
    const cold = chosen.shards.length - chosen.copies;
    const devices = [...given.slice(0, cold), ...given.slice(given.length - chosen.copies)];
    if (given.length < chosen.shards.length || devices.length !== chosen.shards.length) return null;
    option[unit] = (layout.optionStart[unit] as number) + index;
    place.set(devices, layout.slotStart[unit]);
  }
  return { option, place };
}
