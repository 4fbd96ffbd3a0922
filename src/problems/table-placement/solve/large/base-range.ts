import type { AggregatedOption, AggregatedProgram } from "../../../../../models/table-placement/aggregated-program.js";
import { pooledMemory } from "../../../../../models/table-placement/aggregated-relaxation.js";
import { costNear } from "../../../../../models/table-placement/cost-unit.js";
import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { bestWeights, type Weights } from "../patterns/dual-weights.js";

/** Placements whose base, in whole steps, is from `low` to `high`. */
export interface BaseRange {
  readonly low: number;
  readonly high: number;
}

/** What all devices together pay per unit of the base, or of a byte on SSDs where these limit, and per byte. */
export interface RangePrices {
  readonly base: number;
  readonly hbm: number;
  readonly host: number;
  readonly ssd: number;
}

/** What the aggregated relaxation says of placements below a limit, in a range of the base. */
export interface RangeBound {
  readonly range: BaseRange;
  /** The least mean load of a device; infinite where a table has no option left. */
  readonly value: number;
  readonly prices: RangePrices;
}

export const FREE: RangePrices = { base: 0, hbm: 0, host: 0, ssd: 0 };

/** Sums of doubles may be so far apart, as a part of the limit. */
const MARGIN = 1e-12;

/** The aggregated program in doubles: one option per table, all devices as one, over ranges of the base. */
export class AggregatedSearch {
  /** By table, without options that another one is no worse than in every respect: they are never chosen alone. */
  readonly #tables: readonly (readonly AggregatedOption[])[];
  readonly #devices: number;
  readonly #memory: Readonly<Record<"hbm" | "host" | "ssd", number>>;
  /** What a step of the base costs; 0 without a base. */
  readonly step: number;
  /** The most steps that the base can have. */
  readonly most: number;
  /** Options that were looked at so far. */
  looked = 0;

  constructor(problem: PlacementProblem, aggregated: AggregatedProgram) {
    this.#tables = aggregated.structure.tables.map(undominated);
    this.#devices = deviceCount(problem);
    const pool = pooledMemory(problem);
    const { memory, base, unit } = aggregated.structure;
    const within = (kind: "hbm" | "host" | "ssd") => (memory[kind] === null ? Number.POSITIVE_INFINITY : pool[kind]);
    this.#memory = { hbm: within("hbm"), host: within("host"), ssd: within("ssd") };
    this.step = base === null ? 0 : costNear(base.step, unit);
    this.most = base === null ? 0 : Number(base.most);
  }

  /** By table, the options that placements below `limit` may use beside a base of at least so many steps. */
  open(limit: number, low: number): (readonly AggregatedOption[])[] {
    const room = limit * (1 + MARGIN) - low * this.step;
    return this.#tables.map((own) => own.filter(({ peak }) => peak < room));
  }

  /** The bound of a range over the options that a limit leaves. */
  boundOf(limit: number, range: BaseRange): RangeBound {
    const open = this.open(limit, range.low);
    if (open.some(({ length }) => length === 0)) return { range, value: Number.POSITIVE_INFINITY, prices: FREE };
    const prices = this.#pricesOf(open, range);
    return { range, value: this.#valueOf(open, range, prices), prices };
  }

  /** The most that the base may cost in a range. */
  #mostBase({ high }: BaseRange): number {
    return this.step * (high + 1);
  }

  #valueOf(open: readonly (readonly AggregatedOption[])[], range: BaseRange, prices: RangePrices): number {
    let sum = -prices.base * this.#mostBase(range);
    for (const kind of ["hbm", "host", "ssd"] as const) if (prices[kind] > 0) sum -= prices[kind] * this.#memory[kind];
    for (const own of open) {
      let least = Number.POSITIVE_INFINITY;
      for (const option of own) least = Math.min(least, pricedOption(option, prices));
      sum += least;
    }
    return sum / this.#devices;
  }

  /** Prices at which the bound is about the best, by cutting planes; where SSDs limit, the base has none. */
  #pricesOf(open: readonly (readonly AggregatedOption[])[], range: BaseRange): RangePrices {
    const isOnSsd = Number.isFinite(this.#memory.ssd);
    const flat = open.flat();
    const starts = new Int32Array(open.length + 1);
    open.forEach((own, t) => {
      starts[t + 1] = (starts[t] as number) + own.length;
    });
    const column = (read: (option: AggregatedOption) => number) => Float64Array.from(flat, read);
    const costs = column(({ cost }) => cost);
    const dear = 2 * costs.reduce((most, cost) => Math.max(most, cost), 0) + Number.MIN_VALUE;
    const third = isOnSsd ? column(({ ssd }) => ssd) : column(({ least }) => least);
    const parts = {
      starts,
      value: costs.map((cost) => dear - cost),
      cost: third,
      hbm: column(({ hbm }) => hbm),
      host: column(({ host }) => host),
    };
    const all = (values: Float64Array) => values.reduce((sum, value) => sum + value, 1);
    const budget = {
      cost: Math.min(isOnSsd ? this.#memory.ssd : this.#mostBase(range), all(third)),
      hbm: Math.min(this.#memory.hbm, all(parts.hbm)),
      host: Math.min(this.#memory.host, all(parts.host)),
    };
    this.looked += flat.length;
    const weights: Weights = bestWeights(parts, budget, PRECISION);
    const { hbm, host } = weights;
    return isOnSsd ? { base: 0, hbm, host, ssd: weights.cost } : { base: weights.cost, hbm, host, ssd: 0 };
  }
}

function undominated(own: readonly AggregatedOption[]): AggregatedOption[] {
  const isNoWorse = (a: AggregatedOption, b: AggregatedOption) =>
    a.cost <= b.cost && a.hbm <= b.hbm && a.host <= b.host && a.ssd <= b.ssd && a.least <= b.least && a.peak <= b.peak;
  return own.filter(
    (one, o) => !own.some((other, p) => p !== o && isNoWorse(other, one) && (p < o || !isNoWorse(one, other))),
  );
}

const PRECISION = 1e-9;

/** An option's cost with what its base and bytes are worth. */
export function pricedOption(option: AggregatedOption, prices: RangePrices): number {
  const { cost, least, hbm, host, ssd } = option;
  return cost + prices.base * least + prices.hbm * hbm + prices.host * host + prices.ssd * ssd;
}
