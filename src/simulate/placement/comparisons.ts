import { LINKS, type LinkName, type PartKind, type PlacedFleet } from "../../access/traffic/placed-table.js";
import { type Deviation, deviationOf, type Reading } from "../deviation.js";
import { independentLoads, LIMIT } from "../observation.js";
import { idWeights, type LinkWeights, lookupVariance, missVariance, vectorWeights } from "./link-weights.js";
import type { PartCounts, TableCounts } from "./part-counts.js";

/**
 * - `look-ups`: rows looked up; `ids`: bytes of ids on their way to the rows; `vectors`: bytes of vectors on their way back;
 * - `misses`: distinct rows of a global batch that are not in the cache.
 */
export type PlacementQuantity = "look-ups" | "ids" | "vectors" | "misses";

/**
 * Beside `agrees`, `differs` and `too few`:
 * - `between`: the cost model's number is an estimate between the vectors of bags with an id in the part and those of all bags;
 * - `uneven`: of a device with blocks of rows, which the cost model takes to be read alike: those of this device are not.
 */
export type PlacementReading = Reading | "between" | "uneven";

/** One number of the cost model and what was seen, in one iteration and its forward pass. */
export interface PlacementComparison extends Omit<Deviation, "observed" | "reading"> {
  readonly quantity: PlacementQuantity;
  readonly table: string | null;
  readonly part: PartKind | null;
  readonly device: number | null;
  readonly link: LinkName | null;
  readonly unit: "rows" | "bytes";
  readonly observed: number;
  readonly reading: PlacementReading;
  /** Of vectors: bytes where every bag gives one, with or without an id in the part. */
  readonly ofAllBags?: number;
}

export interface ComparedTraffic {
  readonly tables: readonly TableCounts[];
  readonly fleet: PlacedFleet;
  /** Iterations that the counts are of. */
  readonly iterations: number;
}

type About = Pick<PlacementComparison, "quantity" | "table" | "part" | "device" | "link" | "unit">;

/** Part by part, then device by device. */
export function placementComparisons(compared: ComparedTraffic): readonly PlacementComparison[] {
  return [
    ...compared.tables.flatMap((table) => table.parts.flatMap((counts) => partComparisons(compared, table, counts))),
    ...deviceComparisons(compared),
  ];
}

function partComparisons(
  { fleet, iterations }: ComparedTraffic,
  counts: TableCounts,
  partCounts: PartCounts,
): PlacementComparison[] {
  const { table } = counts;
  const { part, lookups, cache } = partCounts;
  const { predicted } = part;
  const cells = lookups.length;
  const about = { table: table.name, part: part.kind, device: null, link: null } as const;
  const variance = lookupVariance(table, predicted.lookups / cells);
  const lines = [
    line({ ...about, quantity: "look-ups", unit: "rows" }, predicted.lookups, {
      ...{ observed: sum(lookups) / iterations, step: 1 / iterations },
      variance: (fleet.devices * lookupVariance(table, predicted.lookups / fleet.devices)) / iterations,
    }),
  ];
  for (const [k, weights] of idWeights(part, fleet).entries()) {
    const link = LINKS[k] as LinkName;
    const seen = weighted(weights, lookups, variance, iterations);
    if (predicted.ids[link] > 0 || seen.observed > 0) {
      lines.push(line({ ...about, quantity: "ids", link, unit: "bytes" }, predicted.ids[link], seen));
    }
  }
  lines.push(...vectorComparisons(fleet, iterations, counts, partCounts));
  if (cache !== null && predicted.misses !== null) {
    lines.push(
      line({ ...about, quantity: "misses", unit: "rows" }, predicted.misses, {
        ...{ observed: cache.misses / iterations, step: 1 / iterations },
        variance: missVariance(table, part, predicted.lookups, fleet.devices) / iterations,
      }),
    );
  }
  return lines;
}

function vectorComparisons(
  fleet: PlacedFleet,
  iterations: number,
  { table, bags }: TableCounts,
  { part, lookups, vectors }: PartCounts,
): PlacementComparison[] {
  const { predicted } = part;
  if (predicted.vectors === null || predicted.outputs === null || part.exchange === "none") return [];
  const { isPooled, features } = table;
  const counted = isPooled ? vectors : lookups;
  const mean = predicted.outputs / fleet.devices;
  const ofBags = features.reduce((total, feature) => total + feature.bags, 0);
  const variance = isPooled
    ? mean * Math.max(0, 1 - mean / ofBags)
    : lookupVariance(table, predicted.lookups / lookups.length);
  // With more ids in a bag than one, or now one and now another number, how many bags have none in a part is not what the cost model says, an estimate.
  const isEstimate =
    isPooled && features.some(({ length, spread = 0 }, f) => (length > 1 || spread > 0) && part.everyBag[f] !== true);
  return vectorWeights(part, fleet, isPooled).flatMap((weights, k) => {
    const link = LINKS[k] as LinkName;
    const expected = (predicted.vectors as NonNullable<typeof predicted.vectors>)[link];
    const seen = weighted(weights, counted, variance, iterations);
    if (expected === 0 && seen.observed === 0) return [];
    const about: About = { quantity: "vectors", table: table.name, part: part.kind, device: null, link, unit: "bytes" };
    const own = line(about, expected, seen);
    if (!isPooled) return [own];
    const ofAllBags = weighted(weights, bags, 0, iterations).observed;
    return [{ ...own, ofAllBags, ...(isEstimate ? bracketed(own, ofAllBags) : {}) }];
  });
}

function bracketed(
  { predicted, observed, standardError, within, reading }: PlacementComparison,
  ofAllBags: number,
): Pick<PlacementComparison, "reading" | "within" | "z"> {
  const isBetween = predicted >= observed - LIMIT * standardError && predicted <= ofAllBags * (1 + 1e-9);
  if (isBetween) return { z: null, within: true, reading: within && reading === "agrees" ? "agrees" : "between" };
  return { z: null, within: false, reading: "differs" };
}

function deviceComparisons({ tables, fleet, iterations }: ComparedTraffic): PlacementComparison[] {
  return Array.from({ length: fleet.devices }, (_, device) => {
    let [predicted, observed, variance, step] = [0, 0, 0, 0];
    let hasBlocks = false;
    for (const { table, parts } of tables) {
      for (const { part, lookups } of parts) {
        const blocks = part.blocks.length;
        const held = part.shards.filter((shard) => shard.device === device);
        const own = lookupVariance(table, part.predicted.lookups / lookups.length);
        // Copies are read by their device's samples, shards by everyone's.
        const sources = part.exchange === "none" ? [device] : Array.from({ length: fleet.devices }, (__, d) => d);
        const weights = new Map<number, number>();
        for (const { block } of held) {
          weights.set(block, (weights.get(block) ?? 0) + 1);
          predicted += part.predicted.lookupsOfShard;
        }
        for (const [block, weight] of weights) {
          for (const source of sources) observed += weight * (lookups[source * blocks + block] as number);
          variance += weight ** 2 * own * sources.length;
          step = Math.max(step, weight);
        }
        hasBlocks ||= held.length > 0 && blocks > 1;
      }
    }
    const about: About = { quantity: "look-ups", table: null, part: null, device, link: null, unit: "rows" };
    const made = line(about, predicted, {
      observed: observed / iterations,
      variance: variance / iterations,
      step: step / iterations,
    });
    return hasBlocks && made.reading === "differs" ? { ...made, reading: "uneven", within: true } : made;
  });
}

interface Seen {
  readonly observed: number;
  /** Of the mean. */
  readonly variance: number;
  /** The most that one id or vector changes the mean by. */
  readonly step: number;
}

/** A weighted sum of what was counted, cell by cell, each with this variance in an iteration. */
function weighted(weights: LinkWeights[number], counted: Float64Array, variance: number, iterations: number): Seen {
  let [observed, squares, most] = [0, 0, 0];
  for (let k = 0; k < weights.length; k++) {
    const weight = weights[k] as number;
    observed += weight * (counted[k] as number);
    squares += weight ** 2;
    most = Math.max(most, weight);
  }
  return { observed: observed / iterations, variance: (squares * variance) / iterations, step: most / iterations };
}

function line(about: About, predicted: number, { observed, variance, step }: Seen): PlacementComparison {
  const seen = independentLoads([observed], [variance], step);
  const { observed: mean, ...deviation } = deviationOf({ predicted, weights: [1] }, seen);
  return { ...about, ...deviation, observed: mean as number };
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
