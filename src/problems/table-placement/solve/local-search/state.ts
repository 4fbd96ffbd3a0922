import type { Random } from "../../../../exact/random.js";
import type { FurtherMemory, Layout } from "./layout.js";

/**
 * A complete assignment with what it adds up to per device, and its *energy*: how far loads are over a target and bytes
 * over their capacity, and how many pairs of kinds that should be apart meet. A state may be over; zero is a plan whose
 * largest cost is at most the target.
 */
export class State {
  readonly layout: Layout;
  /** The option of each unit. */
  readonly option: Int32Array;
  /** The device of each slot; −1 where the present option has fewer shards. */
  readonly place: Int32Array;
  readonly load: Float64Array;
  readonly hbm: Float64Array;
  /** Of each further memory, the bytes of each pool. */
  readonly further: readonly Float64Array[];
  /** The slots on each device, in no order, and where each slot is in its list. */
  readonly items: number[][];
  readonly #index: Int32Array;
  /** Shards of each unit's membership of a group, and units of each group (shards of a unit's own), per device. */
  readonly #members: Int32Array;
  readonly #meeting: Int32Array;
  conflicts = 0;
  /** Devices and pools of further memory that hold more than their capacity. */
  overfull = 0;
  /** The energy, kept up to date by `add` and `remove`; `measure` after target or weights changed, and against rounding. */
  energy = 0;
  target = 0;
  /** Shards that were put on devices so far. */
  placed = 0;
  /** Energy of one unit of cost over the target. */
  costWeight = 1;
  /** Energy of one byte over, per device and of each further memory; of one meeting of what should be apart. */
  readonly hbmWeight: Float64Array;
  readonly furtherWeight: Float64Array;
  apartWeight = 1;

  constructor(layout: Layout) {
    this.layout = layout;
    const devices = layout.deviceCount;
    this.option = Int32Array.from(layout.units, (_, unit) => layout.optionStart[unit] as number);
    this.place = new Int32Array(layout.unitOfSlot.length).fill(-1);
    this.load = new Float64Array(devices);
    this.hbm = new Float64Array(devices);
    this.further = layout.further.map(({ capacity }) => new Float64Array(capacity.length));
    this.items = Array.from({ length: devices }, () => []);
    this.#index = new Int32Array(layout.unitOfSlot.length);
    this.#members = new Int32Array(layout.apart.length * devices);
    this.#meeting = new Int32Array(layout.apartGroups * devices);
    this.hbmWeight = new Float64Array(devices).fill(1);
    this.furtherWeight = new Float64Array(this.further.length).fill(1);
  }

  /** The shard that a slot holds under its unit's present option. */
  shardOf(slot: number): number {
    const { layout } = this;
    const unit = layout.unitOfSlot[slot] as number;
    const option = this.option[unit] as number;
    return (layout.shardStart[option] as number) + slot - (layout.slotStart[unit] as number);
  }

  shardsOf(unit: number): number {
    const option = this.option[unit] as number;
    return (this.layout.shardStart[option + 1] as number) - (this.layout.shardStart[option] as number);
  }

  add(slot: number, device: number): void {
    this.place[slot] = device;
    this.placed++;
    this.#change(device, this.shardOf(slot), 1);
    const list = this.items[device] as number[];
    this.#index[slot] = list.length;
    list.push(slot);
    this.#join(slot, device, 1);
  }

  remove(slot: number): void {
    const device = this.place[slot] as number;
    this.place[slot] = -1;
    this.#change(device, this.shardOf(slot), -1);
    const list = this.items[device] as number[];
    const last = list.pop() as number;
    if (last !== slot) {
      const at = this.#index[slot] as number;
      list[at] = last;
      this.#index[last] = at;
    }
    this.#join(slot, device, -1);
  }

  #change(device: number, shard: number, sign: 1 | -1): void {
    const { layout } = this;
    const [cost, hbm] = [sign * (layout.cost[shard] as number), sign * (layout.hbm[shard] as number)];
    const [load, bytes] = [this.load[device] as number, this.hbm[device] as number];
    this.load[device] = load + cost;
    this.hbm[device] = bytes + hbm;
    this.energy += this.term(device, load + cost, bytes + hbm) - this.term(device, load, bytes);
    const capacity = layout.hbmCapacity[device] as number;
    this.overfull += Number(bytes + hbm > capacity) - Number(bytes > capacity);
    for (let m = 0; m < layout.further.length; m++) {
      const memory = layout.further[m] as FurtherMemory;
      const own = sign * (memory.bytes[shard] as number);
      if (own === 0) continue;
      const used = this.further[m] as Float64Array;
      const pool = memory.poolOf[device] as number;
      const before = used[pool] as number;
      used[pool] = before + own;
      const room = memory.capacity[pool] as number;
      this.overfull += Number(before + own > room) - Number(before > room);
      this.energy += this.furtherTerm(m, pool, before + own) - this.furtherTerm(m, pool, before);
    }
  }

  /** Takes a unit off its devices; what it had there. */
  takeUnit(unit: number): Taken {
    const from = this.layout.slotStart[unit] as number;
    const places = this.place.slice(from, from + this.shardsOf(unit));
    this.removeUnit(unit);
    return { unit, option: this.option[unit] as number, places };
  }

  /** Gives a unit that is on no device what it had. */
  putBack({ unit, option, places }: Taken): void {
    this.option[unit] = option;
    const from = this.layout.slotStart[unit] as number;
    for (let k = 0; k < places.length; k++) this.add(from + k, places[k] as number);
  }

  removeUnit(unit: number): void {
    const from = this.layout.slotStart[unit] as number;
    for (let slot = from + this.shardsOf(unit) - 1; slot >= from; slot--) this.remove(slot);
  }

  #join(slot: number, device: number, by: 1 | -1): void {
    const { layout } = this;
    const unit = layout.unitOfSlot[slot] as number;
    const end = layout.apartStart[unit + 1] as number;
    for (let member = layout.apartStart[unit] as number; member < end; member++) {
      const isOwn = (layout.apart[member] as number) >= layout.ownGroups;
      if (isOwn && !this.#isDistinct(slot)) continue;
      const at = member * layout.deviceCount + device;
      const count = (this.#members[at] as number) + by;
      this.#members[at] = count;
      if (!isOwn && count !== (by === 1 ? 1 : 0)) continue;
      const group = (layout.apart[member] as number) * layout.deviceCount + device;
      const units = (this.#meeting[group] as number) + by;
      this.#meeting[group] = units;
      if (units <= (by === 1 ? 1 : 0)) continue;
      this.conflicts += by;
      this.energy += by * this.apartWeight;
    }
  }

  /** Whether no other shard of its unit that is no copy may be on the slot's device. */
  #isDistinct(slot: number): boolean {
    const { layout } = this;
    const unit = layout.unitOfSlot[slot] as number;
    const option = this.option[unit] as number;
    const cold = this.shardsOf(unit) - (layout.copies[option] as number);
    return layout.isDistinct[option] === 1 && slot < (layout.slotStart[unit] as number) + cold;
  }

  /** How many meetings a slot's shard would add on a device. */
  meetings(slot: number, device: number): number {
    const { layout } = this;
    const unit = layout.unitOfSlot[slot] as number;
    let meetings = 0;
    const end = layout.apartStart[unit + 1] as number;
    for (let member = layout.apartStart[unit] as number; member < end; member++) {
      const isOwn = (layout.apart[member] as number) >= layout.ownGroups;
      if (isOwn && !this.#isDistinct(slot)) continue;
      if (!isOwn && (this.#members[member * layout.deviceCount + device] as number) > 0) continue;
      if ((this.#meeting[(layout.apart[member] as number) * layout.deviceCount + device] as number) > 0) meetings++;
    }
    return meetings;
  }

  isApart(unit: number): boolean {
    return (this.layout.apartStart[unit + 1] as number) > (this.layout.apartStart[unit] as number);
  }

  /** Energy of a device at a load and bytes. */
  term(device: number, load: number, hbm: number): number {
    const over = load - this.target;
    const overBytes = hbm - (this.layout.hbmCapacity[device] as number);
    return (
      (over > 0 ? over * this.costWeight : 0) + (overBytes > 0 ? overBytes * (this.hbmWeight[device] as number) : 0)
    );
  }

  energyOf(device: number): number {
    return this.term(device, this.load[device] as number, this.hbm[device] as number);
  }

  /** A device, drawn with the odds of what it is over; any where none is. */
  overDevice(random: Random): number {
    const devices = this.load.length;
    let sum = 0;
    for (let d = 0; d < devices; d++) sum += this.energyOf(d);
    if (sum > 0) {
      let left = random.next() * sum;
      for (let d = 0; d < devices; d++) {
        left -= this.energyOf(d);
        if (left <= 0) return d;
      }
    }
    return random.integer(devices);
  }

  /** The same of a pool of a further memory. */
  furtherTerm(memory: number, pool: number, bytes: number): number {
    const over = bytes - (this.layout.further[memory]?.capacity[pool] as number);
    return over > 0 ? over * (this.furtherWeight[memory] as number) : 0;
  }

  measure(): number {
    let energy = this.conflicts * this.apartWeight;
    for (let device = 0; device < this.load.length; device++) energy += this.energyOf(device);
    for (const [m, used] of this.further.entries()) {
      for (let pool = 0; pool < used.length; pool++) energy += this.furtherTerm(m, pool, used[pool] as number);
    }
    this.energy = energy;
    return energy;
  }

  /** Within all memory, and nothing that should be apart meets. Bytes are integers below 2^53: their sums are exact. */
  isFeasible(): boolean {
    return this.overfull === 0 && this.conflicts === 0;
  }

  /** Loads added anew, in the order of slots, so that rounding neither gathers nor depends on the path here. */
  refresh(): void {
    this.load.fill(0);
    for (let slot = 0; slot < this.place.length; slot++) {
      const device = this.place[slot] as number;
      if (device < 0) continue;
      this.load[device] = (this.load[device] as number) + (this.layout.cost[this.shardOf(slot)] as number);
    }
  }

  largest(): number {
    let largest = 0;
    for (let device = 0; device < this.load.length; device++) {
      if ((this.load[device] as number) > largest) largest = this.load[device] as number;
    }
    return largest;
  }

  save(): Snapshot {
    return { option: this.option.slice(), place: this.place.slice() };
  }

  restore({ option, place }: Snapshot): void {
    this.clear();
    this.option.set(option);
    for (let slot = 0; slot < place.length; slot++) {
      if ((place[slot] as number) >= 0) this.add(slot, place[slot] as number);
    }
    this.refresh();
  }

  clear(): void {
    for (let slot = 0; slot < this.place.length; slot++) if ((this.place[slot] as number) >= 0) this.remove(slot);
    this.load.fill(0);
  }
}

/** What a unit had before it was taken off its devices. */
export interface Taken {
  readonly unit: number;
  readonly option: number;
  readonly places: Int32Array;
}

export interface Snapshot {
  readonly option: Int32Array;
  readonly place: Int32Array;
}
