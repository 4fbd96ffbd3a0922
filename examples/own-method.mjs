// Methods of one's own, to be compared with the optimum: a module with a function for each problem that it knows. docs/studies.md
// says what each is handed and what it returns; nothing but its decision counts, which is evaluated exactly.
//
//   shardproof compare instances/paper/autoshard-0.yaml --method-file examples/own-method.mjs

/** What tables and results call it. */
export const name = "longest-first";

/**
 * Longest processing time first: the table that costs most, on the device that costs least and has room for it.
 *
 * @param {import("shardproof").OwnTablePlacement} given
 */
export function tablePlacement({ problem }) {
  const costs = problem.hbmBytes.map(() => 0);
  const room = [...problem.hbmBytes];
  const shards = problem.tables.map(({ options }) => options[0].shards);
  const places = shards.map(() => 0);
  const falling = [...shards.keys()].sort((a, b) => shards[b][0].cost - shards[a][0].cost);
  for (const table of falling) {
    const { cost, hbmBytes } = shards[table][0];
    const having = costs.map((_, device) => device).filter((device) => room[device] >= hbmBytes);
    // Without room anywhere the plan breaks a limit, and is shown as one that does.
    const device = having.sort((a, b) => costs[a] - costs[b])[0] ?? 0;
    places[table] = device;
    costs[device] += cost;
    room[device] -= hbmBytes;
  }
  return places;
}

/**
 * Features in the order in which they are given, dealt out in equal parts.
 *
 * @param {import("shardproof").OwnTowerPartition} given
 */
export function towerPartition({ problem: { features, towers } }) {
  return features.map((_, feature) => Math.floor((feature * towers) / features.length));
}

/**
 * Every row where TorchRec would put it: row-wise.
 *
 * @param {import("shardproof").OwnRowTiers} given
 */
export function rowTiers({ instance }) {
  return instance.tables.map(({ rows }) => [{ rows, tier: "row_wise" }]);
}
