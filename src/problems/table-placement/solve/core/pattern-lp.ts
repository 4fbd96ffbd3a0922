import type { GrowingLp } from "../../../../solvers/growing-lp.js";

/** Cost and bytes that a device has or that something needs, as shares; or what each of them is worth. */
export interface Room {
  readonly cost: number;
  readonly hbm: number;
}

/** Sums of doubles may be apart by this part: what fits but for that fits. */
export const HAIR = 1e-12;
export const LOOSE = 1 + HAIR;

/** What is nearer to a whole number is taken for it. */
export const WHOLE = 1e-6;

/** A part of what a device may hold, and what it is worth. */
export interface PricedPart<Part extends Room> {
  readonly part: Part;
  readonly value: number;
}

/** What a column has in rows; of a row that comes twice the sum counts. */
export type Entries = readonly (readonly [row: number, value: number])[];

type Sides = readonly (readonly [lower: number, upper: number])[];

/** The rows of a master, block after block. */
export class RowBlocks {
  readonly sides: (readonly [number, number])[] = [];

  /** The index of each row of a block. */
  add(sides: Sides): (k: number) => number {
    const first = this.sides.push(...sides) - sides.length;
    return (k) => first + k;
  }
}

/** What a device of a group holds. */
export interface GroupPattern extends Room {
  readonly group: number;
  /** Of no other pattern. */
  readonly key: string;
  /** What one device of a host has, where the host stands for its devices. */
  readonly peak?: number;
  /** Changes as others are taken out. */
  column: number;
}

/** The patterns of a group of devices in the order in which they came: what decides whether they are in use, an array each for speed. */
interface InUse {
  /** With the peak, where that is more. */
  readonly costs: number[];
  readonly hbms: number[];
  readonly columns: number[];
  readonly used: boolean[];
}

/** Units of work for a solve of a master and for an iteration of it. */
const UNITS_PER_SOLVE = 0.25;
const UNITS_PER_ITERATION = 0.03;

/** Units of work for solves of a master with so many iterations. */
export function solveUnits(iterations: number, solves = 1): number {
  return solves * UNITS_PER_SOLVE + UNITS_PER_ITERATION * iterations;
}

/** The same of a master with few rows. */
const FEW_ROWS_SOLVE = 0.1;
const FEW_ROWS_ITERATION = 0.01;

export function fewRowsUnits(iterations: number): number {
  return FEW_ROWS_SOLVE + FEW_ROWS_ITERATION * iterations;
}

/**
 * The linear program of a master over patterns of what devices hold, which grows by patterns and is kept from node to node: a pattern that
 * a node leaves no room for is out of use there. Columns are not negative.
 */
export class PatternLp<Pattern extends GroupPattern> {
  protected readonly lp: GrowingLp;
  readonly #known = new Set<string>();
  readonly #inUse: InUse[] = [];
  readonly #room: Room[] = [];
  readonly #hair: number;
  patterns: Pattern[] = [];

  /** `hair`: by this part patterns may be above their room, as sums of doubles are. */
  constructor(lp: GrowingLp, hair = 0) {
    [this.lp, this.#hair] = [lp, hair];
  }

  protected addColumn(cost: number, upper: number, entries: Entries): number {
    const sums = new Map<number, number>();
    for (const [row, value] of entries) sums.set(row, (sums.get(row) ?? 0) + value);
    return this.lp.addColumn(cost, 0, upper, { indices: [...sums.keys()], values: [...sums.values()] });
  }

  /** Adds a pattern, if it is new. */
  protected addPattern(pattern: Omit<Pattern, "column">, cost: number, entries: Entries): boolean {
    if (this.#known.has(pattern.key)) return false;
    this.#known.add(pattern.key);
    const added = { ...pattern, column: this.addColumn(cost, Number.POSITIVE_INFINITY, entries) } as Pattern;
    this.patterns.push(added);
    this.#use(added.group, this.#list(added));
    return true;
  }

  /** Takes patterns out, none of them in the basis, of a master whose last columns are all patterns. */
  protected takeOut(out: ReadonlySet<Pattern>): void {
    const first = (this.patterns[0] as Pattern).column;
    this.lp.removeColumns(this.patterns.filter((pattern) => out.has(pattern)).map(({ column }) => column));
    this.patterns = this.patterns.filter((pattern) => !out.has(pattern));
    for (const { key } of out) this.#known.delete(key);
    this.#inUse.length = 0;
    this.patterns.forEach((pattern, k) => {
      pattern.column = first + k;
      this.#list(pattern);
      // Bounds are told anew.
      this.lp.setBounds(pattern.column, 0, Number.POSITIVE_INFINITY);
    });
    for (const group of this.#room.keys()) this.#use(group, 0);
  }

  #list({ group, cost, hbm, peak = 0, column }: Pattern): number {
    this.#inUse[group] ??= { costs: [], hbms: [], columns: [], used: [] };
    const { costs, hbms, columns, used } = this.#inUse[group] as InUse;
    costs.push(Math.max(cost, peak));
    hbms.push(hbm);
    columns.push(column);
    return used.push(true) - 1;
  }

  /** What a device of a group has: patterns that need more are out of use. */
  protected leave(group: number, { cost, hbm }: Room): void {
    const known = this.#room[group];
    if (known?.cost === cost && known.hbm === hbm) return;
    this.#room[group] = { cost, hbm };
    this.#use(group, 0);
  }

  /** What a pattern of a group may cost at this node, and its largest part weigh. */
  capacity(group: number): Room {
    return this.#room[group] as Room;
  }

  /** Patterns of a group that its room leaves are in use, from one on. */
  #use(group: number, from: number): void {
    const [room, own] = [this.#room[group], this.#inUse[group]];
    if (room === undefined || own === undefined) return;
    const [most, bytes] = [room.cost * (1 + this.#hair), room.hbm * (1 + this.#hair)];
    const { costs, hbms, columns, used } = own;
    for (let p = from; p < costs.length; p++) {
      const isUsed = (costs[p] as number) <= most && (hbms[p] as number) <= bytes;
      if (isUsed === used[p]) continue;
      used[p] = isUsed;
      this.lp.setBounds(columns[p] as number, 0, isUsed ? Number.POSITIVE_INFINITY : 0);
    }
  }

  /** The least objective over the patterns known; `null` where there is none, or the solver gave up. */
  solve(shouldStop?: () => boolean): number | null {
    const value = this.lp.solve(shouldStop);
    return value === null || !Number.isFinite(value) ? null : value;
  }

  /** Of the last solve or probe. */
  get iterations(): number {
    return this.lp.iterations;
  }

  dispose(): void {
    this.lp.dispose();
  }
}

/** The shards that parts of a pattern have of orbits, one part after the other. */
export function shardsIn(
  parts: readonly { readonly orbits: readonly number[]; readonly counts: readonly number[] }[],
): (readonly [orbit: number, count: number])[] {
  return parts.flatMap(({ orbits, counts }) => orbits.map((orbit, k) => [orbit, counts[k] as number] as const));
}

/** The same for patterns of the same parts. */
export function patternKey(
  parts: readonly { readonly orbits: readonly number[]; readonly counts: readonly number[] }[],
): string {
  return parts
    .map(({ orbits, counts }) => `${orbits.join()}*${counts.join()}`)
    .sort()
    .join(" ");
}
