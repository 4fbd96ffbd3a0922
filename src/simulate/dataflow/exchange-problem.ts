import type { Feature, Tower, World } from "../../access/traffic/exchange.js";

/** Ids of a sample are pooled by their sum. */
export interface ExchangeFeature extends Feature {
  /** Rows of the table; shards by rows add up to them. */
  readonly rows: number;
}

export type ExchangeTower = Tower<ExchangeFeature>;

/** The exchange to simulate. Towers, tables and loads may be as uneven as they like. */
export interface ExchangeProblem extends World {
  readonly towers: readonly ExchangeTower[];
  /** Samples per rank. */
  readonly localBatch: number;
  /** Same seed, same tables, ids and gradients. */
  readonly seed: number;
  /** Bytes of an element, an id and a bag's length on the wire; default 4, 8 and 4. */
  readonly elementBytes?: number;
  readonly idBytes?: number;
  readonly lengthBytes?: number;
  /** Small integers, whose sums are exact in any order, or doubles rounded to single precision; default `integers`. */
  readonly values?: "integers" | "floats";
  /** Which of SPTT's variants runs; default `permute-vectors`. */
  readonly variant?: SpttVariant;
  /** By what key peers are ordered; default `slot`. */
  readonly peerOrder?: PeerOrder;
}

/**
 * SPTT as in the paper's walk-through, with steps b and c swapped (ids are permuted, not vectors), or without step c: the
 * all-to-all of ids runs in a virtual process group whose ranks are in peer order already (section 3.1.3).
 */
export type SpttVariant = "permute-vectors" | "permute-ids" | "virtual-group";

/**
 * `slot`: (slot in the tower, tower), which puts the peers of each slot side by side. `printed`: (g mod T, ⌊g/L⌋) as section
 * 3.1.1 prints it, which does so only where there are as many towers as slots.
 */
export type PeerOrder = "slot" | "printed";
