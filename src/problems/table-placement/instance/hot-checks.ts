import { checkAccess } from "../../../instance/checks/access.js";
import { checkPartNames } from "../../../instance/checks/hot-rows.js";
import type { Path } from "../../../instance/document.js";
import type { Finding } from "../../../instance/findings.js";
import type { AccessInput } from "../../../instance/schema/access.js";
import type { FeaturesInput, TablePlacementInput, TorchrecInput } from "./schema.js";

/** What instances say of hot rows and caches, and of how often rows are read. */
export function checkHotRows(input: TablePlacementInput): Finding[] {
  const { splits, caches } = input as Partial<Pick<TorchrecInput, "caches">> & Pick<FeaturesInput, "splits">;
  const tables = input.tables as readonly TableInput[];
  const findings = [...checkColumns(input), ...tables.flatMap(checkTable)];
  const isAsked = splits?.hotRows !== undefined || caches !== undefined;
  if (!isAsked && !tables.some(({ options }) => options?.some(({ hot }) => hot !== undefined))) return findings;
  const key: Path = splits?.hotRows !== undefined ? ["splits", "hotRows"] : ["caches"];
  const refuse = (path: Path, message: string) => findings.push({ path, atKey: true, message });
  if (isAsked && tables.every(({ access }) => access === undefined)) {
    refuse(
      key,
      "expected the key access in a table (how often its rows are read), received it in none; add it (shardproof profile columns LOG --instance FILE counts it)",
    );
  }
  if (typeof input.costModel === "object") {
    refuse(key, "expected a cost model that adds up, received a network; leave it out, or change costModel");
  }
  if (input.from !== undefined) {
    const message =
      "expected tables that are whole or cut in shards beside from, received hot rows or caches to choose; leave one of the two out";
    refuse(["from"], message);
  }
  return [...findings, ...checkPartNames(tables)];
}

interface TableInput {
  readonly name: string;
  readonly rows?: unknown;
  readonly num_embeddings?: unknown;
  readonly access?: AccessInput | undefined;
  readonly options?: readonly { readonly hot?: unknown }[];
}

/** Columns are cut into so many shards, or not at all. */
function checkColumns(input: TablePlacementInput): Finding[] {
  const { splits } = input as FeaturesInput;
  if (splits === undefined) return [];
  const isCut = splits.columns !== undefined;
  if (isCut === (splits.maxShardsPerTable !== undefined)) {
    if (isCut || splits.hotRows !== undefined) return [];
    return [
      { path: ["splits"], message: "expected columns or hotRows, received an empty map; add one, or leave it out" },
    ];
  }
  const missing = isCut ? "maxShardsPerTable" : "columns";
  const what = isCut ? "most shards of one table" : "columns: true beside maxShardsPerTable";
  return [{ path: ["splits", missing], message: `expected ${what}, received nothing; add the key ${missing}` }];
}

function checkTable({ rows, num_embeddings, access }: TableInput, index: number): Finding[] {
  const count = num_embeddings ?? rows;
  if (access === undefined || typeof count !== "number" || !Number.isInteger(count)) return [];
  return checkAccess(access, count, ["tables", index, "access"]);
}
