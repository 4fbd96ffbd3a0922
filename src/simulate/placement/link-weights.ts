import { LINKS, linkOf, type PlacedFleet, type PlacedPart } from "../../traffic/placed-table.js";

/** For each kind of link, the bytes that one id or one vector sends over it, by the cells of what was counted. */
export type LinkWeights = readonly Float64Array[];

/** Bytes of ids that are sent to where their rows are, by the sample's device and, inside, the block. */
export function idWeights(part: PlacedPart, fleet: PlacedFleet): LinkWeights {
  const blocks = part.blocks.length;
  const weights = LINKS.map(() => new Float64Array(fleet.devices * blocks));
  if (part.exchange === "none") return weights;
  for (const { block, device } of part.shards) {
    for (let from = 0; from < fleet.devices; from++) {
      add(weights[linkOf(fleet, from, device)], from * blocks + block, part.bytes.id);
    }
  }
  return weights;
}

/**
 * Bytes of vectors on their way to the samples: by the sample's device for bags; for sequences also by the block, as for ids. In a
 * group a vector goes first to the device with the number that the sample's has in its own; shards of groups are of pooled tables.
 */
export function vectorWeights(part: PlacedPart, fleet: PlacedFleet, isPooled: boolean): LinkWeights {
  const { exchange, groupSize, bytes, shards } = part;
  const blocks = isPooled ? 1 : part.blocks.length;
  const weights = LINKS.map(() => new Float64Array(fleet.devices * blocks));
  if (exchange === "none") return weights;
  for (const { block, columns, device } of shards) {
    for (let to = 0; to < fleet.devices; to++) {
      const cell = isPooled ? to : to * blocks + block;
      if (exchange === "all-to-all") {
        add(weights[linkOf(fleet, device, to)], cell, columns * bytes.element);
        continue;
      }
      const relay = device - (device % groupSize) + (to % groupSize);
      add(weights[linkOf(fleet, device, relay)], cell, columns * bytes.element);
      if (relay !== device || groupSize === fleet.devices) continue;
      // What the other shards of the group sent is one vector with its own by then.
      add(weights[linkOf(fleet, device, to)], cell, columns * bytes.betweenGroups);
    }
  }
  return weights;
}

function add(list: Float64Array | undefined, index: number, amount: number): void {
  if (list !== undefined) list[index] = (list[index] as number) + amount;
}
