import { checkAccess } from "../../../instance/checks/access.js";
import { checkNamesOnce } from "../../../instance/checks/names.js";
import type { Collective } from "../../../instance/cluster.js";
import { type Finding, received } from "../../../instance/findings.js";
import type { RowTiersGoalName, Tier } from "../../../instance/types/row-tiers.js";
import type { RowTiersInput } from "./schema.js";

export function checkTables(tables: RowTiersInput["tables"]): Finding[] {
  const names = tables.map(({ name }) => name);
  return [
    ...checkNamesOnce(names, "tables", "name"),
    ...tables.flatMap(({ pooling, access, rows }, index): Finding[] => {
      const found = checkAccess(access, rows, ["tables", index, "access"]);
      if (pooling === "sequence") return found;
      const message = `expected sequence, the only pooling of FlexShard's cost model, received ${received(pooling)}; leave the table out or model it as a sequence`;
      return [{ path: ["tables", index, "pooling"], message }, ...found];
    }),
  ];
}

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

/** A goal that no tier has anything to do with, or that is there twice, would say nothing. */
export function checkGoals({ goals = [], tiers, from }: RowTiersInput): Finding[] {
  return goals.flatMap(({ minimize }, index): Finding[] => {
    const path = ["goals", index, "minimize"];
    if (goals.findIndex((other) => other.minimize === minimize) < index) {
      return [{ path, message: `expected each goal once, received ${minimize} again; remove it` }];
    }
    if (minimize === "moved-rows" || minimize === "moved-bytes") {
      if (from !== undefined) return [];
      return [
        { path, message: `expected a plan to move from beside ${minimize}, received none; add from: {plan: FILE}` },
      ];
    }
    if (tiers.some((tier) => concerns(minimize, tier))) return [];
    const message = `expected a goal of the tiers that are allowed, received ${minimize}, of which none of them has any; allow another tier, or remove the goal`;
    return [{ path, message }];
  });
}

function concerns(goal: Exclude<RowTiersGoalName, "moved-rows" | "moved-bytes">, tier: Tier): boolean {
  if (goal === "time" || goal === "memory") return true;
  return goal === "host-memory" ? tier === "host" : COLLECTIVES_OF_TIER[tier].includes(goal);
}
