import { cachedSetCost } from "../../../cost/neural/set-cost.js";
import type { PlacementHeuristicResult } from "./heuristic.js";
import { underSetCost } from "./learned.js";
import { cappedGreedy, type PlacedShards } from "./neuroshard/capped-greedy.js";
import { Shards } from "./neuroshard/shards.js";
import { wholeTables } from "./whole-tables.js";

/** The beam, the shards of either kind that a list may halve, and the levels (NeuroShard's defaults). */
const WIDTH = 3;
const CANDIDATES = 10;
const DEPTH = 10;

/**
 * NeuroShard's search (Zha et al., MLSys 2023, algorithm 1, and its public code): a beam over column halvings around
 * {@link cappedGreedy}. Of each of the three best lists of shards, the ten largest shards and the ten that cost most alone are
 * halved, one at a time, as far as the problem has options for that (`splits`), ten levels deep; the best plan seen wins.
 *
 * The paper adds predicted times of communication to those of the kernels; here the cost is the network's alone.
 */
export const neuroshardSearch = underSetCost((problem, learned, context) => {
  const setCost = cachedSetCost(learned);
  const whole = wholeTables(problem, context);
  if (whole.kind !== "tables") return whole;
  const options = whole.tables.map(({ option }) => option);
  let beam: readonly Candidate[] = [candidate(Shards.whole(problem, setCost, options))];
  let best = beam[0] as Candidate;
  for (let level = 0; level < DEPTH && beam.length > 0; level++) {
    const next: Candidate[] = [];
    for (const { shards } of beam) {
      for (const index of shards.largestAndCostliest(CANDIDATES)) {
        if (context.shouldStop?.() === true) return resultOf(best);
        const halved = shards.halved(index);
        if (halved === null) continue;
        const found = candidate(halved);
        next.push(found);
        if (found.largest < best.largest) best = found;
      }
    }
    // Sorting is stable: of equal ones the first found stay.
    beam = next.toSorted((a, b) => (a.largest < b.largest ? -1 : Number(a.largest > b.largest))).slice(0, WIDTH);
  }
  return resultOf(best);

  function candidate(shards: Shards): Candidate {
    const placed = cappedGreedy(problem, setCost, shards.list);
    return { shards, placed, largest: placed?.largest ?? Number.POSITIVE_INFINITY };
  }
});

interface Candidate {
  readonly shards: Shards;
  /** `null` where there is no plan for these shards, which their halves may have. */
  readonly placed: PlacedShards | null;
  readonly largest: number;
}

function resultOf({ shards, placed }: Candidate): PlacementHeuristicResult {
  if (placed === null) {
    return {
      kind: "none",
      reason: "no limit on dimensions that it tries left a plan within the memory of the devices",
    };
  }
  const choices = shards.options.map((option, table) => ({
    option,
    devices: shards.inOption(table).map((index) => placed.homes[index] as number),
  }));
  return { kind: "plan", placement: { choices } };
}
