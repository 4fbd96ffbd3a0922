import {
  countShards,
  ifChosen,
  MisplacedError,
  mostOf,
  type OptionColumns,
  optionOf,
  runsOf,
  type ShardColumn,
  type Site,
  spreadShards,
} from "./option-site.js";
import type { ShardNeed } from "./problem.js";
import { sumOf } from "./program-draft.js";

/** `device`: Σ_d n[t, o, k, d] = shards of kind k, if chosen. */
export function addAnywhere(site: Site): OptionColumns {
  const { draft, table, option, allowed } = site;
  const runs = runsOf(optionOf(site).shards);
  const isPlain = site.chosen === null && runs.length === 1;
  const all: ShardColumn[] = [];
  const perRun = runs.map(({ need, shards }, k) => {
    const name = isPlain ? `${table}` : `${table}_${option}_${k}`;
    const own = mostOf(site, { shards });
    const columns: Omit<ShardColumn, "placeRow">[] = [];
    allowed.forEach((isAllowed, device) => {
      if (!isAllowed) return;
      const column = draft.addCount(`n_${name}_${device}`, BigInt(own.most));
      columns.push({ column, table, option, device, need, ...own });
    });
    const counts = sumOf(columns.map(({ column }) => column));
    const { terms, side } = ifChosen(site, counts, BigInt(shards.length));
    const placeRow = draft.addEquation(`place_${name}`, terms, side);
    all.push(...columns.map((column) => ({ ...column, placeRow })));
    return { shards, columns };
  });
  return {
    option,
    shards: all,
    nodeChoices: [],
    nodeRows: [],
    write: (devices, point) => {
      for (const run of perRun) countShards(run, devices, point);
    },
    read: (point) => {
      const devices: number[] = [];
      for (const run of perRun) spreadShards(run, point, devices);
      return devices;
    },
  };
}

/** `uniform`: n[t, o, i] = 1 on device i, if chosen. One column per device keeps every device a block of its own. */
export function addUniform(site: Site): OptionColumns {
  return addOnEach(site, optionOf(site).shards);
}

/** One of `needs` on each device, by device, if the option is chosen. */
export function addOnEach(site: Site, needs: readonly ShardNeed[], label?: string): OptionColumns {
  const { draft, table, option } = site;
  const shards = needs.map((need, device): ShardColumn => {
    const name = [label, table, option, device].filter((part) => part !== undefined).join("_");
    const column = draft.addCount(`n_${name}`);
    const { terms, side } = ifChosen(site, [[column, 1n]], 1n);
    return {
      column,
      table,
      option,
      device,
      need,
      most: 1,
      placeRow: draft.addEquation(`place_${name}`, terms, side),
    };
  });
  return {
    option,
    shards,
    nodeChoices: [],
    nodeRows: [],
    write: (devices, point) => {
      for (const { column, device } of shards) {
        if (devices[device] !== device) throw new MisplacedError(`shard ${device} of a uniform option is elsewhere`);
        point[column] = 1n;
      }
    },
    read: () => needs.map((_, device) => device),
  };
}
