import type { DeviceKind, Packing } from "./packing.js";

/** Where items go, by named device; that there is no way; or that it was not found out. */
export type Packed =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly items: readonly { readonly item: number; readonly column: number }[] }
  | { readonly kind: "unknown" };

/** Visits between two questions whether to go on. */
export const VISITS_BETWEEN = 4096;

/** States known to have no way that are kept. */
const MAX_KNOWN = 200_000;

/**
 * Whether items can be packed: depth first, the item that takes most first, by the sets of items with which it fills a device so far
 * that no other item fits (bin completion: Fukunaga and Korf 2007; Martello and Toth 1990). What one device leaves empty is at most
 * what all have too much, in each row; what is left of items and devices is looked at once.
 *
 * `goesOn` is asked every {@link VISITS_BETWEEN} visits; `false` ends the search.
 */
export function completeBins(packing: Packing, goesOn: () => boolean): Packed {
  return new BinCompletion(packing, goesOn).run();
}

class Ended extends Error {}

class BinCompletion {
  readonly #kinds: readonly DeviceKind[];
  readonly #items: number;
  readonly #goesOn: () => boolean;
  /** By item: one that is the same everywhere, with the same number. */
  readonly #likeness: readonly number[];
  /** By kind, the devices left. */
  readonly #left: number[];
  readonly #known = new Set<string>();
  readonly #taken: { readonly kind: number; readonly items: readonly number[] }[] = [];
  #visits = 0;

  constructor({ kinds, items }: Packing, goesOn: () => boolean) {
    this.#kinds = kinds;
    this.#items = items;
    this.#goesOn = goesOn;
    this.#left = kinds.map(({ devices }) => devices.length);
    const numbers = new Map<string, number>();
    this.#likeness = Array.from({ length: items }, (_, i) => {
      const key = JSON.stringify(kinds.map(({ sizes }) => sizes[i]));
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      return number;
    });
  }

  run(): Packed {
    if (this.#kinds.some(({ room }) => room.some((own) => own < 0))) return { kind: "none" };
    const order = Array.from({ length: this.#items }, (_, i) => i).sort(
      (a, b) => this.#share(b) - this.#share(a) || (this.#likeness[a] as number) - (this.#likeness[b] as number),
    );
    try {
      return this.#place(order) ? { kind: "found", items: this.#columns() } : { kind: "none" };
    } catch (error) {
      if (error instanceof Ended) return { kind: "unknown" };
      throw error;
    }
  }

  /** The part of a device that an item takes at least. */
  #share(item: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { room, sizes } of this.#kinds) {
      const own = sizes[item];
      if (own != null)
        least = Math.min(least, Math.max(0, ...own.map((size, k) => (size === 0 ? 0 : size / (room[k] as number)))));
    }
    return least;
  }

  #visit(): void {
    if (++this.#visits % VISITS_BETWEEN === 0 && !this.#goesOn()) throw new Ended();
  }

  #place(items: readonly number[]): boolean {
    this.#visit();
    const [first, ...others] = items;
    if (first === undefined) return true;
    const spare = this.#spare(items);
    if (spare === null) return false;
    const key = `${this.#left.join()}:${items.map((i) => this.#likeness[i]).join()}`;
    if (this.#known.has(key)) return false;
    for (const [k, kind] of this.#kinds.entries()) {
      if (this.#left[k] === 0) continue;
      this.#left[k] = (this.#left[k] as number) - 1;
      for (const set of this.#fullSets(kind, first, others, spare)) {
        this.#taken.push({ kind: k, items: [first, ...set] });
        const isIn = new Set(set);
        if (this.#place(others.filter((i) => !isIn.has(i)))) return true;
        this.#taken.pop();
      }
      this.#left[k] = (this.#left[k] as number) + 1;
    }
    if (this.#known.size < MAX_KNOWN) this.#known.add(key);
    return false;
  }

  /** By row, the room that items leave of all devices, each where it takes least; `null` where one has none. */
  #spare(items: readonly number[]): number[] | null {
    const rows = this.#kinds[0]?.room.length ?? 0;
    const spare = new Array<number>(rows).fill(0);
    this.#kinds.forEach(({ room }, k) => {
      for (let r = 0; r < rows; r++) spare[r] = (spare[r] as number) + (this.#left[k] as number) * (room[r] as number);
    });
    for (const item of items) {
      for (let r = 0; r < rows; r++) {
        let least = Number.POSITIVE_INFINITY;
        this.#kinds.forEach(({ sizes }, k) => {
          const size = sizes[item]?.[r];
          if (size !== undefined && (this.#left[k] as number) > 0) least = Math.min(least, size);
        });
        spare[r] = (spare[r] as number) - least;
      }
    }
    return spare.some((own) => own < 0) ? null : spare;
  }

  /** The sets of others with which the first item leaves so little of a device that none of those left out fits; fullest first. */
  #fullSets({ room, sizes }: DeviceKind, first: number, others: readonly number[], spare: readonly number[]) {
    const found: { readonly set: readonly number[]; readonly left: number }[] = [];
    const own = sizes[first] ?? null;
    if (own === null) return [];
    const start = room.map((all, r) => all - (own[r] as number));
    if (start.some((left) => left < 0)) return [];
    const here = others.filter((i) => sizes[i] != null);
    const rest = here.map(() => room.map(() => 0));
    for (let p = here.length - 1; p >= 0; p--) {
      const size = sizes[here[p] as number] as readonly number[];
      rest[p] = size.map((one, r) => one + (rest[p + 1]?.[r] ?? 0));
    }
    const set: number[] = [];
    const isSkipped = new Uint8Array(here.length);
    const fits = (item: number, left: readonly number[]) =>
      (sizes[item] as readonly number[]).every((size, r) => size <= (left[r] as number));
    const walk = (p: number, left: readonly number[]): void => {
      this.#visit();
      if (left.some((one, r) => one - (rest[p]?.[r] ?? 0) > (spare[r] as number))) return;
      if (p === here.length) {
        if (here.some((item, q) => isSkipped[q] === 1 && fits(item, left))) return;
        found.push({
          set: set.slice(),
          left: left.reduce((sum, one, r) => sum + one / Math.max(1, room[r] as number), 0),
        });
        return;
      }
      const item = here[p] as number;
      const isLikeSkipped =
        p > 0 && isSkipped[p - 1] === 1 && this.#likeness[here[p - 1] as number] === this.#likeness[item];
      if (!isLikeSkipped && fits(item, left)) {
        set.push(item);
        walk(
          p + 1,
          left.map((one, r) => one - (sizes[item]?.[r] as number)),
        );
        set.pop();
      }
      isSkipped[p] = 1;
      walk(p + 1, left);
      isSkipped[p] = 0;
    };
    walk(0, start);
    return found.sort((a, b) => a.left - b.left).map(({ set: one }) => one);
  }

  #columns(): { readonly item: number; readonly column: number }[] {
    const used = this.#kinds.map(() => 0);
    return this.#taken.flatMap(({ kind, items }) => {
      const columns = this.#kinds[kind]?.columns[used[kind] as number] as readonly (number | null)[];
      used[kind] = (used[kind] as number) + 1;
      return items.map((item) => ({ item, column: columns[item] as number }));
    });
  }
}
