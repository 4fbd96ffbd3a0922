import type { DeviceClass, Part } from "../../../../../models/table-placement/pattern-model.js";
import type { PricedPart, Room } from "../core/pattern-lp.js";
import { type Budget, bestWeights, COARSE, type FlatParts, lagrangianValue, type Weights } from "./dual-weights.js";
import { LabelSearch, type Priced, type PricingLimits, type TableOffers } from "./label-search.js";

/** How full devices are for which weights are found, and at how many tables of the search. */
const ROOMS = [0.1, 0.3, 0.6, 1];
const DEPTHS = 9;

/** Rounding that a double sum of costs or bytes may have gathered; patterns over the limit by less are let through. */
const SLACK = 1e-12;

/** Partial patterns that are kept at each table in a first search for a good pattern. */
const NARROW = 8;

/**
 * A table whose second best offer loses as large a part of what is open, between a good pattern and the bound, comes first: partial
 * patterns that take it are soon left.
 */
const SURE = 0.5;

/** The part of a class of devices that matters for its patterns. */
export type Holder = Pick<DeviceClass, "parts" | "hbm" | "host">;

/**
 * The pattern of greatest value: a knapsack with up to three limits and one choice per table, by label setting. Tables
 * one after the other, those that fill most of a device first; a partial pattern is left when another leaves as much
 * room and is worth as much, or when the Lagrangian bound of one of many weights says that it cannot come to anything
 * of interest. Where more than `width` stay, those of greatest bound do, and the search is not complete. Where the best
 * alone is looked for, a narrow search comes first: what it finds leaves out most of what a wide one would keep.
 */
export function dualPatterns(
  { parts, hbm, host }: Holder,
  apart: readonly (readonly number[])[],
  duals: Float64Array,
  costLimit: number,
  limits: PricingLimits,
): Priced {
  const budget = budgetFor(parts, { cost: costLimit * (1 + SLACK), hbm, host });
  const tables = sorted(offersAt(parts, duals, budget), budget);
  const flat = flatten(tables);
  const root = bestWeights(flat, budget);
  const bound = lagrangianValue(flat, budget, root);
  const task = { tables, apart, budget, root, bound, weights: limits.weights ?? suffixWeights(tables, budget) };
  if (limits.tolerance === undefined) return new LabelSearch(task, limits).run();
  const narrow = new LabelSearch(task, { ...limits, width: Math.min(limits.width, NARROW) }).run();
  if (narrow.complete) return narrow;
  const best = narrow.patterns[0]?.value ?? 0;
  const sureFirst = { ...task, tables: withSureFirst(tables, root, SURE * (bound - best)) };
  const wide = new LabelSearch(sureFirst, limits, best).run();
  return { ...wide, patterns: [...wide.patterns, ...narrow.patterns].slice(0, limits.mostPatterns) };
}

/** Weights that leave many partial patterns of a class at some prices; as good as these at prices near them. */
export function pricingWeights(
  { parts, hbm, host }: Holder,
  duals: Float64Array,
  costLimit: number,
): readonly Weights[] {
  const budget = budgetFor(parts, { cost: costLimit * (1 + SLACK), hbm, host });
  return suffixWeights(sorted(offersAt(parts, duals, budget), budget), budget);
}

/** What fills most of a device comes first: of what is left the Lagrangian bound is good. */
function sorted(tables: readonly TableOffers[], budget: Budget): TableOffers[] {
  const fill = new Map(tables.map((one) => [one, fillOf(one, budget)]));
  return tables.toSorted((a, b) => (fill.get(b) as number) - (fill.get(a) as number) || a.table - b.table);
}

/** The greatest share of a device that a part of the table fills. */
function fillOf({ offers }: TableOffers, { cost, hbm }: Budget): number {
  return Math.max(...offers.map(({ part }) => Math.max(part.cost / cost, part.hbm / hbm)));
}

/** Those first, most first, whose second best offer is worth less than the best by more than `loss`, at prices of the budget. */
function withSureFirst(tables: readonly TableOffers[], prices: Weights, loss: number): readonly TableOffers[] {
  const losses = new Map(tables.map((one) => [one, lossOf(one, prices)]));
  const isSure = (one: TableOffers) => (losses.get(one) as number) > loss;
  const sure = tables.filter(isSure).sort((a, b) => (losses.get(b) as number) - (losses.get(a) as number));
  return [...sure, ...tables.filter((one) => !isSure(one))];
}

function lossOf({ offers }: TableOffers, { cost, hbm, host }: Weights): number {
  let [best, second] = [0, Number.NEGATIVE_INFINITY];
  for (const { part, value } of offers) {
    const rest = value - cost * part.cost - hbm * part.hbm - host * part.host;
    second = Math.max(second, Math.min(best, rest));
    best = Math.max(best, rest);
  }
  return best - second;
}

/** The best weights of the tables from several on, for devices that are full to several degrees. */
function suffixWeights(tables: readonly TableOffers[], budget: Budget): Weights[] {
  const found = new Map<string, Weights>();
  const step = Math.max(1, Math.ceil(tables.length / DEPTHS));
  for (let depth = 0; depth < tables.length; depth += step) {
    const suffix = flatten(tables.slice(depth));
    for (const ofCost of ROOMS) {
      for (const ofMemory of ROOMS) {
        const room = { cost: ofCost * budget.cost, hbm: ofMemory * budget.hbm, host: ofMemory * budget.host };
        const weights = bestWeights(suffix, room, COARSE);
        found.set([weights.cost, weights.hbm, weights.host].map((weight) => weight.toPrecision(2)).join(), weights);
      }
    }
  }
  return [...found.values()];
}

/** A device's limits, those that do not limit at what the parts of all tables could come to: finite, and as good. */
function budgetFor(parts: readonly (readonly Part[])[], { cost, hbm, host }: Budget): Budget {
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
function offersAt(parts: readonly (readonly Part[])[], duals: Float64Array, budget: Budget): TableOffers[] {
  const choices: TableOffers[] = [];
  parts.forEach((own, table) => {
    const offers: PricedPart<Part>[] = [];
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
function undominated(offers: readonly PricedPart<Part>[]): readonly PricedPart<Part>[] {
  if (offers.length < 2) return offers;
  const best = offers.toSorted((a, b) => b.value - a.value);
  const kept: PricedPart<Part>[] = [];
  for (const offer of best) {
    const { cost, hbm, host } = offer.part;
    if (!kept.some(({ part }) => part.cost <= cost && part.hbm <= hbm && part.host <= host)) kept.push(offer);
  }
  return kept;
}

/** All offers as flat arrays; what says nothing of host memory needs none. */
export function flatten(
  choices: readonly { readonly offers: readonly PricedPart<Room & { readonly host?: number }>[] }[],
): FlatParts {
  const all = choices.flatMap(({ offers }) => offers);
  const starts = new Int32Array(choices.length + 1);
  choices.forEach(({ offers }, c) => {
    starts[c + 1] = (starts[c] as number) + offers.length;
  });
  const column = (read: (offer: (typeof all)[number]) => number) => Float64Array.from(all, read);
  return {
    starts,
    value: column(({ value }) => value),
    cost: column(({ part }) => part.cost),
    hbm: column(({ part }) => part.hbm),
    host: column(({ part }) => part.host ?? 0),
  };
}
