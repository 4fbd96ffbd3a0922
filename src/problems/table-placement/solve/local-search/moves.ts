import type { Random } from "../../../../exact/random.js";
import { FREE, GROUPS, NODE, UNIFORM } from "./movable-shards.js";
import type { State } from "./state.js";

/** The energy that moving a shard to another device adds, where one from there comes in its place, or none does. */
export function changeDelta(state: State, slot: number, to: number, other: number | null): number {
  const { layout, load, hbm } = state;
  const shard = state.shardOf(slot);
  const back = other === null ? null : state.shardOf(other);
  const from = state.place[slot] as number;
  const cost = (layout.cost[shard] as number) - (back === null ? 0 : (layout.cost[back] as number));
  const bytes = (layout.hbm[shard] as number) - (back === null ? 0 : (layout.hbm[back] as number));
  const [loadFrom, loadTo] = [load[from] as number, load[to] as number];
  const [hbmFrom, hbmTo] = [hbm[from] as number, hbm[to] as number];
  const delta =
    state.term(from, loadFrom - cost, hbmFrom - bytes) -
    state.term(from, loadFrom, hbmFrom) +
    state.term(to, loadTo + cost, hbmTo + bytes) -
    state.term(to, loadTo, hbmTo);
  return layout.further.length === 0 ? delta : delta + furtherDelta(state, from, to, shard, back);
}

/** Of the further memories, where a shard goes from one device to another and `back` comes in its place. */
function furtherDelta(state: State, from: number, to: number, shard: number, back: number | null): number {
  let delta = 0;
  for (const [m, { bytes: of, poolOf }] of state.layout.further.entries()) {
    const bytes = (of[shard] as number) - (back === null ? 0 : (of[back] as number));
    const [poolFrom, poolTo] = [poolOf[from] as number, poolOf[to] as number];
    if (bytes === 0 || poolFrom === poolTo) continue;
    const used = state.further[m] as Float64Array;
    const [at, there] = [used[poolFrom] as number, used[poolTo] as number];
    delta +=
      state.furtherTerm(m, poolFrom, at - bytes) -
      state.furtherTerm(m, poolFrom, at) +
      state.furtherTerm(m, poolTo, there + bytes) -
      state.furtherTerm(m, poolTo, there);
  }
  return delta;
}

/** What adding one shard to a device would add to the energy. */
function addDelta(state: State, slot: number, device: number): number {
  const { layout } = state;
  const shard = state.shardOf(slot);
  const [load, hbm] = [state.load[device] as number, state.hbm[device] as number];
  let delta =
    state.term(device, load + (layout.cost[shard] as number), hbm + (layout.hbm[shard] as number)) -
    state.term(device, load, hbm);
  for (const [m, { bytes: of, poolOf }] of layout.further.entries()) {
    const pool = poolOf[device] as number;
    const bytes = state.further[m]?.[pool] as number;
    delta += state.furtherTerm(m, pool, bytes + (of[shard] as number)) - state.furtherTerm(m, pool, bytes);
  }
  const unit = layout.unitOfSlot[slot] as number;
  return state.isApart(unit) ? delta + state.meetings(slot, device) * state.apartWeight : delta;
}

/** Whether a shard may go to a device while the others of its unit stay. */
export function mayMove(state: State, slot: number, to: number): boolean {
  const { layout } = state;
  const option = state.option[layout.unitOfSlot[slot] as number] as number;
  const freedom = layout.freedom[option];
  if (freedom !== FREE && freedom !== NODE) return false;
  if (isCopy(state, slot)) return false;
  if ((layout.admitted[option] as Uint8Array)[to] !== 1) return false;
  return freedom === FREE || nodeOf(state, to) === nodeOf(state, state.place[slot] as number);
}

/** Whether a slot holds a copy of hot rows, which is where it is. */
function isCopy(state: State, slot: number): boolean {
  const { layout } = state;
  const unit = layout.unitOfSlot[slot] as number;
  const copies = layout.copies[state.option[unit] as number] as number;
  return slot >= (layout.slotStart[unit] as number) + state.shardsOf(unit) - copies;
}

function nodeOf(state: State, device: number): number {
  return Math.floor(device / state.layout.gpusPerNode);
}

export function shift(state: State, slot: number, to: number): void {
  state.remove(slot);
  state.add(slot, to);
}

export function exchange(state: State, a: number, b: number): void {
  const [here, there] = [state.place[a] as number, state.place[b] as number];
  state.remove(a);
  state.remove(b);
  state.add(a, there);
  state.add(b, here);
}

/**
 * Places the shards of a unit that has none on devices, under an option. Each goes where the energy grows least (then
 * where the load is least) among `sample` random devices or nodes, or among all of them without `random`.
 */
export function placeUnit(state: State, unit: number, option: number, random: Random | null, sample: number): void {
  const { layout } = state;
  state.option[unit] = option;
  const from = layout.slotStart[unit] as number;
  const copies = layout.copies[option] as number;
  const to = from + state.shardsOf(unit) - copies;
  // First, so that the others are placed beside them.
  for (let device = 0; device < copies; device++) state.add(to + device, device);
  const freedom = layout.freedom[option];
  const nodes = layout.nodes[option] as Int32Array;
  if (freedom === UNIFORM) {
    for (let slot = from; slot < to; slot++) state.add(slot, slot - from);
  } else if (freedom === FREE) {
    placeFreely(state, from, to, layout.devices[option] as Int32Array, random, sample);
  } else if (freedom === GROUPS) {
    placeGroups(state, from, to, nodes, random);
  } else {
    placeInNode(state, from, to, option, random, sample);
  }
}

function placeFreely(
  state: State,
  from: number,
  to: number,
  devices: Int32Array,
  random: Random | null,
  sample: number,
): void {
  for (let slot = from; slot < to; slot++) state.add(slot, leastOf(state, slot, devices, random, sample));
}

function leastOf(state: State, slot: number, devices: Int32Array, random: Random | null, sample: number): number {
  const tries = random === null ? devices.length : Math.min(sample, devices.length);
  let best = -1;
  let bestDelta = Number.POSITIVE_INFINITY;
  let bestLoad = Number.POSITIVE_INFINITY;
  for (let k = 0; k < tries; k++) {
    const device = devices[random === null ? k : random.integer(devices.length)] as number;
    const delta = tries === 1 ? 0 : addDelta(state, slot, device);
    const load = state.load[device] as number;
    if (delta > bestDelta || (delta === bestDelta && load >= bestLoad)) continue;
    [best, bestDelta, bestLoad] = [device, delta, load];
  }
  return best;
}

/** Group after group on the node not yet taken where the energy grows least; a random one of them with `random`. */
function placeGroups(state: State, from: number, to: number, nodes: Int32Array, random: Random | null): void {
  const { gpusPerNode } = state.layout;
  const open = [...nodes];
  for (let group = from; group < to; group += gpusPerNode) {
    const node = nodeFor(open, random, (node) => {
      let [delta, load] = [0, 0];
      for (let i = 0; i < gpusPerNode; i++) {
        delta += addDelta(state, group + i, node * gpusPerNode + i);
        load = Math.max(load, state.load[node * gpusPerNode + i] as number);
      }
      return [delta, load];
    });
    open.splice(open.indexOf(node), 1);
    for (let i = 0; i < gpusPerNode; i++) state.add(group + i, node * gpusPerNode + i);
  }
}

/** A random node; without `random` the first where the energy grows least, then where the load is least. */
function nodeFor(
  nodes: ArrayLike<number> & Iterable<number>,
  random: Random | null,
  measure: (node: number) => readonly [delta: number, load: number],
): number {
  if (random !== null) return nodes[random.integer(nodes.length)] as number;
  let [best, bestDelta, bestLoad] = [-1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const node of nodes) {
    const [delta, load] = measure(node);
    if (delta > bestDelta || (delta === bestDelta && load >= bestLoad)) continue;
    [best, bestDelta, bestLoad] = [node, delta, load];
  }
  return best;
}

/** All in one node: the one where the energy grows least, or a random one. */
function placeInNode(
  state: State,
  from: number,
  to: number,
  option: number,
  random: Random | null,
  sample: number,
): void {
  const { layout } = state;
  const devicesOf = (node: number): Int32Array =>
    (layout.devices[option] as Int32Array).filter((device) => nodeOf(state, device) === node);
  const node = nodeFor(layout.nodes[option] as Int32Array, random, (node) => {
    const devices = devicesOf(node);
    let [energy, load] = [0, 0];
    for (let slot = from; slot < to; slot++) {
      const device = leastOf(state, slot, devices, null, 0);
      energy += addDelta(state, slot, device);
      state.add(slot, device);
      load = Math.max(load, state.load[device] as number);
    }
    for (let slot = from; slot < to; slot++) state.remove(slot);
    return [energy, load];
  });
  placeFreely(state, from, to, devicesOf(node), random, sample);
}
