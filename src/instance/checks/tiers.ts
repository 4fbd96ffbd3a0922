import type { Finding } from "../findings.js";
import type { Collective, Tier } from "../instance.js";
import type { RowTiersInput } from "../schema/row-tiers.js";

/** The collectives of each tier (FlexShard, tables 2 and 3). */
const COLLECTIVES_OF_TIER: Readonly<Record<Tier, readonly Collective[]>> = {
  data_parallel: ["allReduceGlobal"],
  flex: ["allToAllIntra", "allReduceCross"],
  row_wise: ["allToAllGlobal"],
  column_wise: ["allToAllGlobal"],
  host: ["hostToDevice", "allToAllGlobal"],
};

export function checkTiers(tiers: readonly Tier[]): Finding[] {
  return tiers.flatMap((tier, index) =>
    tiers.indexOf(tier) === index
      ? []
      : [{ path: ["tiers", index], message: `expected each tier once, received ${tier} again; remove it` }],
  );
}

/** A plan lists the seconds of every collective it uses, whatever the objective: so all of them need a bandwidth. */
export function checkBandwidths({ tiers, cluster }: RowTiersInput): Finding[] {
  return [...new Set(tiers)].flatMap((tier) =>
    COLLECTIVES_OF_TIER[tier]
      .filter((collective) => cluster.bandwidth[collective] === undefined)
      .map((collective) => ({
        path: ["cluster", "bandwidth", collective],
        message: `expected its bandwidth, because the tier ${tier} uses it, received nothing; add the key ${collective}, or leave the tier out of tiers`,
      })),
  );
}

/** Rows in host memory need to know how much of it there is. */
export function checkHost({ tiers, cluster }: RowTiersInput): Finding[] {
  if (!tiers.includes("host") || cluster.hostBytesPerNode !== undefined) return [];
  const message =
    "expected the host memory of a node, because the tier host uses it, received nothing; add the key hostBytesPerNode, or leave the tier out of tiers";
  return [{ path: ["cluster", "hostBytesPerNode"], message }];
}
