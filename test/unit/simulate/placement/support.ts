import { placementProblem } from "../../../../models/table-placement/from-instance.js";
import type { PlacementOption } from "../../../../models/table-placement/problem.js";
import { parseWith } from "../../../../src/instance/parse.js";
import { tablePlacementReader } from "../../../../src/problems/table-placement/instance/reader.js";
import { type SimulatePlacementOptions, simulatePlaced } from "../../../../src/simulate/plans/placement-plan.js";

/** An instance of one table on 2 hosts of 4 GPUs, under TorchRec's cost model where it does not say another. */
export function instanceOf(
  { poolingFactor, ...table }: { readonly poolingFactor?: number; readonly [key: string]: unknown },
  keys: { readonly costModel?: string; readonly [key: string]: unknown } = {},
) {
  const isTorchrec = keys.costModel === undefined;
  const known = isTorchrec ? { num_embeddings: 4000, embedding_dim: 64 } : { rows: 4000, dim: 64 };
  const pooling = isTorchrec ? { pooling_factors: [poolingFactor] } : { poolingFactor };
  const document = {
    ...{ shardproof: 1, name: "played", problem: "table-placement", costModel: "torchrec" },
    cluster: { nodes: 2, gpusPerNode: 4, hbmBytesPerGpu: 1e10, hostBytesPerGpu: 1e10 },
    torchrec: { batch_size: 64 },
    ...keys,
    tables: [{ name: "t", ...known, ...pooling, ...table }],
  };
  return parseWith([tablePlacementReader], JSON.stringify(document), "played.json");
}

/** The first option that fits, its shards on the devices that `at` says, played. */
export function played(
  instance: ReturnType<typeof instanceOf>,
  fits: (option: PlacementOption) => boolean,
  at: (shard: number) => number,
  options: SimulatePlacementOptions = {},
) {
  return simulatePlaced(planOf(instance, fits, at), options);
}

/** A plan with the first option that fits, its shards on the devices that `at` says. */
export function planOf(
  instance: ReturnType<typeof instanceOf>,
  fits: (option: PlacementOption) => boolean,
  at: (shard: number) => number,
) {
  const problem = placementProblem(instance);
  const { options: known } = problem.tables[0] as (typeof problem.tables)[number];
  const option = known.findIndex(fits);
  const own = known[option] as PlacementOption;
  const copies = own.hot?.copies ?? 0;
  const devices = own.shards.map((_, k) => (k < own.shards.length - copies ? at(k) : k - own.shards.length + copies));
  const placement = { choices: [{ option, devices }] };
  return { instance, problem, placement, method: "optimal", digest: "" };
}
