import { given } from "../../../input/given.js";
import type { Path, PlacedDocument } from "../../../instance/document.js";
import type { Finding } from "../../../instance/findings.js";
import { findingsOfIssues } from "../../../instance/schema/issues.js";
import type { PlacementClusterParts } from "./cluster.js";
import { featuresTableSchema, type TorchrecInput } from "./schema.js";

type TorchrecTableInput = TorchrecInput["tables"][number];
type PlainTableInput = TorchrecTableInput & { readonly dataType?: string; readonly [key: string]: unknown };

/** A table in this program's words, rows and dim, rather than in TorchRec's. */
function isPlain(table: TorchrecTableInput): boolean {
  return !Object.hasOwn(table, "num_embeddings") && Object.hasOwn(table, "rows");
}

/** Tables in this program's words are checked here; those in TorchRec's where its cost model reads them. */
export function checkTorchrecTables(tables: TorchrecInput["tables"]): Finding[] {
  return tables.flatMap((table, index): Finding[] => {
    if (!isPlain(table)) return [];
    const parsed = featuresTableSchema.safeParse(table, { reportInput: true });
    if (parsed.success) return [];
    const findings = findingsOfIssues(parsed.error.issues, featuresTableSchema);
    return findings.map((finding) => ({ ...finding, path: ["tables", index, ...finding.path] }));
  });
}

/**
 * The problem in TorchRec's words: `torchrec` with the ranks of the cluster and the tables, and the places of all of it in
 * the instance's file.
 */
export function torchrecDocument(
  document: PlacedDocument,
  { torchrec, cluster, tables }: TorchrecInput,
  { nodes, gpusPerNode, hbmBytesPerGpu, hostBytesPerGpu, ssdBytesPerGpu }: PlacementClusterParts,
): PlacedDocument {
  const ranks = (nodes as number) * (gpusPerNode as number);
  const { pod_size: pod = 1 } = torchrec.topology;
  const devices = hbmBytesPerGpu?.map((hbm, rank) =>
    given({ hbm, ddr: hostBytesPerGpu?.[rank], ssd: ssdBytesPerGpu?.[rank] }),
  );
  const value = {
    ...torchrec,
    topology: {
      ...(cluster && { world_size: ranks, local_world_size: (gpusPerNode as number) / pod }),
      ...torchrec.topology,
    },
    ...(devices && { devices }),
    tables: tables.map((table) => (isPlain(table) ? inTorchrecWords(table) : withoutDevices(table))),
  };
  const within = (path: Path): Path => (path[0] === "tables" ? path : ["torchrec", ...path]);
  return {
    file: document.file,
    value,
    pathOf: within,
    textAt: (path) => document.textAt(within(path)),
    placeOf: (path) => document.placeOf(within(path)),
    placeOfKey: (path) => document.placeOfKey(within(path)),
  };
}

function inTorchrecWords(table: TorchrecTableInput): object {
  const { name, rows, dim, dataType = "fp32", poolingFactor, extraBytesPerRow } = table as PlainTableInput;
  return given({
    name,
    num_embeddings: rows,
    embedding_dim: dim,
    dtype: dataType.toUpperCase(),
    pooling_factors: poolingFactor === undefined ? undefined : [poolingFactor],
    extraBytesPerRow,
  });
}

/** All that TorchRec knows of; where a table may go and how its rows are read is this program's own. */
function withoutDevices({ devices: _, distinctDevices: ___, access: __, ...table }: TorchrecTableInput): object {
  return table;
}
