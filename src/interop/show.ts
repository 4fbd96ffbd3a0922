import { paint, table } from "../terminal/table.js";
import { methodName } from "../text/optimality.js";
import { printable } from "../text/printable.js";
import { bytes, count } from "../text/units.js";
import type { RemapManifest, RemapTable } from "./remap/manifest.js";
import type { ChangedShards } from "./torchrec/changed-shards.js";
import type { TorchrecPlan } from "./torchrec/export-plan.js";
import type { SerializedShardingPlan } from "./torchrec/sharding-plan.js";

const ORDERS: Readonly<Record<RemapTable["order"], string>> = {
  counts: "counts file",
  "rank-file": "rank file",
  identity: "row ids are ranks",
};

/** A remap as a person reads it: the embedding tables, the files, and what the order of the rows comes from. */
export function showRemap({ instance, plan, tables, tierCodes }: RemapManifest, folder: string): string {
  const title = `${paint.bold(instance.name)}  ${paint.dim(`remap, ${methodName(plan.method)}`)}`;
  const rows = tables.flatMap((one) =>
    one.embeddingTables.map((part, index) => [
      index === 0 ? one.name : "",
      part.tier,
      String(tierCodes[part.tier]),
      count(part.rows),
      bytes(part.bytes),
      index === 0 ? filesOf(one).join(", ") : "",
      index === 0 ? ORDERS[one.order] : "",
    ]),
  );
  const head = ["table", "tier", "code", "rows", "parameters", "files", "order of rows"];
  return `${title}\n\n${table(head, rows, "llrrrll")}\n\nwrote ${folder}\n`;
}

function filesOf({ files }: RemapTable): string[] {
  return Object.values(files).map(({ file }) => file);
}

/** A plan for TorchRec as a person reads it: its tables, how each is sharded, and what differs from the cost model. */
export function showTorchrecPlan(plan: TorchrecPlan, file: string): string {
  const title = `${paint.bold(plan.instance.name)}  ${paint.dim(`plan for TorchRec, ${methodName(plan.source.method)}`)}`;
  const rows = Object.entries(plan.plan).flatMap(([module, shardings]) =>
    Object.entries(shardings).map(([name, { sharding_type, compute_kernel, ranks }], index) => {
      const config = plan.embedding_bag_configs.find((one) => one.name === name);
      return [
        index === 0 ? module : "",
        name,
        sharding_type,
        compute_kernel,
        count(config?.num_embeddings ?? 0),
        count(ranks.length),
      ];
    }),
  );
  const notes = plan.notes.map((text) => `note: ${text}\n`).join("");
  const shown = table(["module", "table", "sharding", "kernel", "rows", "GPUs"], rows, "llllrr");
  return `${title}\n\n${shown}\n\n${notes}wrote ${file}\n`;
}

/** Changed shards for TorchRec as a person reads them: how many tables of each module, and what TorchRec cannot move. */
export function showChangedShards(
  { changed_shard_to_params: modules }: ChangedShards,
  notes: readonly string[],
  file: string,
): string {
  const rows = Object.entries(modules).map(([module, [mebibytes, tables]]) => [
    module === "" ? MODEL_ITSELF : printable(module),
    count(Object.keys(tables).length),
    bytes(Math.round(mebibytes * 2 ** 20)),
  ]);
  const noted = notes.map((text) => `note: ${printable(text)}\n`).join("");
  return `${table(["module", "tables", "moved"], rows, "lrr")}\n\n${noted}wrote ${file}\n`;
}

/** The module whose path is empty. */
const MODEL_ITSELF = "(the model)";

/** Tables listed by name before only their number is. */
const MAX_TABLES = 40;

/** A sharding plan for TorchRec as a person reads it: how each table is sharded, and over how many GPUs. */
export function showShardingPlan(
  { plan }: SerializedShardingPlan,
  { instance, method }: { readonly instance: { readonly name: string }; readonly method: string },
  file: string,
  notes: readonly string[] = [],
): string {
  const title = `${paint.bold(printable(instance.name))}  ${paint.dim(`sharding plan for TorchRec, ${methodName(method)}`)}`;
  const rows = Object.entries(plan).flatMap(([module, shardings]) =>
    Object.entries(shardings).map(([name, { sharding_type, compute_kernel, ranks, shards }]) => [
      module === "" ? MODEL_ITSELF : printable(module),
      printable(name),
      sharding_type,
      compute_kernel,
      count(shards?.length ?? ranks.length),
      count(new Set(ranks).size),
    ]),
  );
  const listed = table(
    ["module", "table", "sharding", "kernel", "shards", "GPUs"],
    rows.slice(0, MAX_TABLES),
    "llllrr",
  );
  const rest = rows.length > MAX_TABLES ? `\n  ${paint.dim(`and ${count(rows.length - MAX_TABLES)} more tables`)}` : "";
  const noted = notes.map((text) => `note: ${printable(text)}\n`).join("");
  return `${title}\n\n${listed}${rest}\n\n${noted}wrote ${file}\n`;
}
