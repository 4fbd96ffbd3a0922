import type { Part } from "../../../../../models/table-placement/pattern-model.js";
import type { Budget, FlatParts } from "./dual-weights.js";

/** A part at its price. */
export interface PricedElement {
  readonly part: Part;
  readonly value: number;
}

/** What one table offers a device, of which at most one is taken. */
export interface TableOffers {
  readonly table: number;
  readonly offers: readonly PricedElement[];
}

/** A device's limits, those that do not limit at what the parts of all tables could come to: finite, and as good. */
export function budgetFor(parts: readonly (readonly Part[])[], { cost, hbm, host }: Budget): Budget {
  const most = { cost: 1, hbm: 1, host: 1 };
  for (const own of parts) {
    most.cost += Math.max(0, ...own.map((part) => part.cost));
    most.hbm += Math.max(0, ...own.map((part) => part.hbm));
    most.host += Math.max(0, ...own.map((part) => part.host));
  }
  return { cost: Math.min(cost, most.cost), hbm: Math.min(hbm, most.hbm), host: Math.min(host, most.host) };
}

/**
 * The parts with a value that fit on an empty device and that no other of their table is as good as in every respect.
 */
export function offersAt(parts: readonly (readonly Part[])[], duals: Float64Array, budget: Budget): TableOffers[] {
  const choices: TableOffers[] = [];
  parts.forEach((own, table) => {
    const offers: PricedElement[] = [];
    for (const part of own) {
      if (part.cost > budget.cost || part.hbm > budget.hbm || part.host > budget.host) continue;
      let value = 0;
      for (let k = 0; k < part.orbits.length; k++) {
        value += (duals[part.orbits[k] as number] as number) * (part.counts[k] as number);
      }
      if (value > 0) offers.push({ part, value });
    }
    if (offers.length > 0) choices.push({ table, offers: undominated(offers) });
  });
  return choices;
}

/** Without the parts that another is at least as good as in every respect. */
function undominated(offers: readonly PricedElement[]): readonly PricedElement[] {
  if (offers.length < 2) return offers;
  const best = offers.toSorted((a, b) => b.value - a.value);
  const kept: PricedElement[] = [];
  for (const offer of best) {
    const { cost, hbm, host } = offer.part;
    if (!kept.some(({ part }) => part.cost <= cost && part.hbm <= hbm && part.host <= host)) kept.push(offer);
  }
  return kept;
}

/** All offers as flat arrays. */
export function flatten(choices: readonly TableOffers[]): FlatParts {
  const all = choices.flatMap(({ offers }) => offers);
  const starts = new Int32Array(choices.length + 1);
  choices.forEach(({ offers }, c) => {
    starts[c + 1] = (starts[c] as number) + offers.length;
  });
  const column = (read: (offer: PricedElement) => number) => Float64Array.from(all, read);
  return {
    starts,
    value: column(({ value }) => value),
    cost: column(({ part }) => part.cost),
    hbm: column(({ part }) => part.hbm),
    host: column(({ part }) => part.host),
  };
}
