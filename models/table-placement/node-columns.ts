import { groupsByNode } from "./constraints.js";
import {
  addRuns,
  countShards,
  homesOf,
  ifChosen,
  MisplacedError,
  needKey,
  type OptionColumns,
  optionOf,
  type Run,
  runsOf,
  type ShardColumn,
  type Site,
  spreadShards,
} from "./option-site.js";
import type { Incoming, PlacementProblem, ShardNeed } from "./problem.js";
import { sumOf } from "./program-draft.js";

/** `host` with free slots: Σ_{d in ν} n[t, o, k, d] = shards of kind k · h[t, o, ν], Σ_ν h[t, o, ν] = 1 if chosen. */
export function addInsideNode(site: Site, name: string): OptionColumns {
  const { draft, problem, option, allowed } = site;
  const { gpusPerNode } = problem;
  const runs = runsOf(optionOf(site).shards);
  const homes = homesOf(problem, allowed, false).map((node) => {
    const choice = draft.addCount(`h_${name}_${node}`);
    const slots = Array.from({ length: gpusPerNode }, (_, slot) => node * gpusPerNode + slot);
    const here = slots.filter((device) => allowed[device]);
    const nameOf = (k: number) => ({ column: `${name}_${k}`, row: `${name}_${k}_${node}` });
    const perRun = addRuns(site, runs, here, nameOf, (counts, shards) => ({
      terms: [...counts, [choice, -shards]],
      side: 0n,
    }));
    return { node, choice, perRun };
  });
  const { terms, side } = ifChosen(site, sumOf(homes.map(({ choice }) => choice)), 1n);
  const nodeRow = draft.addEquation(`node_${name}`, terms, side);
  const homeOf = (device: number) => homes.find(({ node }) => node === Math.floor(device / gpusPerNode));
  return {
    option,
    shards: homes.flatMap(({ perRun }) => perRun.flatMap(({ columns }) => columns)),
    nodeChoices: homes.map(({ choice }) => choice),
    nodeRows: [nodeRow],
    write: (devices, point) => {
      const home = homeOf(devices[0] as number);
      if (home === undefined) throw new MisplacedError(`a shard is on device ${devices[0]}, where it may not be`);
      point[home.choice] = 1n;
      countShards(home.perRun, devices, point);
    },
    read: (point) => spreadShards(homes.find(({ choice }) => point[choice] === 1n)?.perRun ?? [], point),
  };
}

/**
 * `multi_host`, and `host` with fixed slots as its case of one group. Groups that share a node, because there are more
 * groups than nodes, go there together; kinds g are of such alike. h[t, o, g, ν] = 1 where one of kind g is on node ν;
 * n[t, o, g, k, d] = h[t, o, g, ν] for each of what a device of ν then has: a shard, or 2, 4, … alike ones, whose sums are
 * doubles as exact as the shard's; Σ_ν h[t, o, g, ν] = how many there are of kind g, if chosen; at most one on a node.
 */
export function addNodeGroups(site: Site, name: string): OptionColumns {
  const { draft, problem, table, option, allowed } = site;
  const { gpusPerNode } = problem;
  const { shards } = optionOf(site);
  const homes = homesOf(problem, allowed, true);
  const kinds = groupKinds(shards, problem);
  const columns: ShardColumn[] = [];
  const perKind = kinds.map(({ slots, members }, g) => {
    const label = kinds.length === 1 ? name : `${name}_${g}`;
    const choices = homes.map((node) => {
      const choice = draft.addCount(`h_${label}_${node}`);
      const counts: number[] = [];
      slots.forEach((needs, slot) => {
        const device = node * gpusPerNode + slot;
        needs.forEach((need, k) => {
          const own = needs.length === 1 ? `${label}_${device}` : `${label}_${k}_${device}`;
          const column = draft.addCount(`n_${own}`);
          const terms = [[column, 1n] as const, [choice, -1n] as const];
          const placeRow = draft.addEquation(`place_${own}`, terms, 0n);
          columns.push({ column, table, option, device, need, most: 1, placeRow });
          counts.push(column);
        });
      });
      return { node, choice, counts };
    });
    const chosen = sumOf(choices.map(({ choice }) => choice));
    const { terms, side } = ifChosen(site, chosen, BigInt(members.length));
    return { members, choices, nodeRow: draft.addEquation(`node_${label}`, terms, side) };
  });
  if (kinds.length > 1) {
    homes.forEach((node, k) => {
      const terms = perKind.map(({ choices }) => [choices[k]?.choice as number, 1n] as const);
      draft.addLimit(`room_${name}_${node}`, terms, 1n);
    });
  }
  return {
    option,
    shards: columns,
    nodeChoices: perKind.flatMap(({ choices }) => choices.map(({ choice }) => choice)),
    nodeRows: perKind.map(({ nodeRow }) => nodeRow),
    write: (devices, point) => {
      for (const { members, choices } of perKind) {
        for (const groups of members) {
          const node = Math.floor((devices[(groups[0] as number) * gpusPerNode] as number) / gpusPerNode);
          const at = choices.find((choice) => choice.node === node);
          if (at === undefined) throw new MisplacedError(`a group of shards is on node ${node}, where it may not be`);
          for (const group of groups) {
            for (let slot = 0; slot < gpusPerNode; slot++) {
              if (devices[group * gpusPerNode + slot] === node * gpusPerNode + slot) continue;
              throw new MisplacedError(`a shard of a group on node ${node} is in another slot than its own`);
            }
          }
          point[at.choice] = 1n;
          for (const column of at.counts) point[column] = 1n;
        }
      }
    },
    read: (point) => {
      const devices: number[] = [];
      for (const { members, choices } of perKind) {
        const nodes = choices.filter(({ choice }) => point[choice] === 1n).map(({ node }) => node);
        members.forEach((groups, k) => {
          for (const group of groups) {
            for (let slot = 0; slot < gpusPerNode; slot++) {
              devices[group * gpusPerNode + slot] = (nodes[k] as number) * gpusPerNode + slot;
            }
          }
        });
      }
      return devices;
    },
  };
}

/** What goes to a node together: what each of its slots has then, and the groups of shards that need just that. */
interface GroupKind {
  readonly slots: readonly (readonly ShardNeed[])[];
  readonly members: number[][];
}

function groupKinds(shards: readonly ShardNeed[], problem: PlacementProblem): GroupKind[] {
  const { gpusPerNode } = problem;
  const kinds = new Map<string, GroupKind>();
  for (const groups of groupsByNode(problem, shards.length)) {
    const slots = Array.from({ length: gpusPerNode }, (_, slot) =>
      runsOf(groups.map((group) => shards[group * gpusPerNode + slot] as ShardNeed)).flatMap(inPowersOfTwo),
    );
    const key = slots.map((needs) => needs.map(needKey).join(", ")).join("; ");
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { slots, members: [groups] });
    else kind.members.push(groups);
  }
  return [...kinds.values()];
}

/** What 1, 2, 4, … alike shards need together, as many as make up all of them. */
function inPowersOfTwo({ need, shards: { length } }: Run): ShardNeed[] {
  const needs: ShardNeed[] = [];
  for (let power = 1; power <= length; power *= 2) {
    if (Math.floor(length / power) % 2 === 0) continue;
    const { cost, hbmBytes, hostBytes, ssdBytes, phases, incoming } = need;
    needs.push({
      ...{ cost: power * cost, hbmBytes: power * hbmBytes, hostBytes: power * hostBytes },
      ...(ssdBytes === undefined ? {} : { ssdBytes: power * ssdBytes }),
      ...(phases === undefined ? {} : { phases: phases.map((phase) => power * phase) }),
      ...(incoming === undefined ? {} : { incoming: timesIncoming(incoming, power) }),
    });
  }
  return needs;
}

function timesIncoming({ bytes, held }: Incoming, power: number): Incoming {
  return { bytes: power * bytes, held: held.map(([device, own]) => [device, power * own]) };
}
