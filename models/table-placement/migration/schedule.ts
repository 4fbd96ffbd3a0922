import type { TableMemory } from "../../../src/cost/torchrec/storage/kept.js";
import type { PlacementProblem, ShardNeed } from "../problem.js";
import { type ExtraMemory, leastExtra } from "./extra-memory.js";
import { type LinkSpeeds, secondsOf } from "./link-speeds.js";
import type { Moves } from "./moves.js";
import { type Action, type Amounts, type FoundOrder, type MoveProblem, MoveState, orderWithin } from "./order.js";
import { type Link, linkOf, type NewShard, type OldShard, type Place } from "./transfers.js";

/** Every memory of the cluster, in the order in which all lists of bytes have them. */
export interface MemoryPlace {
  readonly memory: TableMemory;
  /** Of a device, or for host memory that its devices share, of a host. */
  readonly of: "device" | "host";
  readonly number: number;
  /** `null`: nothing limits it. */
  readonly limit: number | null;
}

/** A copy that is put aside, because the memory that it is in is wanted. */
export interface Parking {
  /** Index of the old shard. */
  readonly old: number;
  readonly device: number;
  readonly memory: TableMemory;
  readonly link: Link;
  readonly bytes: number;
}

/** What is done at once, and then freed. */
export interface Step {
  /** Indices of new shards, with what every one of its reads goes over: another link where the old shard was put aside. */
  readonly moves: readonly { readonly new: number; readonly links: readonly Link[] }[];
  readonly parks: readonly Parking[];
  /** Indices of old shards that are freed when the step is done, wherever they were. */
  readonly frees: readonly number[];
  /** By memory, bytes while the step is under way: what was there, and all that comes. */
  readonly during: readonly number[];
  readonly seconds: number | null;
}

export interface Schedule {
  readonly memories: readonly MemoryPlace[];
  /** By memory, bytes before the first step, when what nobody reads is freed. */
  readonly before: readonly number[];
  /** Indices of old shards that nobody reads. */
  readonly unread: readonly number[];
  readonly steps: readonly Step[];
  /** By memory, bytes after the last step. */
  readonly after: readonly number[];
  /** How many bytes more than its limit every memory needs for these steps; 0: they fit. */
  readonly extra: number;
  /** Without putting anything aside; `null`: it fits without. */
  readonly withoutParking: ExtraMemory | null;
}

/** An order of the moves in which no memory is exceeded on the way, or the one that is found to need the least more. */
export function scheduleOf(
  problem: PlacementProblem,
  moves: Moves,
  speeds: LinkSpeeds,
  { seed = 0, goneBytes = [] }: { readonly seed?: number; readonly goneBytes?: readonly number[] } = {},
): Schedule {
  const places = memoriesOf(problem, moves, goneBytes);
  const asked = moveProblem(moves, places);
  const straight = orderWithin(asked, { mayPark: false, seed });
  const withoutParking = straight === null ? leastExtra(asked, seed) : null;
  const order =
    straight ??
    (withoutParking?.found.extra === 0 ? withoutParking.found : orderWithin(asked, { mayPark: true, seed })) ??
    (withoutParking?.found as FoundOrder);
  const packed = packSteps(asked, order);
  const where: (Place | undefined)[] = [...moves.old];
  const hostOf = (device: number) => moves.hosts[device] as number;
  const steps = packed.steps.map(({ actions, frees, during }): Step => {
    const made = actions.flatMap((action) => (action.kind === "move" ? [action.move] : []));
    const linked = made.map((index) => {
      const { device, memory, reads } = moves.made[index] as NewShard;
      return { new: index, links: reads.map(({ from }) => linkOf(where[from] as Place, { device, memory }, hostOf)) };
    });
    const sent = linked.flatMap(({ new: index, links }) => {
      const { device: to, reads } = moves.made[index] as NewShard;
      return reads.map(({ from, bytes }, k) => ({
        from: where[from]?.device as number,
        to,
        link: links[k] as Link,
        bytes,
      }));
    });
    const parks = actions.flatMap((action) => (action.kind === "park" ? [parkingOf(moves, places, action)] : []));
    for (const { old, device, memory, link, bytes } of parks) {
      sent.push({ from: (moves.old[old] as OldShard).device, to: device, link, bytes });
      where[old] = { device, memory };
    }
    return { moves: linked, parks, frees, during, seconds: secondsOf(sent, speeds) };
  });
  return {
    ...packed,
    memories: places.all,
    steps,
    extra: order.extra,
    withoutParking: withoutParking === null || withoutParking.found.extra === 0 ? null : withoutParking,
  };
}

interface Places {
  readonly all: readonly MemoryPlace[];
  at(device: number, memory: TableMemory): number;
}

function memoriesOf(
  { nodes, gpusPerNode, hbmBytes, hostBytes, hostIsPooled, ssdBytes }: PlacementProblem,
  { hosts }: Moves,
  goneBytes: readonly number[],
): Places {
  const devices = nodes * gpusPerNode;
  const all: MemoryPlace[] = [];
  const index = new Map<string, number>();
  const add = (place: MemoryPlace, key: string) => {
    index.set(key, all.length);
    all.push(place);
  };
  for (const device of hosts.keys()) {
    const limit = hbmBytes[device] ?? goneBytes[device - devices] ?? null;
    add({ memory: "hbm", of: "device", number: device, limit }, `hbm ${device}`);
    if (!hostIsPooled) {
      add({ memory: "host", of: "device", number: device, limit: hostBytes?.[device] ?? null }, `host ${device}`);
    }
    add({ memory: "ssd", of: "device", number: device, limit: ssdBytes?.[device] ?? null }, `ssd ${device}`);
  }
  if (hostIsPooled) {
    for (const host of new Set(hosts)) {
      const own = hostBytes?.slice(host * gpusPerNode, (host + 1) * gpusPerNode);
      const limit = own === undefined || host >= nodes ? null : own.reduce((sum, bytes) => sum + bytes, 0);
      add({ memory: "host", of: "host", number: host, limit }, `host ${host}`);
    }
  }
  const at = (device: number, memory: TableMemory) =>
    index.get(`${memory} ${memory === "host" && hostIsPooled ? hosts[device] : device}`) as number;
  return { all, at };
}

function moveProblem({ old, made, layouts, hosts }: Moves, { all, at }: Places): MoveProblem {
  const limits = all.map(({ limit }) => limit ?? Number.POSITIVE_INFINITY);
  const amounts = (device: number, { hbmBytes, hostBytes, ssdBytes = 0 }: ShardNeed): Amounts =>
    [
      [at(device, "hbm"), hbmBytes] as const,
      [at(device, "host"), hostBytes] as const,
      [at(device, "ssd"), ssdBytes] as const,
    ].filter(([, bytes]) => bytes > 0);
  const stateBytes = ({ table, shape: { sizes } }: OldShard) => {
    const kept = layouts.get(table)?.kept ?? { cellBytes: 0, rowBytes: 0 };
    return sizes[0] * sizes[1] * kept.cellBytes + (sizes[1] > 0 ? sizes[0] * kept.rowBytes : 0);
  };
  // Host memory first, that of the own host before others; then other devices of the host, then all.
  // In doubles, read: a yes or no, to sort by.
  const near = (device: number) => (other: number) => Number(hosts[other] !== hosts[device]);
  const sheltersOf = (shard: OldShard): readonly Amounts[] => {
    const bytes = stateBytes(shard);
    const order = Array.from(hosts.keys()).sort((a, b) => near(shard.device)(a) - near(shard.device)(b) || a - b);
    const places = [shard.device, ...order.filter((device) => device !== shard.device)];
    return (["host", "hbm"] as const).flatMap((memory) =>
      places
        .filter((device) => memory !== shard.memory || at(device, memory) !== at(shard.device, memory))
        .map((device): Amounts => [[at(device, memory), bytes]]),
    );
  };
  const reused = new Set(made.map(({ stays }) => stays));
  return {
    limits,
    copies: old.map((shard, k) => ({
      takes: amounts(shard.device, shard.need),
      shelters: reused.has(k) || shard.memory === null ? [] : sheltersOf(shard),
    })),
    moves: made.map(({ device, need, reads, stays }) => ({
      takes: amounts(device, need),
      reads: [...new Set(reads.map(({ from }) => from))],
      replaces: stays,
    })),
  };
}

interface PackedStep {
  readonly actions: readonly Action[];
  readonly frees: readonly number[];
  readonly during: readonly number[];
}

/** Actions one after the other become steps: as many at once as fit beside all that is there when the step begins. */
function packSteps(
  problem: MoveProblem,
  { actions, extra }: FoundOrder,
): Pick<Schedule, "before" | "after" | "unread"> & { readonly steps: readonly PackedStep[] } {
  const { limits, copies, moves } = problem;
  const all = limits.map(() => 0);
  for (const { takes } of copies) for (const [memory, bytes] of takes) all[memory] = (all[memory] as number) + bytes;
  const state = new MoveState(problem);
  // What a shard takes the place of is not freed: it is that shard.
  const kept = new Set(moves.map(({ replaces }) => replaces));
  const freed = (before: readonly (Amounts | null)[]) =>
    before.flatMap((held, copy) => (held !== null && state.held[copy] === null && !kept.has(copy) ? [copy] : []));
  const unread = state.held.flatMap((held, copy) => (held === null ? [copy] : []));
  const steps: PackedStep[] = [];
  for (let next = 0; next < actions.length; ) {
    const during = [...state.use];
    const parked = new Set<number>();
    const held = [...state.held];
    const first = next;
    for (; next < actions.length; next++) {
      const action = actions[next] as Action;
      const needs = state.during(action);
      const reads = action.kind === "move" ? (moves[action.move]?.reads ?? []) : [action.copy];
      const fits = needs.every(
        ([memory, bytes]) => bytes === 0 || (during[memory] as number) + bytes <= (limits[memory] as number) + extra,
      );
      if (next > first && (!fits || reads.some((copy) => parked.has(copy)))) break;
      for (const [memory, bytes] of needs) during[memory] = (during[memory] as number) + bytes;
      if (action.kind === "park") parked.add(action.copy);
    }
    const taken = actions.slice(first, next);
    for (const action of taken) state.apply(action);
    steps.push({ actions: taken, frees: freed(held), during });
  }
  return { before: all, unread, steps, after: [...state.use] };
}

function parkingOf(
  { old, hosts }: Moves,
  { all, at }: Places,
  { copy, takes }: Action & { readonly kind: "park" },
): Parking {
  const shard = old[copy] as OldShard;
  const [[place, bytes]] = takes as [readonly [number, number]];
  const { memory, of, number } = all[place] as MemoryPlace;
  // Shared memory of a host is reached from the shard's own device, or from the first of another host.
  const isOwn = at(shard.device, memory) === place;
  const device = of === "device" ? number : isOwn ? shard.device : hosts.indexOf(number);
  const link = linkOf(shard, { device, memory }, (one) => hosts[one] as number);
  return { old: copy, device, memory, link, bytes };
}
