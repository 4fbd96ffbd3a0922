import type { Part } from "../../../../../models/table-placement/pattern-model.js";
import { openGrowingLp } from "../../../../solvers/growing-lp.js";
import { shardsIn } from "../core/pattern-lp.js";
import type { DeviceModel } from "./device-model.js";

/** What a device holds: how many shards of which kinds. */
export interface DevicePattern {
  readonly device: number;
  readonly counts: readonly (readonly [kind: number, count: number])[];
}

/** An optimum of the master as what is chosen, and where it is, in parts. */
export interface Usage {
  /** By table and option that is left. */
  readonly options: readonly (readonly number[])[];
  /** By kind: how many are on which device. */
  readonly places: readonly ReadonlyMap<number, number>[];
}

/** A side that is none. */
export const NONE = Number.POSITIVE_INFINITY;

/** What is added to a dual's size before the width of its interval is a share of it. */
const LEAST_SIZE = 0.3;

/** A column of an interval that is used less is not used. */
const UNUSED = 1e-7;

/**
 * The restricted master of the devices' patterns,
 *
 *   min Σ_p c_p·λ_p   subject to   Σ_p a[k, p]·λ_p ≥ Σ_o wanted[k, o]·y_o   for each kind k,
 *                                  Σ_{o of t} y_o = 1,   Σ_{p of device d} λ_p ≤ 1,   λ, y ≥ 0,
 *
 * whose duals are kept in intervals around a centre by columns that sell and buy shards (the box step method: Marsten, Hogan and
 * Blankenship 1975). Kinds that have one place each (uniform options) share a row by option: their duals are what each costs
 * there and one more number. Fewer duals prove no more than they say.
 */
export async function openDeviceMaster(model: DeviceModel, scale: number) {
  const { tables } = model;
  const { rowOf, size } = rowsOf(model);
  const lp = await openGrowingLp([
    ...Array.from({ length: size }, (): Sides => [0, NONE]),
    ...tables.map((options): Sides => (options.length === 0 ? [-NONE, NONE] : [1, 1])),
    ...model.devices.map((): Sides => [-NONE, 1]),
  ]);
  const kinds = model.kinds.map((kind) => ({
    ...kind,
    prices: new Map([...kind.prices].map(([d, price]) => [d, price / scale])),
  }));
  const base = kinds.map(({ prices, isUniform }) => (isUniform ? ([...prices.values()][0] as number) : 0));
  const known = new Set<string>();
  const patterns: (DevicePattern & { readonly column: number; readonly cost: number })[] = [];
  let interval: number[] = [];

  const entriesOf = (counts: Iterable<readonly [kind: number, count: number]>): [number, number][] => {
    const entries = new Map<number, number>();
    for (const [kind, count] of counts) {
      const row = rowOf[kind] as number;
      entries.set(row, (entries.get(row) ?? 0) + count);
    }
    return [...entries];
  };
  const columns = tables.map((options, t) =>
    options.map((wanted) => {
      const cost = wanted.reduce((sum, [kind, count]) => sum + count * (base[kind] as number), 0);
      const entries = entriesOf(wanted.map(([kind, count]) => [kind, -count]));
      return lp.addColumn(cost, 0, NONE, sparse([...entries, [size + t, 1]]));
    }),
  );
  /** Whether a pattern, of kinds in rising order, is new. */
  const addPattern = ({ device, counts }: DevicePattern): boolean => {
    const key = `${device}:${counts.join()}`;
    if (known.has(key)) return false;
    known.add(key);
    const costOf = (kind: number) => (kinds[kind]?.prices.get(device) as number) - (base[kind] as number);
    const cost = counts.reduce((sum, [kind, count]) => sum + count * costOf(kind), 0);
    const entries = sparse([...entriesOf(counts), [size + tables.length + device, 1]]);
    patterns.push({ device, counts, cost, column: lp.addColumn(cost, 0, NONE, entries) });
    return true;
  };

  return {
    addPattern,
    add: (device: number, parts: readonly Part[]): boolean =>
      addPattern({ device, counts: shardsIn(parts).sort(([a], [b]) => a - b) }),
    columnCount: () => lp.columnCount,
    dispose: () => lp.dispose(),

    /** By kind, what one shard is worth at duals of the rows. */
    worths(duals: ArrayLike<number>): Float64Array {
      return Float64Array.from(rowOf, (row, kind) => (base[kind] as number) + (duals[row] as number));
    },

    /** The duals of the rows that are nearest to what kinds are worth. */
    dualsNear(worths: ArrayLike<number>): Float64Array {
      const duals = new Float64Array(size);
      const counts = new Float64Array(size);
      rowOf.forEach((row, kind) => {
        duals[row] = (duals[row] as number) + (worths[kind] as number) - (base[kind] as number);
        counts[row] = (counts[row] as number) + 1;
      });
      return duals.map((sum, row) => Math.max(0, sum / (counts[row] as number)));
    },

    /** Patterns that come, at duals of the rows, to no more than so much more than the best one of their device that is known. */
    near(duals: ArrayLike<number>, more: number): readonly DevicePattern[] {
      const least = new Map<number, number>();
      const reduced = patterns.map(({ device, counts, cost }) => {
        const own = entriesOf(counts).reduce((left, [row, n]) => left - n * (duals[row] as number), cost);
        least.set(device, Math.min(own, least.get(device) ?? 0));
        return own;
      });
      return patterns.filter(({ device }, k) => (reduced[k] as number) <= (least.get(device) as number) + more);
    },

    /** Values of the columns of the last solve as what they choose and where. */
    usage(values: ArrayLike<number>): Usage {
      const places = kinds.map(() => new Map<number, number>());
      for (const { device, counts, column } of patterns) {
        const value = values[column] as number;
        // Patterns that came after the solve have none.
        if (!(value > UNUSED)) continue;
        for (const [kind, count] of counts) {
          const own = places[kind] as Map<number, number>;
          own.set(device, (own.get(device) ?? 0) + count * value);
        }
      }
      return { options: columns.map((own) => own.map((column) => values[column] as number)), places };
    },

    /** Keeps duals within so large a share of what they are. */
    keepNear(centre: ArrayLike<number>, share: number): void {
      for (const column of interval) lp.setBounds(column, 0, 0);
      interval = [];
      for (let row = 0; row < size; row++) {
        const at = centre[row] as number;
        const width = share * (Math.abs(at) + LEAST_SIZE);
        interval.push(lp.addColumn(at + width, 0, NONE, sparse([[row, 1]])));
        interval.push(lp.addColumn(-Math.max(0, at - width), 0, NONE, sparse([[row, -1]])));
      }
    },

    /** Its value and duals, and whether no interval limits them; `null` where HiGHS gave up. */
    solve() {
      const value = lp.solve();
      if (value === null || !Number.isFinite(value)) return null;
      const { duals, columns } = lp.answer();
      const isFree = interval.every((column) => (columns[column] as number) <= UNUSED);
      return { value, columns, duals: duals.slice(0, size), isFree, iterations: lp.iterations };
    },
  };
}

type Sides = readonly [lower: number, upper: number];

/** By kind its row of the master, and how many rows there are with a dual. */
function rowsOf({ kinds }: DeviceModel): { readonly rowOf: readonly number[]; readonly size: number } {
  const shared = new Map<string, number>();
  let size = 0;
  const rowOf = kinds.map(({ table, option, isUniform }) => {
    if (!isUniform) return size++;
    const key = `${table} ${option}`;
    const row = shared.get(key) ?? size++;
    shared.set(key, row);
    return row;
  });
  return { rowOf, size };
}

function sparse(entries: readonly (readonly [number, number])[]) {
  return { indices: entries.map(([row]) => row), values: entries.map(([, value]) => value) };
}
