import { basename, extname } from "node:path";
import { instanceCosts } from "../../cost/placement/table-costs.js";
import { featuresThatTellShapes } from "../../cost/placement/table-shapes.js";
import { readPlacedTorchrecProblem } from "../../cost/torchrec/read-problem.js";
import { withoutNulls } from "../../cost/torchrec/values.js";
import { isMap } from "../../input/json.js";
import { type PlacedDocument, readDocument } from "../../instance/document.js";
import { parseWith } from "../../instance/parse.js";
import type { ShardingOption, TablePlacementInstance } from "../../instance/types/table-placement.js";
import { recordedConstraints, type TableConstraints } from "../../interop/torchrec/recorded-space.js";
import { tablePlacementReader } from "./instance/reader.js";

/** An instance file's contents, as they are written. */
export type InstanceFile = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly costModel: string;
  readonly tables: readonly { readonly name: string; readonly options?: readonly ShardingOption[] | undefined }[];
};

export interface ImportOptions {
  /** Write the enumerated options with their costs and bytes, rather than what they follow from. */
  readonly expand?: boolean;
}

type ProblemValue = Readonly<Record<string, unknown>> & {
  readonly topology?: Readonly<Record<string, unknown>>;
  readonly devices?: unknown;
  readonly tables: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
};

/**
 * A TorchRec problem (JSON or YAML, in TorchRec's own snake_case names) as an instance of table placement: with the cost
 * model `torchrec`, or with `expand` every sharding type × kernel that TorchRec enumerates, with its milliseconds and bytes
 * (the cost model `options`). Both have the same plans.
 *
 * What is missing has TorchRec's defaults: bandwidths, memory of the devices, one host for all ranks. `world_size` may be
 * left out where `devices` lists the ranks.
 *
 * ```ts
 * import { importTorchrecProblem, instanceText } from "shardproof/torchrec";
 *
 * const instance = importTorchrecProblem(await readFile("problem.json", "utf8"), "problem.json");
 * await writeFile("instance.yaml", instanceText(instance, "yaml"));
 * ```
 *
 * Throws `InputError` with its place for what is no such problem: unknown keys (with the nearest known one), values of
 * another type, numbers that do not fit together.
 */
export function importTorchrecProblem(text: string, file: string, options: ImportOptions = {}): InstanceFile {
  return importTorchrecDocument(readDocument(text, file), options);
}

/** {@link importTorchrecProblem} for a text that is read already. */
export function importTorchrecDocument(read: PlacedDocument, { expand = false }: ImportOptions = {}): InstanceFile {
  const document = withWorldSize(read);
  readPlacedTorchrecProblem(document);
  const constraints = recordedConstraints(document, (document.value as { readonly space?: unknown }).space);
  const instance = instanceOf(document.file, withoutNulls(document.value) as ProblemValue, constraints);
  return expand ? expanded(instance, document.file) : instance;
}

/** The problem with as many ranks as devices are listed, where it does not say. */
function withWorldSize(document: PlacedDocument): PlacedDocument {
  const { value } = document;
  if (!isMap(value) || !Array.isArray(value.devices)) return document;
  const { topology = {}, devices } = value;
  if (topology !== null && !isMap(topology)) return document;
  if (topology?.world_size !== undefined && topology.world_size !== null) return document;
  return { ...document, value: { ...value, topology: { ...topology, world_size: devices.length } } };
}

function instanceOf(
  file: string,
  problem: ProblemValue,
  constraints: ReadonlyMap<string, TableConstraints>,
): InstanceFile {
  // The others describe what was recorded of the problem.
  const { tables, id, note, space: _, optimum: _o, torchrec_default: _d, torchrec_dp: _p, ...torchrec } = problem;
  const name = typeof id === "string" && id !== "" ? id : nameOf(file);
  return {
    shardproof: 1,
    name,
    problem: "table-placement",
    source:
      typeof note === "string" ? note : `a TorchRec problem, imported from ${file === "-" ? "standard input" : file}`,
    costModel: "torchrec",
    torchrec,
    tables: tables.map((table) => ({ ...table, ...constraints.get(table.name), ...table })),
  };
}

function nameOf(file: string): string {
  return file === "-" ? "torchrec" : basename(file, extname(file));
}

/** The same instance with every option written out. */
function expanded(file: InstanceFile, path: string): InstanceFile {
  const instance = parseWith([tablePlacementReader], JSON.stringify(file), path);
  const { hbmBytes, hostBytes, ssdBytes, tables } = instanceCosts(instance);
  const { nodes, gpusPerNode } = instance.cluster;
  const { shardproof, name, problem, source } = file;
  return {
    shardproof,
    name,
    problem,
    source,
    costModel: "options",
    costUnit: instance.costUnit,
    cluster: {
      nodes,
      gpusPerNode,
      hbmBytesPerGpu: shortest(hbmBytes),
      ...(hostBytes === null ? {} : { hostBytesPerGpu: shortest(hostBytes) }),
      ...(ssdBytes === undefined ? {} : { ssdBytesPerGpu: shortest(ssdBytes) }),
    },
    tables: featuresOf(instance).map((features, t) => ({ ...features, options: tables[t]?.options })),
  };
}

function featuresOf(instance: TablePlacementInstance): readonly { readonly name: string }[] {
  const known = featuresThatTellShapes(instance);
  return instance.tables.map(({ name }, t) => ({ name, ...known[t] }));
}

/** One number where all devices have the same. */
function shortest(bytes: readonly number[]): number | readonly number[] {
  return new Set(bytes).size === 1 ? (bytes[0] as number) : bytes;
}
