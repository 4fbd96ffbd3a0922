import { completeBins, VISITS_BETWEEN } from "../../../../proof/kernel/packing/bin-completion.js";
import { type GrowingLp, openGrowingLp } from "../../../../solvers/growing-lp.js";
import { fewRowsUnits, type GroupPattern, LOOSE, PatternLp, type Room, WHOLE } from "../core/pattern-lp.js";
import { addLikely } from "./likely-patterns.js";

/** Shards that are alike: what one needs, as shares of a device, and how many there are. */
export interface ShardKind extends Room {
  readonly count: number;
}

/** A pattern of shards for one device: by kind, how many. */
interface Pattern extends GroupPattern {
  readonly counts: readonly number[];
  /** Devices that have it. */
  taken: number;
}

/** Rounds of column generation between two patterns that are taken. */
const MOST_ROUNDS = 120;

/** So few devices and shards are left to going through all ways to fill them. */
const LAST_DEVICES = 6;
const LAST_SHARDS = 48;

/**
 * By kind and device, where shards go on so many like devices; `null` where no way was found. Column generation over patterns of what one
 * device holds: the pattern taken most is rounded up, again and again, each time with new patterns for the shards that are left, and the last
 * devices are filled by going through the ways that there are.
 */
export async function packByPatterns(
  kinds: readonly ShardKind[],
  devices: number,
  spend: (units: number) => boolean,
): Promise<number[][] | null> {
  if (kinds.some(({ cost, hbm }) => Math.max(cost, hbm) > LOOSE)) return null;
  const lp = await openGrowingLp(kinds.map(({ count }) => [count, Number.POSITIVE_INFINITY]));
  const packing = new PatternPacking(kinds, devices, lp, spend);
  try {
    return packing.run();
  } finally {
    packing.dispose();
  }
}

class PatternPacking extends PatternLp<Pattern> {
  readonly #kinds: readonly ShardKind[];
  readonly #devices: number;
  readonly #spend: (units: number) => boolean;
  /** By kind, the shards that are left. */
  readonly #wanted: number[];
  #left: number;

  constructor(kinds: readonly ShardKind[], devices: number, lp: GrowingLp, spend: (units: number) => boolean) {
    super(lp);
    [this.#kinds, this.#devices, this.#spend] = [kinds, devices, spend];
    this.#wanted = kinds.map(({ count }) => count);
    this.#left = devices;
    // Each shard alone: then there is always a point.
    kinds.forEach((_, s) => {
      this.#add(kinds.map((_, other) => (other === s ? 1 : 0)));
    });
  }

  run(): number[][] | null {
    for (;;) {
      const shards = this.#wanted.reduce((sum, count) => sum + count, 0);
      if (shards === 0) return this.#placed(this.#kinds.map(() => []));
      if (this.#left <= LAST_DEVICES && shards <= LAST_SHARDS) return this.#lastPacked();
      const values = this.#generate();
      if (values === null) return null;
      this.#round(values);
    }
  }

  /** By pattern, how much of it the relaxation takes beside those taken; `null` where that needs more devices than there are. */
  #generate(): Map<Pattern, number> | null {
    for (let round = 0; ; round++) {
      const needed = this.solve();
      if (needed === null || !this.#spend(fewRowsUnits(this.iterations))) return null;
      const { columns, duals } = this.lp.answer();
      if (round === MOST_ROUNDS || !this.#addLikely(duals)) {
        if (needed > this.#devices + WHOLE) return null;
        const open = this.patterns.filter((pattern) => this.#isWithin(pattern));
        return new Map(open.map((pattern) => [pattern, (columns[pattern.column] as number) - pattern.taken]));
      }
    }
  }

  /** Whether there are better patterns for the shards that are left. */
  #addLikely(duals: Float64Array): boolean {
    const tables = this.#kinds.flatMap(({ cost, hbm }, s) => {
      const worth = duals[s] as number;
      const most = Math.min(this.#wanted[s] as number, Math.floor(1 / Math.max(cost, hbm)));
      if (most < 1 || worth < WHOLE) return [];
      return [
        Array.from({ length: most }, (_, k) => {
          const count = k + 1;
          return { part: { s, count, cost: count * cost, hbm: count * hbm }, value: count * worth };
        }),
      ];
    });
    const add = (parts: readonly { readonly s: number; readonly count: number }[]) => {
      const counts = this.#kinds.map(() => 0);
      for (const { s, count } of parts) counts[s] = count;
      return this.#add(counts);
    };
    return addLikely(tables, { cost: 1, hbm: 1 }, add, this.#spend);
  }

  #add(counts: readonly number[]): boolean {
    const held = [...counts.entries()].filter(([, count]) => count > 0);
    return this.addPattern({ key: counts.join(), group: 0, cost: 0, hbm: 0, counts, taken: 0 }, 1, held);
  }

  #isWithin({ counts }: Pattern): boolean {
    return counts.every((count, s) => count <= (this.#wanted[s] as number));
  }

  /** Takes patterns as often as they are whole; where none is, the one taken most once. */
  #round(values: ReadonlyMap<Pattern, number>): void {
    let most: Pattern | null = null;
    let isAny = false;
    for (const [pattern, value] of values) {
      if (most === null || value > (values.get(most) as number)) most = pattern;
      for (let k = Math.floor(value + WHOLE); k > 0 && this.#isWithin(pattern); k--) {
        this.#take(pattern);
        isAny = true;
      }
    }
    if (!isAny && most !== null) this.#take(most);
    for (const pattern of this.patterns) {
      const upper = this.#isWithin(pattern) ? Number.POSITIVE_INFINITY : pattern.taken;
      this.lp.setBounds(pattern.column, pattern.taken, upper);
    }
  }

  #take(pattern: Pattern): void {
    pattern.taken++;
    this.#left--;
    pattern.counts.forEach((count, s) => {
      this.#wanted[s] = (this.#wanted[s] as number) - count;
    });
  }

  #lastPacked(): number[][] | null {
    const [kinds, left] = [this.#kinds, this.#left];
    if (left < 1) return null;
    const packed = packedShards(kinds, this.#wanted, left, this.#spend);
    return packed === null ? null : this.#placed(packed);
  }

  /** With what the last devices hold. */
  #placed(last: readonly (readonly number[])[]): number[][] {
    const taken = this.patterns.flatMap(({ counts, taken: times }) => Array.from({ length: times }, () => counts));
    return this.#kinds.map((_, s) => {
      const own = [...taken.map((counts) => counts[s] as number), ...(last[s] ?? [])];
      return [...own, ...new Array<number>(Math.max(0, this.#devices - own.length)).fill(0)];
    });
  }
}

/** Above so many shards there are too many ways to fill devices. */
const MOST_SHARDS = 200;

/** Visits of the search, and what one is in units of work. */
const MOST_VISITS = 150_000;
const UNITS_PER_VISIT = 5e-4;

/** The room of a device is so many grains: sums of that many shards stay whole numbers that doubles hold. */
const GRAINS = 2 ** 40;

/**
 * By kind and device, where shards go that all have to have room, by going through ways to fill devices; `null` where none was found.
 * `kinds`: what a shard needs, as shares of a device; `wanted`: how many of each.
 */
function packedShards(
  kinds: readonly Room[],
  wanted: readonly number[],
  devices: number,
  spend: (units: number) => boolean,
): number[][] | null {
  const items = wanted.flatMap((count, s) => new Array<number>(count).fill(s));
  if (items.length > MOST_SHARDS) return null;
  const all = Array.from({ length: devices }, (_, device) => device);
  const sizes = items.map((s) => {
    const { cost, hbm } = kinds[s] as Room;
    return [Math.ceil(cost * GRAINS), Math.ceil(hbm * GRAINS)];
  });
  // An item's column on a device is named by the device.
  const columns = all.map((device) => items.map(() => device));
  let visits = 0;
  const goesOn = () => {
    visits += VISITS_BETWEEN;
    return spend(UNITS_PER_VISIT * VISITS_BETWEEN) && visits < MOST_VISITS;
  };
  const like = { devices: all, room: [GRAINS, GRAINS], sizes, columns };
  const packed = completeBins({ kinds: [like], items: items.length }, goesOn);
  if (packed.kind !== "found") return null;
  const counts = kinds.map(() => new Array<number>(devices).fill(0));
  for (const { item, column } of packed.items) {
    const own = counts[items[item] as number] as number[];
    own[column] = (own[column] as number) + 1;
  }
  return counts;
}
