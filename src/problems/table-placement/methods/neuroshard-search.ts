import { deviceCount, type PlacementProblem, type ShardNeed } from "../../../../models/table-placement/problem.js";
import { widthsKey } from "../../../cost/neural/halvings.js";
import { cachedSetCost, type SetCost, type SetPart } from "../../../cost/neural/set-cost.js";
import { greedyHomes, setLoads } from "./greedy.js";
import { type PlacementHeuristic, underSetCost } from "./heuristic.js";
import { type WholeTable, wholeTables } from "./whole-tables.js";

/** The beam, the shards of either kind that a list may halve, and the levels (NeuroShard's defaults). */
const WIDTH = 3;
const CANDIDATES = 10;
const DEPTH = 10;

/** The limits that are tried: shares of the mean sum of dimensions that a device may have. */
const MIN_CAP = 1;
const MAX_CAP = 1.5;
const CAPS = 11;

/**
 * NeuroShard's search (Zha et al., MLSys 2023, algorithm 1, and its public code): a beam over column halvings around
 * {@link cappedGreedy}. Of each of the three best lists of shards, the ten largest shards and the ten that cost most alone are
 * halved, one at a time, as far as the problem has options for that (`splits`), ten levels deep; the best plan seen wins.
 *
 * The paper adds predicted times of communication to those of the kernels; here the cost is the network's alone.
 */
export const neuroshardSearch = underSetCost(
  (learned): PlacementHeuristic =>
    (problem, context) => {
      const cost = { problem, setCost: cachedSetCost(learned) };
      const tables = wholeTables(problem, context);
      if ("kind" in tables) return tables;
      const { shards, placed } = bestShards(cost, tables, context.shouldStop);
      if (placed === null) {
        const reason = "no limit on dimensions that it tries left a plan within the memory of the devices";
        return { kind: "none", reason };
      }
      const choices = shards.options.map((option, table) => ({
        option,
        devices: inOption(cost, shards, table).map((index) => placed.homes[index] as number),
      }));
      return { kind: "plan", placement: { choices } };
    },
);

/** What shards cost, and what they may be. */
interface Cost {
  readonly problem: PlacementProblem;
  readonly setCost: SetCost;
}

interface Candidate {
  readonly shards: Shards;
  /** `null` where there is no plan for these shards, which their halves may have. */
  readonly placed: PlacedShards | null;
  readonly largest: number;
}

/** The best plan that the beam sees from whole tables on, until it is told to stop. */
function bestShards(cost: Cost, tables: readonly WholeTable[], shouldStop?: () => boolean): Candidate {
  const candidate = (shards: Shards): Candidate => {
    const placed = cappedGreedy(cost, shards.list);
    return { shards, placed, largest: placed?.largest ?? Number.POSITIVE_INFINITY };
  };
  const options = tables.map(({ option }) => option);
  let best = candidate({ list: options.flatMap((option, table) => shardsOf(cost, table, option)), options });
  let beam: readonly Candidate[] = [best];
  for (let level = 0; level < DEPTH && beam.length > 0; level++) {
    const next: Candidate[] = [];
    for (const { shards } of beam) {
      for (const index of largestAndCostliest(cost, shards)) {
        if (shouldStop?.() === true) return best;
        const halved = halvedAt(cost, shards, index);
        if (halved === null) continue;
        const found = candidate(halved);
        next.push(found);
        if (found.largest < best.largest) best = found;
      }
    }
    // Sorting is stable: of equal ones the first found stay.
    beam = next.toSorted((a, b) => (a.largest < b.largest ? -1 : Number(a.largest > b.largest))).slice(0, WIDTH);
  }
  return best;
}

/** Shards on devices, one device per shard, with the largest predicted cost. */
interface PlacedShards {
  readonly homes: readonly number[];
  readonly largest: number;
}

/**
 * NeuroShard's table-wise sharding (Zha et al., MLSys 2023, algorithm 2): the greedy algorithm by predicted cost of all of
 * a device's shards, once for each of eleven limits on the sum of dimensions of a device, from 1.0 to 1.5 times the mean; the
 * plan with the smallest largest cost, the first of equal ones. `null` where no limit leaves a plan.
 */
function cappedGreedy({ problem, setCost }: Cost, shards: readonly Shard[]): PlacedShards | null {
  const devices = deviceCount(problem);
  const mean = shards.reduce((sum, { dim }) => sum + dim, 0) / devices;
  // NeuroShard orders by cost alone: equal ones go from the last to the first.
  const items = shards.map(({ table, part, need }) => {
    return { name: problem.tables[table]?.name ?? "", need, cost: setCost.parts[part]?.cost ?? 0, size: 0 };
  });
  const parts = shards.map(({ part }) => part);
  let best: PlacedShards | null = null;
  for (let c = 0; c < CAPS; c++) {
    const cap = (MIN_CAP + (c * (MAX_CAP - MIN_CAP)) / (CAPS - 1)) * mean;
    const dims = new Array<number>(devices).fill(0);
    const dimsWith = (device: number, s: number) => (dims[device] as number) + (shards[s] as Shard).dim;
    const loadWith = setLoads(setCost, problem, parts);
    const placed = greedyHomes(problem, items, {
      mayTake: (device, s) => dimsWith(device, s) <= cap,
      loadWith: (device, s, before) => {
        dims[device] = dimsWith(device, s);
        return loadWith(device, s, before);
      },
    });
    if (placed.kind === "none") continue;
    const largest = Math.max(...placed.loads);
    if (best === null || largest < best.largest) best = { homes: placed.homes, largest };
  }
  return best;
}

/** A shard of a table that columns were cut from, or a whole table. */
interface Shard {
  readonly table: number;
  readonly part: number;
  readonly dim: number;
  readonly need: ShardNeed;
}

/**
 * The shards that a search cuts tables into, in NeuroShard's order: a shard that is halved keeps its place, and its other half
 * joins the end. What cuts there are is what options the problem's tables have.
 */
interface Shards {
  readonly list: readonly Shard[];
  /** The option of each table that its shards are. */
  readonly options: readonly number[];
}

/** The shards of a table's option. */
function shardsOf({ problem, setCost }: Cost, table: number, option: number): readonly Shard[] {
  const needs = problem.tables[table]?.options[option]?.shards ?? [];
  return needs.map((need, k) => {
    const part = setCost.partOf(table, option, k);
    return { table, part, dim: (setCost.parts[part] as SetPart).dim, need };
  });
}

/** The shards with this one halved; `null` where its table has no option that is cut so. */
function halvedAt(cost: Cost, { list, options }: Shards, index: number): Shards | null {
  const { table, dim } = list[index] as Shard;
  const widths = [...list.filter((shard) => shard.table === table).map((shard) => shard.dim), dim / 2, dim / 2];
  widths.splice(widths.indexOf(dim), 1);
  const wanted = widthsKey(widths);
  const ways = cost.problem.tables[table]?.options.map((_, option) => shardsOf(cost, table, option)) ?? [];
  const option = ways.findIndex((shards) => widthsKey(shards.map((shard) => shard.dim)) === wanted);
  if (option === -1) return null;
  const half = ways[option]?.find((shard) => shard.dim === dim / 2) as Shard;
  return { list: [...list.with(index, half), half], options: options.with(table, option) };
}

/** The largest shards and those that cost most alone, as many of each as the search halves, by rising index. */
function largestAndCostliest({ setCost }: Cost, { list }: Shards): readonly number[] {
  const top = (value: (shard: Shard) => number) =>
    [...list.keys()].sort((a, b) => value(list[b] as Shard) - value(list[a] as Shard) || a - b).slice(0, CANDIDATES);
  const costliest = top(({ part }) => setCost.parts[part]?.cost ?? 0);
  return [...new Set([...top(({ need }) => need.hbmBytes), ...costliest])].sort((a, b) => a - b);
}

/** Which shard of the list each shard of a table's option is. */
function inOption(cost: Cost, { list, options }: Shards, table: number): readonly number[] {
  const left = [...list.keys()].filter((index) => list[index]?.table === table);
  return shardsOf(cost, table, options[table] as number).map(({ dim }) => {
    const at = left.findIndex((index) => list[index]?.dim === dim);
    return left.splice(at, 1)[0] as number;
  });
}
