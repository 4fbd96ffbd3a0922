import type {
  Placement,
  PlacementOption,
  PlacementProblem,
  PlacementTable,
  ShardNeed,
} from "../../models/table-placement/problem.js";
import { leastCommonMultiple, Rational } from "../../src/exact/rational.js";
import { movedCount } from "./moved-placement.js";

/**
 * A placement of a tiny problem, found by trying every one in exact arithmetic. It is the independent witness
 * for evaluation, methods and proofs: it shares no code with them beyond the problem and rational numbers, and writes
 * the partitions down anew, as sets of allowed device lists.
 */
export interface BruteForcePlacement {
  /** The largest device cost; with the goal `phases`, Σ of the phases' largest. */
  readonly largest: Rational;
  /** Of the optimum the first with that. */
  readonly placement: Placement;
}

interface Way {
  readonly option: number;
  readonly devices: readonly number[];
}

/** Ways to place one table by itself, memory and other tables aside: every option, every list of devices it may have. */
export function waysOf(problem: PlacementProblem, table: number): readonly Way[] {
  const { options, devices: allowed } = problem.tables[table] as PlacementTable;
  const together = problem.together.some((group) => group.includes(table));
  return options.flatMap((_, option) =>
    listsOf(problem, table, option)
      .filter((list) => allowed === null || list.every((device) => allowed.includes(device)))
      .filter((list) => !together || list.every((device) => device === list[0]))
      .map((devices) => ({ option, devices })),
  );
}

/** What adds up on a device: the cost, or the cost of each phase. */
function partsOf({ goal }: PlacementProblem, { cost, phases = [] }: ShardNeed): readonly number[] {
  return goal === "phases" ? phases : [cost];
}

/** How many combinations {@link bruteForcePlacement} would look at. */
export function combinations(problem: PlacementProblem): number {
  return problem.tables.reduce((product, _, table) => product * waysOf(problem, table).length, 1);
}

/** Device lists of an option by its partition alone; copies of hot rows come last, one on every device. */
function listsOf(problem: PlacementProblem, table: number, option: number): number[][] {
  const { tables, nodes, gpusPerNode } = problem;
  const { hot, shards, distinctDevices } = (tables[table] as PlacementTable).options[option] as PlacementOption;
  const devices = nodes * gpusPerNode;
  const cold = coldListsOf(problem, table, option, shards.length - (hot === undefined ? 0 : devices)).filter(
    (list) => !distinctDevices || new Set(list).size === list.length,
  );
  return hot === undefined ? cold : cold.map((list) => [...list, ...range(devices)]);
}

function coldListsOf(
  { nodes, gpusPerNode, tables }: PlacementProblem,
  table: number,
  option: number,
  count: number,
): number[][] {
  const { partitionBy, shardingType } = (tables[table] as PlacementTable).options[option] as PlacementOption;
  const devices = nodes * gpusPerNode;
  const node = (n: number) => range(gpusPerNode).map((slot) => n * gpusPerNode + slot);
  switch (partitionBy) {
    case "device":
      return words(range(devices), count);
    case "uniform":
      return count <= devices ? [range(count)] : [];
    case "host":
      return shardingType === "table_row_wise" && count === gpusPerNode
        ? range(nodes).map(node)
        : range(nodes).flatMap((n) => words(node(n), count));
    default:
      if (count % gpusPerNode !== 0) return [];
      // Each group on the next of some order of the nodes, and from the first of them again.
      return words(range(nodes), Math.min(count / gpusPerNode, nodes))
        .filter((hosts) => new Set(hosts).size === hosts.length)
        .map((hosts) => range(count / gpusPerNode).flatMap((group) => node(hosts[group % hosts.length] as number)));
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** All lists of a length over an alphabet. */
function words(alphabet: readonly number[], length: number): number[][] {
  return length === 0
    ? [[]]
    : words(alphabet, length - 1).flatMap((word) => alphabet.map((letter) => [...word, letter]));
}

/** Tries every placement; `null` when none is within the limits. */
export function bruteForcePlacement(problem: PlacementProblem): BruteForcePlacement | null {
  let best: BruteForcePlacement | null = null;
  for (const found of feasiblePlacements(problem)) {
    if (best === null || found.largest.compare(best.largest) < 0) best = found;
  }
  return best;
}

/** Every placement within the limits, with what it comes to. */
export function* feasiblePlacements(problem: PlacementProblem): Generator<BruteForcePlacement> {
  const { nodes, gpusPerNode, tables } = problem;
  const devices = nodes * gpusPerNode;
  const exact = (cost: number) => Rational.fromNumber(cost);
  const scale = tables
    .flatMap(({ options }) => options.flatMap(({ shards }) => shards.flatMap((need) => partsOf(problem, need))))
    .map((cost) => exact(cost).denominator)
    .reduce(leastCommonMultiple, 1n);
  const ways = tables.map((_, table) => waysOf(problem, table));
  /** By part, then by device. */
  const costs: bigint[][] = [];
  const hbm = new Array<bigint>(devices).fill(0n);
  const host = new Array<bigint>(devices).fill(0n);
  const ssd = new Array<bigint>(devices).fill(0n);
  const chosen: Way[] = [];
  const shift = (table: number, { option, devices: places }: Way, sign: bigint) => {
    for (const [k, device] of places.entries()) {
      const need = needOf(problem, table, option, k);
      const { hbmBytes, hostBytes, ssdBytes = 0 } = need;
      for (const [part, cost] of partsOf(problem, need).entries()) {
        const { numerator, denominator } = exact(cost);
        costs[part] ??= new Array<bigint>(devices).fill(0n);
        const sums = costs[part];
        sums[device] = (sums[device] as bigint) + sign * numerator * (scale / denominator);
      }
      hbm[device] = (hbm[device] as bigint) + sign * BigInt(hbmBytes);
      host[device] = (host[device] as bigint) + sign * BigInt(hostBytes);
      ssd[device] = (ssd[device] as bigint) + sign * BigInt(ssdBytes);
    }
  };
  const visit = function* (table: number): Generator<BruteForcePlacement> {
    if (table === tables.length) {
      if (problem.stay !== undefined && movedCount(problem, chosen) > problem.stay.mostMoved) return;
      const largest = costs.reduce((total, sums) => total + sums.reduce((a, b) => (a > b ? a : b)), 0n);
      yield { largest: Rational.of(largest, scale), placement: { choices: [...chosen] } };
      return;
    }
    for (const way of ways[table] ?? []) {
      if (!agrees(problem, chosen, way)) continue;
      chosen.push(way);
      shift(table, way, 1n);
      // Bytes only grow, so what does not fit now never will.
      if (fits(problem, hbm, host, ssd)) yield* visit(table + 1);
      shift(table, way, -1n);
      chosen.pop();
    }
  };
  yield* visit(0);
}

function needOf({ tables }: PlacementProblem, table: number, option: number, shard: number): ShardNeed {
  const { shards } = (tables[table] as PlacementTable).options[option] as PlacementOption;
  return shards[shard] as ShardNeed;
}

/** Whether the next table may be so placed beside the ones before it. */
function agrees({ together, apart }: PlacementProblem, before: readonly Way[], next: Way): boolean {
  const table = before.length;
  const partners = (groups: readonly (readonly number[])[]) =>
    groups.filter((group) => group.includes(table)).flatMap((group) => group.filter((other) => other < table));
  const shares = (other: number) => (before[other] as Way).devices.some((device) => next.devices.includes(device));
  const isElsewhere = (other: number) => (before[other] as Way).devices[0] !== next.devices[0];
  return !partners(together).some(isElsewhere) && !partners(apart).some(shares);
}

function fits(
  problem: PlacementProblem,
  hbm: readonly bigint[],
  host: readonly bigint[],
  ssd: readonly bigint[],
): boolean {
  const { nodes, gpusPerNode, hbmBytes, hostBytes, hostIsPooled } = problem;
  if (hbm.some((used, d) => used > BigInt(hbmBytes[d] as number))) return false;
  if (problem.ssdBytes?.some((limit, d) => (ssd[d] as bigint) > BigInt(limit))) return false;
  if (hostBytes === null) return true;
  if (!hostIsPooled) return !host.some((used, d) => used > BigInt(hostBytes[d] as number));
  return range(nodes).every((n) => {
    const devices = range(gpusPerNode).map((slot) => n * gpusPerNode + slot);
    const used = devices.reduce((sum, d) => sum + (host[d] as bigint), 0n);
    return used <= devices.reduce((sum, d) => sum + BigInt(hostBytes[d] as number), 0n);
  });
}
