import {
  countShards,
  homesOf,
  ifChosen,
  MisplacedError,
  needKey,
  type OptionColumns,
  optionOf,
  runsOf,
  type ShardColumn,
  type Site,
  spreadShards,
} from "./option-site.js";
import type { ShardNeed } from "./problem.js";

/** `host` with free slots: Σ_{d in ν} n[t, o, k, d] = shards of kind k · h[t, o, ν], Σ_ν h[t, o, ν] = 1 if chosen. */
export function addInsideNode(site: Site, name: string): OptionColumns {
  const { draft, problem, table, option, allowed } = site;
  const { gpusPerNode } = problem;
  const runs = runsOf(optionOf(site).shards);
  const homes = homesOf(problem, allowed, false).map((node) => {
    const choice = draft.addCount(`h_${name}_${node}`);
    const perRun = runs.map(({ need, shards }, k) => {
      const columns: Omit<ShardColumn, "placeRow">[] = [];
      for (let device = node * gpusPerNode; device < (node + 1) * gpusPerNode; device++) {
        if (allowed[device] !== true) continue;
        const column = draft.addCount(`n_${name}_${k}_${device}`, shards.length);
        columns.push({ column, table, option, device, need, most: shards.length });
      }
      const placeRow = draft.addEquation(
        `place_${name}_${k}_${node}`,
        [...columns.map(({ column }) => [column, 1n] as const), [choice, -BigInt(shards.length)]],
        0n,
      );
      return { shards, columns, placeRow };
    });
    return { node, choice, perRun };
  });
  const { terms, side } = ifChosen(
    site,
    homes.map(({ choice }) => [choice, 1n]),
    1n,
  );
  const nodeRow = draft.addEquation(`node_${name}`, terms, side);
  const homeOf = (device: number) => homes.find(({ node }) => node === Math.floor(device / gpusPerNode));
  return {
    option,
    shards: homes.flatMap(({ perRun }) =>
      perRun.flatMap(({ columns, placeRow }) => columns.map((column) => ({ ...column, placeRow }))),
    ),
    nodeChoices: homes.map(({ choice }) => choice),
    nodeRows: [nodeRow],
    write: (devices, point) => {
      const home = homeOf(devices[0] as number);
      if (home === undefined) throw new MisplacedError(`a shard is on device ${devices[0]}, where it may not be`);
      point[home.choice] = 1n;
      for (const run of home.perRun) countShards(run, devices, point);
    },
    read: (point) => {
      const devices: number[] = [];
      const home = homes.find(({ choice }) => point[choice] === 1n);
      for (const run of home?.perRun ?? []) spreadShards(run, point, devices);
      return devices;
    },
  };
}

/**
 * `multi_host`, and `host` with fixed slots as its case of one group: kinds g of alike groups of gpusPerNode shards;
 * h[t, o, g, ν] = 1 where a group of kind g is on node ν; n[t, o, g, d] = h[t, o, g, ν] on every device of ν;
 * Σ_ν h[t, o, g, ν] = groups of kind g, if chosen; at most one group on a node.
 */
export function addNodeGroups(site: Site, name: string): OptionColumns {
  const { draft, problem, table, option, allowed } = site;
  const { gpusPerNode } = problem;
  const { shards } = optionOf(site);
  const homes = homesOf(problem, allowed, true);
  const kinds = groupKinds(shards, gpusPerNode);
  const columns: ShardColumn[] = [];
  const perKind = kinds.map(({ needs, groups }, g) => {
    const label = kinds.length === 1 ? name : `${name}_${g}`;
    const choices = homes.map((node) => {
      const choice = draft.addCount(`h_${label}_${node}`);
      needs.forEach((need, slot) => {
        const device = node * gpusPerNode + slot;
        const column = draft.addCount(`n_${label}_${device}`);
        const terms = [[column, 1n] as const, [choice, -1n] as const];
        const placeRow = draft.addEquation(`place_${label}_${device}`, terms, 0n);
        columns.push({ column, table, option, device, need, most: 1, placeRow });
      });
      return { node, choice };
    });
    const { terms, side } = ifChosen(
      site,
      choices.map(({ choice }) => [choice, 1n]),
      BigInt(groups.length),
    );
    return { groups, choices, nodeRow: draft.addEquation(`node_${label}`, terms, side) };
  });
  if (kinds.length > 1) {
    homes.forEach((node, k) => {
      const terms = perKind.map(({ choices }) => [choices[k]?.choice as number, 1n] as const);
      draft.addRow(`room_${name}_${node}`, terms, null, 1n);
    });
  }
  const columnAt = new Map(columns.map(({ column }) => [column, column]));
  return {
    option,
    shards: columns,
    nodeChoices: perKind.flatMap(({ choices }) => choices.map(({ choice }) => choice)),
    nodeRows: perKind.map(({ nodeRow }) => nodeRow),
    write: (devices, point) => {
      for (const { groups, choices } of perKind) {
        for (const group of groups) {
          const node = Math.floor((devices[group * gpusPerNode] as number) / gpusPerNode);
          const at = choices.find((choice) => choice.node === node);
          if (at === undefined) throw new MisplacedError(`a group of shards is on node ${node}, where it may not be`);
          point[at.choice] = 1n;
          // The group's columns come right after its choice, slot by slot.
          for (let slot = 0; slot < gpusPerNode; slot++) {
            const column = columnAt.get(at.choice + 1 + slot) as number;
            if (devices[group * gpusPerNode + slot] !== node * gpusPerNode + slot) {
              throw new MisplacedError(`a shard of a group on node ${node} is in another slot than its own`);
            }
            point[column] = 1n;
          }
        }
      }
    },
    read: (point) => {
      const devices: number[] = [];
      for (const { groups, choices } of perKind) {
        const nodes = choices.filter(({ choice }) => point[choice] === 1n).map(({ node }) => node);
        groups.forEach((group, k) => {
          for (let slot = 0; slot < gpusPerNode; slot++) {
            devices[group * gpusPerNode + slot] = (nodes[k] as number) * gpusPerNode + slot;
          }
        });
      }
      return devices;
    },
  };
}

/** Groups of gpusPerNode shards that need the same, slot by slot. */
function groupKinds(shards: readonly ShardNeed[], size: number): { needs: readonly ShardNeed[]; groups: number[] }[] {
  const kinds = new Map<string, { needs: readonly ShardNeed[]; groups: number[] }>();
  for (let group = 0; group * size < shards.length; group++) {
    const needs = shards.slice(group * size, (group + 1) * size);
    const key = needs.map(needKey).join("; ");
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { needs, groups: [group] });
    else kind.groups.push(group);
  }
  return [...kinds.values()];
}
