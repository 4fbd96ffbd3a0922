import type { Random } from "../../../../exact/random.js";
import { mayMove } from "./moves.js";
import type { State } from "./state.js";

/** So many shards of two devices are dealt anew: all 2^8 ways are looked at. */
const SHARDS = 8;

/** A way that is less likely than the likeliest by more than e to this is none. */
const UNLIKELY = 8;

/**
 * Deals shards of two devices anew: one of all the ways to part them between the two, drawn with the odds that a
 * temperature gives its energy (heat bath: Creutz, Physical Review D 21, 1980). Memory that nearly fills leaves few ways
 * that keep to it, which moves and exchanges of single shards hardly come across. What was dealt can be taken back.
 */
export function heatBath(state: State) {
  const { layout } = state;
  const slots = new Int32Array(state.place.length);
  const cost = new Float64Array(SHARDS);
  const hbm = new Float64Array(SHARDS);
  // Slots that went elsewhere since the last `begin`, and where they were before.
  const moved: number[] = [];
  return { begin, undo, deal };

  function begin(): void {
    moved.length = 0;
  }

  /** Brings back what was dealt since `begin`. */
  function undo(): void {
    for (let k = moved.length - 2; k >= 0; k -= 2) {
      const slot = moved[k] as number;
      state.remove(slot);
      state.add(slot, moved[k + 1] as number);
    }
    moved.length = 0;
  }

  /** Deals anew between two devices; how many ways were looked at. */
  function deal(here: number, there: number, temperature: number, random: Random): number {
    const count = draw(here, there, random);
    if (count === 0) return 0;
    const dealt = chosen(here, there, count, temperature, random);
    for (let k = 0; k < count; k++) {
      const slot = slots[k] as number;
      const from = state.place[slot] as number;
      const to = (dealt & (1 << k)) !== 0 ? here : there;
      if (from === to) continue;
      moved.push(slot, from);
      state.remove(slot);
      state.add(slot, to);
    }
    return 2 ** count;
  }

  /** Draws which shards are dealt, of those that may be on either device; how many. */
  function draw(here: number, there: number, random: Random): number {
    let all = 0;
    for (const [device, other] of [
      [here, there],
      [there, here],
    ] as const) {
      for (const slot of state.items[device] as number[]) {
        if (
          mayMove(state, slot, other) &&
          !state.isApart(layout.unitOfSlot[slot] as number) &&
          isDealt(slot, here, there)
        )
          slots[all++] = slot;
      }
    }
    const count = Math.min(all, SHARDS);
    for (let k = 0; k < count; k++) {
      if (all > count) {
        const at = k + random.integer(all - k);
        const slot = slots[at] as number;
        slots[at] = slots[k] as number;
        slots[k] = slot;
      }
      const shard = state.shardOf(slots[k] as number);
      cost[k] = layout.cost[shard] as number;
      hbm[k] = layout.hbm[shard] as number;
    }
    return count;
  }

  /** Whether its place makes no difference to memories beside the devices' own. */
  function isDealt(slot: number, here: number, there: number): boolean {
    for (const { bytes, poolOf } of layout.further) {
      if (poolOf[here] !== poolOf[there] && (bytes[state.shardOf(slot)] as number) > 0) return false;
    }
    return true;
  }

  /** The way drawn: of each shard a bit that is 1 where it comes here. */
  function chosen(here: number, there: number, count: number, temperature: number, random: Random): number {
    let way = 0;
    for (let k = 0; k < count; k++) if (state.place[slots[k] as number] === here) way |= 1 << k;
    let [load, bytes] = [state.load[here] as number, state.hbm[here] as number];
    const [loads, allBytes] = [load + (state.load[there] as number), bytes + (state.hbm[there] as number)];
    let chosen = way;
    let least = Number.POSITIVE_INFINITY;
    let weights = 0;
    const ways = 1 << count;
    // In Gray's order, in which one shard changes sides at a time.
    for (let step = 1; ; step++) {
      const energy = state.term(here, load, bytes) + state.term(there, loads - load, allBytes - bytes);
      if (energy < least) {
        weights *= Math.exp((energy - least) / temperature);
        least = energy;
      }
      const excess = (energy - least) / temperature;
      if (excess < UNLIKELY) {
        const weight = excess === 0 ? 1 : Math.exp(-excess);
        weights += weight;
        if (weights === weight || random.next() * weights < weight) chosen = way;
      }
      if (step === ways) return chosen;
      const k = 31 - Math.clz32(step & -step);
      const sign = (way & (1 << k)) !== 0 ? -1 : 1;
      way ^= 1 << k;
      load += sign * (cost[k] as number);
      bytes += sign * (hbm[k] as number);
    }
  }
}
