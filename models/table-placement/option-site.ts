import { coldPart } from "./hot-rows.js";
import type { PlacementOption, PlacementProblem, ShardNeed } from "./problem.js";
import { type IntegerTerms, type ProgramDraft, sumOf } from "./program-draft.js";

/** A shard is where its option does not let it be: the placement stands for no point of the program. */
export class MisplacedError extends RangeError {
  override readonly name = "MisplacedError";
}

/** A column that counts alike shards on one device. */
export interface ShardColumn {
  readonly column: number;
  readonly table: number;
  readonly option: number;
  readonly device: number;
  /** What one that it counts needs: a shard, or several that share a node and are counted as one. */
  readonly need: ShardNeed;
  /** The most shards that it can count. */
  readonly most: number;
  /** It is the only one of its option's that counts a shard on the device. */
  readonly isDistinct?: true;
  /** The row that ties it to what was chosen: Σ of such columns = shards wanted. */
  readonly placeRow: number;
}

/** One option of a table in the program, with the ways there and back. */
export interface OptionColumns {
  readonly option: number;
  readonly shards: readonly ShardColumn[];
  /** The node choices of `host` and `multi_host` options. */
  readonly nodeChoices: readonly number[];
  /** The rows Σ node choices = groups wanted, where there are node choices. */
  readonly nodeRows: readonly number[];
  /** Writes the counts that stand for these devices, one per shard, into a point. Throws {@link MisplacedError}. */
  write(devices: readonly number[], point: bigint[]): void;
  /** The device of each shard in a point where this option is chosen. */
  read(point: readonly bigint[]): number[];
}

/** What the columns of one option are built from. */
export interface Site {
  readonly draft: ProgramDraft;
  readonly problem: PlacementProblem;
  readonly table: number;
  readonly option: number;
  /** The column that says "this option"; `null` where the table has no other. */
  readonly chosen: number | null;
  readonly allowed: readonly boolean[];
}

/** Copies of hot rows are left out: they have columns of their own. */
export function optionOf({ problem, table, option }: Site): PlacementOption {
  return coldPart(problem.tables[table]?.options[option] as PlacementOption);
}

/** How many of alike shards a device may have, as a column of them says it. */
function mostOf(site: Site, { shards }: Pick<Run, "shards">): Pick<ShardColumn, "most" | "isDistinct"> {
  return optionOf(site).distinctDevices ? { most: 1, isDistinct: true } : { most: shards.length };
}

/** `wanted` of something if the option is chosen, none otherwise: the terms and the side of an equation. */
export function ifChosen(
  { chosen }: Pick<Site, "chosen">,
  terms: IntegerTerms,
  wanted: bigint,
): { terms: IntegerTerms; side: bigint } {
  return chosen === null ? { terms, side: wanted } : { terms: [...terms, [chosen, -wanted]], side: 0n };
}

/** Alike shards: what each needs, and which shards these are. */
export interface Run {
  readonly need: ShardNeed;
  readonly shards: readonly number[];
}

export function runsOf(shards: readonly ShardNeed[], keyOf: (need: ShardNeed) => string = needKey): Run[] {
  const runs = new Map<string, { need: ShardNeed; shards: number[] }>();
  let last: { need: ShardNeed; shards: number[] } | undefined;
  for (const [shard, need] of shards.entries()) {
    if (last?.need !== need) {
      const key = keyOf(need);
      last = runs.get(key) ?? { need, shards: [] };
      runs.set(key, last);
    }
    last.shards.push(shard);
  }
  return [...runs.values()];
}

/** Of equal needs the first one. */
export function sharedNeeds(): (need: ShardNeed) => ShardNeed {
  const known = new Map<string, ShardNeed>();
  return (need) => {
    const key = needKey(need);
    const same = known.get(key) ?? need;
    known.set(key, same);
    return same;
  };
}

/** Equal for shards that add the same to a device, whatever it receives for them. */
export function plainKey({ incoming: _incoming, ...need }: ShardNeed): string {
  return needKey(need);
}

/** Equal for shards that need the same. */
export function needKey(need: ShardNeed): string {
  const { cost, hbmBytes, hostBytes, ssdBytes = 0, phases = [], incoming, within } = need;
  const moved = incoming === undefined ? [] : ["in", incoming.bytes, ...incoming.held.map((part) => part.join(":"))];
  const inside = within === undefined ? [] : ["within", within.least, within.most];
  return [cost, hbmBytes, hostBytes, ssdBytes, ...phases, ...moved, ...inside].join(" ");
}

/** Columns that count alike shards on devices. */
function addCounts(
  site: Site,
  name: string,
  { need, shards }: Run,
  devices: readonly number[],
): Omit<ShardColumn, "placeRow">[] {
  const { draft, table, option } = site;
  const own = mostOf(site, { shards });
  return devices.map((device) => {
    const column = draft.addCount(`n_${name}_${device}`, BigInt(own.most));
    return { column, table, option, device, need, ...own };
  });
}

/** Alike shards with the columns that count them. */
interface CountedRun {
  readonly shards: readonly number[];
  readonly columns: readonly ShardColumn[];
}

/**
 * Columns that count the shards of each run on some devices, and rows that tie them to what was chosen: `tie` says what the counts of
 * so many shards come to, `nameOf` what columns and rows of a run are called.
 */
export function addRuns(
  site: Site,
  runs: readonly Run[],
  devices: readonly number[],
  nameOf: (run: number) => { readonly column: string; readonly row: string },
  tie: (counts: IntegerTerms, shards: bigint) => { readonly terms: IntegerTerms; readonly side: bigint },
): CountedRun[] {
  return runs.map((run, k) => {
    const { column, row } = nameOf(k);
    const counted = addCounts(site, column, run, devices);
    const { terms, side } = tie(sumOf(counted.map((one) => one.column)), BigInt(run.shards.length));
    const placeRow = site.draft.addEquation(`place_${row}`, terms, side);
    return { shards: run.shards, columns: counted.map((one) => ({ ...one, placeRow })) };
  });
}

export function countShards(runs: readonly CountedRun[], devices: readonly number[], point: bigint[]): void {
  for (const { shards, columns } of runs) {
    for (const shard of shards) {
      const device = devices[shard] as number;
      const at = columns.find((column) => column.device === device);
      if (at === undefined) throw new MisplacedError(`a shard is on device ${device}, where it may not be`);
      point[at.column] = (point[at.column] as bigint) + 1n;
    }
  }
}

/** The device of each shard of some runs. */
export function spreadShards(runs: readonly CountedRun[], point: readonly bigint[]): number[] {
  const devices: number[] = [];
  for (const { shards, columns } of runs) {
    let next = 0;
    for (const { column, device } of columns) {
      for (let left = point[column] as bigint; left > 0n; left--) devices[shards[next++] as number] = device;
    }
  }
  return devices;
}

/** The nodes that have an allowed device, or, where every slot is used, allowed devices only. */
export function homesOf(
  { nodes, gpusPerNode }: PlacementProblem,
  allowed: readonly boolean[],
  everySlot: boolean,
): number[] {
  return Array.from({ length: nodes }, (_, node) => node).filter((node) => {
    const devices = allowed.slice(node * gpusPerNode, (node + 1) * gpusPerNode);
    return everySlot ? !devices.includes(false) : devices.includes(true);
  });
}
