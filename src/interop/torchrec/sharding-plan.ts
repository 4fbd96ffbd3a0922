import { z } from "zod";
import type { RuntimeParameters } from "../../cost/torchrec/runtime-parameters.js";
import { isMap } from "../../input/json.js";
import type { Path, PlacedDocument } from "../../instance/document.js";
import { type Finding, received, throwFindings } from "../../instance/findings.js";
import { findingsOfIssues } from "../../instance/schema/issues.js";
import type { ShardMetadata } from "./sharding.js";

/** A table's entry of TorchRec's `ShardingPlan._serialize()`, with what that leaves out of a `ParameterSharding`. */
export interface SerializedSharding extends RuntimeParameters {
  readonly sharding_type: string;
  readonly compute_kernel: string;
  /** The rank of each shard, in order. */
  readonly ranks: readonly number[];
  /** `null` for data_parallel, whose shards are copies of the table. */
  readonly shards: readonly ShardMetadata[] | null;
  /** Over how many nodes table_row_wise cuts the rows, where over several (torchrec#4681). */
  readonly num_nodes?: number;
}

/** What `ShardingPlan._serialize()` writes: by module path and name of the table, how and where it is sharded. */
export interface SerializedShardingPlan {
  readonly plan: Readonly<Record<string, Readonly<Record<string, SerializedSharding>>>>;
}

/** A table's entry with its place in the plan. */
export interface PlacedSharding {
  readonly module: string;
  readonly table: string;
  readonly sharding: SerializedSharding;
  /** Of the cache, where the plan says; TorchRec's own text does not. */
  readonly loadFactor: number | null;
  readonly path: Path;
}

const whole = (description: string) => z.int().min(0).describe(description);
const pair = (description: string) => z.tuple([whole("rows"), whole("columns")]).describe(description);

const shardSchema = z.strictObject({
  shard_offsets: pair("[row, column]"),
  shard_sizes: pair("[rows, columns]"),
  placement: z.string().describe("rank:K/cuda:L"),
});

/** What the cost model does not look at. */
const NOT_READ = [
  "num_nodes",
  "enforce_hbm",
  "stochastic_rounding",
  "bounds_check_mode",
  "output_dtype",
  "key_value_params",
];

const shardingSchema = z.strictObject({
  sharding_type: z.string().describe("TorchRec's name of the sharding type"),
  compute_kernel: z.string().describe("TorchRec's name of the compute kernel"),
  ranks: z.array(whole("a rank, from 0")).min(1).describe("the rank of each shard"),
  shards: z.array(shardSchema).nullish().describe("a list with the shards, or null for data_parallel"),
  cache_params: z
    .looseObject({ load_factor: z.number().nullish().describe("share of the table in the cache") })
    .nullish()
    .describe("parameters of the cache"),
  ...Object.fromEntries(NOT_READ.map((key) => [key, z.unknown().optional()])),
});

/** Whether a file's contents are meant as a sharding plan, rather than as a problem. */
export function looksLikeShardingPlan(value: unknown): boolean {
  return isMap(value) && Object.hasOwn(value, "plan") && !Object.hasOwn(value, "tables");
}

/**
 * The entries of a sharding plan as `ShardingPlan._serialize()` writes it, in its order. Throws `InputError` with the place
 * of the first thing that is none of it.
 */
export function shardingsIn(document: PlacedDocument): readonly PlacedSharding[] {
  const findings: Finding[] = [];
  const shardings: PlacedSharding[] = [];
  const { plan, ...others } = document.value as { readonly plan: unknown };
  for (const key of Object.keys(others)) {
    const message = "unknown key; the only one here is plan (as ShardingPlan._serialize() writes it)";
    findings.push({ path: [key], atKey: true, message });
  }
  for (const [module, tables] of entries(plan, ["plan"], "module paths", findings)) {
    for (const [table, sharding] of entries(tables, ["plan", module], "tables", findings)) {
      const path = ["plan", module, table];
      const parsed = shardingSchema.safeParse(sharding, { reportInput: true });
      if (parsed.success) {
        const { sharding_type, compute_kernel, ranks, shards, cache_params } = parsed.data;
        const plain = { sharding_type, compute_kernel, ranks };
        const loadFactor = cache_params?.load_factor ?? null;
        // Where there is no sharding_spec, some write an empty list.
        const sharding = { ...plain, shards: shards?.length ? shards : null };
        shardings.push({ module, table, sharding, loadFactor, path });
        continue;
      }
      const inside = findingsOfIssues(parsed.error.issues, shardingSchema);
      findings.push(...inside.map((finding) => ({ ...finding, path: [...path, ...finding.path] })));
    }
  }
  throwFindings(document, findings);
  return shardings;
}

function entries(value: unknown, path: Path, of: string, findings: Finding[]): [string, unknown][] {
  if (isMap(value)) return Object.entries(value);
  findings.push({ path, message: `expected a map of ${of}, received ${received(value)}` });
  return [];
}
