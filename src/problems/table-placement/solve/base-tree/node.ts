import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { Reduction } from "../bounds/reduction.js";
import type { ReducedBox } from "../bounds/reduction-steps.js";
import type { BaseModel, HomeGroup, HostModel, Switch } from "./base-model.js";

/** What branching left: steps of each host's base of cost and of bytes, and switches that are decided. */
export interface BaseNode {
  readonly load: readonly Range[];
  readonly hbm: readonly Range[];
  /** By switch: −1 where it is open. */
  readonly decided: Int8Array;
}

/** Whole numbers, both ends included. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

export function rootNode({ hosts, switches }: BaseModel): BaseNode {
  return {
    load: hosts.map(({ load }) => ({ low: 0, high: load.most })),
    hbm: hosts.map(({ hbm }) => ({ low: 0, high: hbm?.most ?? 0 })),
    decided: new Int8Array(switches.length).fill(-1),
  };
}

/** Where a node is split: a host's base at a step, or a switch. */
export type Split =
  | { readonly kind: "load" | "hbm"; readonly host: number; readonly at: number }
  | { readonly kind: "switch"; readonly switch: number };

/** The halves of a node: at most `at` (or without the switch), and above (with it). */
export function halves(model: BaseModel, node: BaseNode, split: Split): readonly [BaseNode, BaseNode] {
  if (split.kind === "switch") {
    const sided = (value: 0 | 1) => ({ ...node, decided: withDecided(model, node.decided, split.switch, value) });
    return [sided(0), sided(1)];
  }
  const { kind, host, at } = split;
  const cut = (range: (own: Range) => Range): BaseNode => ({
    ...node,
    [kind]: node[kind].map((own, v) => (v === host ? range(own) : own)),
  });
  return [cut(({ low }) => ({ low, high: at })), cut(({ high }) => ({ low: at + 1, high }))];
}

/** What follows of a column by a row: of a split of the column the row refutes one half. */
export interface Implied {
  readonly column: number;
  /** Columns are at most this, or more. */
  readonly at: number;
  /** The half that is left. */
  readonly half: "low" | "high";
  readonly row: number;
  /** The side of the row that the other half breaks. */
  readonly side: "lower" | "upper";
}

/** The node with all that follows from its split, in this order; what leaves nothing is left to see. */
export function followed(
  model: BaseModel,
  node: BaseNode,
): { readonly node: BaseNode; readonly implied: readonly Implied[] } {
  const implied: Implied[] = [];
  return { node: ordered(model, withImplied(model, node, implied), implied), implied };
}

/** The node with the bounds that follow from the order of alike hosts. */
function ordered({ hosts }: BaseModel, node: BaseNode, implied: Implied[]): BaseNode {
  const load = [...node.load];
  const before = implied.length;
  const imply = (host: number, at: number, half: Implied["half"], row: number) => {
    const column = hosts[host]?.load.rows.counted?.column as number;
    implied.push({ column, at, half, row, side: "upper" });
  };
  hosts.forEach(({ next }, v) => {
    if (next === null || !isInOrder(next, node)) return;
    const [{ low }, after] = [load[v] as Range, load[next.host] as Range];
    if (low <= after.low || low > after.high) return;
    load[next.host] = { ...after, low };
    imply(next.host, low - 1, "high", next.row);
  });
  for (let v = hosts.length - 1; v >= 0; v--) {
    const { next } = hosts[v] as HostModel;
    if (next === null || !isInOrder(next, node)) continue;
    const [own, { high }] = [load[v] as Range, load[next.host] as Range];
    if (high >= own.high || high < own.low) continue;
    load[v] = { ...own, high };
    imply(v, high, "low", next.row);
  }
  return implied.length === before ? node : { ...node, load };
}

/** Whether a host's base is no more than that of the next in all placements of a node that count. */
export function isInOrder({ unlike }: NonNullable<HostModel["next"]>, { decided }: BaseNode): boolean {
  return unlike.every((at) => decided[at] === 0);
}

/** What is decided with a switch on or off, and what that says of the table's other options. */
export function withDecided({ tables, switches }: BaseModel, before: Int8Array, at: number, value: 0 | 1): Int8Array {
  const decided = before.slice();
  decided[at] = value;
  const { table, group } = switches[at] as Switch;
  if (group === -1) closeOthers(tables[table]?.options ?? [], decided);
  return decided;
}

/** The node with what is known of switches that it leaves open, and the options that this leaves alone. */
export function narrowed({ tables }: BaseModel, node: BaseNode, known: Int8Array): BaseNode {
  const decided = node.decided.map((value, at) => (value === -1 ? (known[at] as number) : value));
  for (const { options } of tables) takeLast(options, decided);
  return { ...node, decided };
}

/** Whether an option is taken in every placement of a node. */
export function isCertain({ switches }: BaseModel, { decided }: BaseNode, option: number): boolean {
  return decided[option] === 1 || (switches[option] as Switch).column === null;
}

/**
 * The node with what follows from hosts that are decided: an option that has one of them is taken, one that has too few left
 * is not, and of one that is taken the last hosts are.
 */
function withImplied(model: BaseModel, node: BaseNode, implied: Implied[]): BaseNode {
  const decided = node.decided.slice();
  const own: BaseNode = { ...node, decided };
  const first = implied.length;
  const decide = (at: number, value: 0 | 1, row: number, side: Implied["side"]) => {
    decided[at] = value;
    const { column } = model.switches[at] as Switch;
    implied.push({ column: column as number, at: 0, half: value === 1 ? "high" : "low", row, side });
  };
  for (let isOver = false; !isOver; ) {
    const before = implied.length;
    for (const { options, groups } of model.tables) {
      for (const { option, count, homes, row } of groups) {
        if (decided[option] === 0) continue;
        const left = homes.filter((home) => decided[home] !== 0);
        const open = left.filter((home) => decided[home] !== 1);
        if (!isCertain(model, own, option)) {
          if (left.length < count) decide(option, 0, row, "lower");
          else if (open.length < left.length) decide(option, 1, row, "upper");
        }
        if (!isCertain(model, own, option)) continue;
        if (left.length === count) for (const home of open) decide(home, 1, row, "lower");
        else if (left.length - open.length === count) for (const home of open) decide(home, 0, row, "upper");
      }
      closeOthers(options, decided);
    }
    isOver = implied.length === before;
  }
  return implied.length === first ? node : own;
}

/** Of a table's options one is taken: where it is known, the others are not; where others are not, it is. */
function closeOthers(options: readonly number[], decided: Int8Array): void {
  const taken = options.find((option) => decided[option] === 1);
  if (taken !== undefined) for (const option of options) if (option !== taken) decided[option] = 0;
  takeLast(options, decided);
}

/** An option that is left alone is taken. */
export function takeLast(options: readonly number[], decided: Int8Array): void {
  const open = options.filter((option) => decided[option] !== 0);
  if (open.length === 1) decided[open[0] as number] = 1;
}

/** The steps that a host's base has at least: by the node's range, and by what every option left of a table adds. */
export function leastSteps(model: BaseModel, node: BaseNode, kind: "load" | "hbm", host: number): number {
  const { step } = model.hosts[host]?.[kind] ?? { step: 1 };
  // Rounding of doubles must not make a step of it.
  const steps = Math.floor((addedBy(model, node, kind, host, 0) * (1 - 1e-13)) / step - 1e-9);
  return Math.max(node[kind][host]?.low ?? 0, steps);
}

/** What a host's base is at least, as a share: exact where everything that adds to bases is decided. */
export function leastBase(model: BaseModel, node: BaseNode, kind: "load" | "hbm", host: number): number {
  if (isSettled(model, node)) return addedBy(model, node, kind, host, 0);
  return leastSteps(model, node, kind, host) * (model.hosts[host]?.[kind]?.step ?? 0);
}

/** Whether every option, and every host that an option chooses, is decided. */
export function isSettled(model: BaseModel, node: BaseNode): boolean {
  const { decided } = node;
  return model.tables.every(({ options, groups }) => {
    let left = -1;
    for (const option of options) {
      if (decided[option] === 0) continue;
      if (left !== -1) return false;
      left = option;
    }
    return groups.every(
      ({ option, count, homes }) =>
        option !== left || homes.reduce((sum, home) => (decided[home] === 1 ? sum + 1 : sum), 0) === count,
    );
  });
}

/** The steps that it has at most by what the options left add. */
export function mostSteps(model: BaseModel, node: BaseNode, kind: "load" | "hbm", host: number): number {
  const { step } = model.hosts[host]?.[kind] ?? { step: 1 };
  const steps = Math.floor((addedBy(model, node, kind, host, 1) * (1 + 1e-13)) / step + 1e-9);
  return Math.min(node[kind][host]?.high ?? 0, steps);
}

/** What the options left add to a host's base at least (0) or at most (1). */
function addedBy(model: BaseModel, { decided }: BaseNode, kind: "load" | "hbm", host: number, end: 0 | 1): number {
  const scale = model.hosts[host]?.[kind];
  if (scale === null || scale === undefined) return 0;
  const added = (model.added[host] as BaseModel["added"][number])[kind];
  const ofHomes = ({ homes }: HomeGroup, isCounted: (value: number) => boolean) => {
    let sum = 0;
    for (const home of homes) if (isCounted(decided[home] as number)) sum += added[home] as number;
    return sum;
  };
  const isTaken = (value: number) => value === 1;
  const isLeft = (value: number) => value !== 0;
  let sum = scale.fixed;
  for (const { options, groups } of model.tables) {
    let best = end === 0 ? Number.POSITIVE_INFINITY : 0;
    for (const option of options) {
      if (decided[option] === 0) continue;
      let own = added[option] as number;
      if (end === 1) {
        for (const group of groups) if (group.option === option && group.count === 1) own += ofHomes(group, isLeft);
      }
      if (end === 0 ? own < best : own > best) best = own;
    }
    if (best < Number.POSITIVE_INFINITY) sum += best;
    // At least, the homes that are decided; at most, also those of groups that take several.
    for (const group of groups) {
      if (end === 0) sum += ofHomes(group, isTaken);
      else if (group.count > 1) sum += ofHomes(group, isLeft);
    }
  }
  return sum;
}

/** A limit that was decided by a tree, and by what its placements were narrowed down. */
export interface Narrowing {
  readonly claim: number;
  readonly reduction: Reduction;
  readonly decided: Int8Array;
}

/** By table, the options of those open that a box leaves. */
export function leftOptions(
  { structure }: DirectProgram,
  { box }: ReducedBox,
  open: readonly (readonly boolean[])[],
): readonly (readonly boolean[])[] {
  return open.map((own, t) => {
    const left = own.slice();
    structure.tables[t]?.options.forEach(({ option }, k) => {
      const column = structure.tables[t]?.chosen[k] ?? null;
      if (column !== null && box.upper[column]?.sign() === 0) left[option] = false;
    });
    return left;
  });
}

/** By switch: what a box says of it already, and the options left; −1 where it is open. */
export function decidedAt(
  { switches }: BaseModel,
  { box }: ReducedBox,
  left: readonly (readonly boolean[])[] | null = null,
): Int8Array {
  return Int8Array.from(switches, ({ column, table, option }) => {
    if (column === null) return -1;
    if (box.upper[column]?.sign() === 0 || left?.[table]?.[option] === false) return 0;
    return box.lower[column]?.sign() === 1 ? 1 : -1;
  });
}

/** Whether all that is known the second way is known the first. */
export function isNarrower(decided: Int8Array, other: Int8Array): boolean {
  return other.every((value, at) => value === -1 || value === decided[at]);
}
