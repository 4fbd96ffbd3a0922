import type { Random } from "../exact/random.js";
import { Binomial } from "./binomial.js";
import type { Load, Part } from "./loads.js";
import { type Fleet, placeOfRow } from "./routes.js";

/**
 * Draws the lookups of one iteration into the counts of the loads.
 *
 * A row that is expected to appear p times in a sample appears ⌊p⌋ times and once more with probability p − ⌊p⌋,
 * independently of all other rows and samples: for p ≤ 1 a Bernoulli trial. The lookups of a GPU's samples to the rows of
 * one class at one GPU are then a binomial number, which is drawn as such: the same distribution as drawing every sample
 * row by row, at the cost of the classes.
 */
export function drawIteration(loads: readonly Load[], fleet: Fleet, random: Random): void {
  for (const load of loads) {
    load.counts.fill(0);
    for (const part of load.parts) {
      if (part.appearances === 0) continue;
      if (fleet.followed) drawForEveryGpu(load, part, fleet, random);
      else drawByDistance(load, part, fleet, random);
    }
  }
}

/** Variance of the number of lookups of a load in one iteration. */
export function lookupVariance({ parts }: Load, fleet: Fleet): number {
  let perSample = 0;
  for (const { rows, appearances } of parts) {
    const chance = appearances - Math.floor(appearances);
    perSample += rows * chance * (1 - chance);
  }
  return fleet.samples * perSample;
}

function drawForEveryGpu(
  { table, places, counts }: Load,
  { start, rows, appearances }: Part,
  { gpus, batchPerGpu }: Fleet,
  random: Random,
): void {
  const always = Math.floor(appearances);
  const chance = appearances - always;
  // Rows one after the other go around the places: some places have one row more than the others.
  const longer = rows % places;
  const shorter = (rows - longer) / places;
  const first = placeOfRow(start, table, places);
  const visit = (from: number, howMany: number, rowsThere: number): void => {
    const trials = rowsThere * batchPerGpu;
    if (trials === 0) return;
    const binomial = chance === 0 ? null : new Binomial(trials, chance);
    for (let gpu = 0; gpu < gpus; gpu++) {
      let place = from;
      for (let visited = 0; visited < howMany; visited++) {
        const entry = gpu * places + place;
        counts[entry] = (counts[entry] as number) + always * trials + (binomial === null ? 0 : binomial.draw(random));
        place = place + 1 === places ? 0 : place + 1;
      }
    }
  };
  visit(first, longer, shorter + 1);
  visit((first + longer) % places, places - longer, shorter);
}

/** The same for clusters too large to follow every GPU: by whether the row is on the GPU, in the node, or beyond. */
function drawByDistance(
  { places, counts }: Load,
  { rows, appearances }: Part,
  { gpusPerNode, samples }: Fleet,
  random: Random,
): void {
  const always = Math.floor(appearances);
  const chance = appearances - always;
  const inNode = Math.min(places, gpusPerNode);
  for (const [distance, gpus] of [1, inNode - 1, places - inNode].entries()) {
    const trials = (samples / places) * rows * gpus;
    if (trials === 0) continue;
    const drawn = chance === 0 ? 0 : new Binomial(trials, chance).draw(random);
    counts[distance] = (counts[distance] as number) + always * trials + drawn;
  }
}
