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
  if (split.kind === "switch")
    return [withSwitch(model, node, split.switch, 0), withSwitch(model, node, split.switch, 1)];
  const { kind, host, at } = split;
  const cut = (range: (own: Range) => Range): BaseNode => ({
    ...node,
    [kind]: node[kind].map((own, v) => (v === host ? range(own) : own)),
  });
  return [cut(({ low }) => ({ low, high: at })), cut(({ high }) => ({ low: at + 1, high }))];
}

/** A bound of a host's base of cost that follows from that of an alike host, by the row of their order. */
export interface OrderedBound {
  readonly host: number;
  readonly end: "low" | "high";
  readonly steps: number;
  readonly row: number;
}

/** The node with the bounds that follow from the order of alike hosts; those that leave nothing are left to see. */
export function ordered(
  { hosts }: BaseModel,
  node: BaseNode,
): { readonly node: BaseNode; readonly bounds: readonly OrderedBound[] } {
  const load = [...node.load];
  const bounds: OrderedBound[] = [];
  hosts.forEach(({ next }, v) => {
    if (next === null || !isInOrder(next, node)) return;
    const [{ low }, after] = [load[v] as Range, load[next.host] as Range];
    if (low <= after.low || low > after.high) return;
    load[next.host] = { ...after, low };
    bounds.push({ host: next.host, end: "low", steps: low, row: next.row });
  });
  for (let v = hosts.length - 1; v >= 0; v--) {
    const { next } = hosts[v] as HostModel;
    if (next === null || !isInOrder(next, node)) continue;
    const [own, { high }] = [load[v] as Range, load[next.host] as Range];
    if (high >= own.high || high < own.low) continue;
    load[v] = { ...own, high };
    bounds.push({ host: v, end: "high", steps: high, row: next.row });
  }
  return { node: bounds.length === 0 ? node : { ...node, load }, bounds };
}

/** Whether a host's base is no more than that of the next in all placements of a node that count. */
export function isInOrder({ unlike }: NonNullable<HostModel["next"]>, { decided }: BaseNode): boolean {
  return unlike.every((at) => decided[at] === 0);
}

function withSwitch(model: BaseModel, node: BaseNode, at: number, value: 0 | 1): BaseNode {
  const decided = node.decided.slice();
  decided[at] = value;
  const { table, group } = model.switches[at] as Switch;
  if (value === 1 && group === -1) {
    for (const other of model.tables[table]?.options ?? []) if (other !== at) decided[other] = 0;
  }
  if (value === 0 && group === -1) {
    const open = (model.tables[table]?.options ?? []).filter((other) => decided[other] !== 0);
    if (open.length === 1) decided[open[0] as number] = 1;
  }
  return { ...node, decided };
}

/** An option that a table cannot have beside what its twin has left, by the row of their order. */
export interface TwinBound {
  readonly option: number;
  readonly row: number;
}

/** The node without the options that the order of twins leaves no placement. */
export function inTwinOrder(
  { tables, twins, switches }: BaseModel,
  node: BaseNode,
): { readonly node: BaseNode; readonly bounds: readonly TwinBound[] } {
  const decided = node.decided.slice();
  const bounds: TwinBound[] = [];
  const optionsOf = (t: number) => (tables[t] as BaseModel["tables"][number]).options;
  const indexOf = (at: number | undefined) => (at === undefined ? null : (switches[at] as Switch).option);
  const close = (t: number, row: number, isOut: (option: number) => boolean) => {
    const own = optionsOf(t);
    for (const at of own) {
      const { option, column } = switches[at] as Switch;
      if (decided[at] !== -1 || column === null || !isOut(option)) continue;
      decided[at] = 0;
      bounds.push({ option: at, row });
    }
    const open = own.filter((other) => decided[other] !== 0);
    if (open.length === 1) decided[open[0] as number] = 1;
  };
  for (const { table, next, row } of twins) {
    const first = indexOf(optionsOf(table).find((at) => decided[at] !== 0));
    if (first !== null) close(next, row, (option) => option < first);
  }
  for (const { table, next, row } of twins.toReversed()) {
    const last = indexOf(optionsOf(next).findLast((at) => decided[at] !== 0));
    if (last !== null) close(table, row, (option) => option > last);
  }
  return { node: bounds.length === 0 ? node : { ...node, decided }, bounds };
}

/** The node with what is known of switches that it leaves open, and the options that this leaves alone. */
export function narrowed({ tables }: BaseModel, node: BaseNode, known: Int8Array): BaseNode {
  const decided = node.decided.map((value, at) => (value === -1 ? (known[at] as number) : value));
  for (const { options } of tables) {
    const open = options.filter((option) => decided[option] !== 0);
    if (open.length === 1) decided[open[0] as number] = 1;
  }
  return { ...node, decided };
}

/** Whether an option is taken in every placement of a node. */
export function isCertain({ switches }: BaseModel, { decided }: BaseNode, option: number): boolean {
  return decided[option] === 1 || (switches[option] as Switch).column === null;
}

/** A switch that follows from others by the row "hosts chosen = as many as the option wants". */
export interface Implied {
  readonly switch: number;
  readonly value: 0 | 1;
  readonly row: number;
  /** The side of the row that the other value breaks. */
  readonly side: "lower" | "upper";
}

/**
 * The node with what follows from hosts that are decided: an option that has one of them is taken, one that has too few left
 * is not, and of one that is taken the last hosts are.
 */
export function withImplied(
  model: BaseModel,
  node: BaseNode,
): { readonly node: BaseNode; readonly implied: readonly Implied[] } {
  const decided = node.decided.slice();
  const own: BaseNode = { ...node, decided };
  const implied: Implied[] = [];
  const decide = (at: number, value: 0 | 1, row: number, side: Implied["side"]) => {
    decided[at] = value;
    implied.push({ switch: at, value, row, side });
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
  return { node: implied.length === 0 ? node : own, implied };
}

/** Of a table's options one is taken: where it is known, the others are not; where others are not, it is. */
function closeOthers(options: readonly number[], decided: Int8Array): void {
  const taken = options.find((option) => decided[option] === 1);
  if (taken !== undefined) for (const option of options) if (option !== taken) decided[option] = 0;
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
