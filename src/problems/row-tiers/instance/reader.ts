import { accessOf, countsFilesOf } from "../../../instance/access-of.js";
import type { Cluster } from "../../../instance/cluster.js";
import { ELEMENT_BYTES } from "../../../instance/data-type.js";
import { throwFindings } from "../../../instance/findings.js";
import type { InstanceReader } from "../../../instance/reader.js";
import { shaped } from "../../../instance/schema/issues.js";
import type { RowTiersBudget, RowTiersInstance, Table } from "../../../instance/types/row-tiers.js";
import { checkBandwidths, checkGoals, checkHost, checkTables, checkTiers } from "./checks.js";
import { readRowsFrom } from "./from.js";
import { type RowTiersInput, rowTiersSchema } from "./schema.js";

/** Instances of `problem: row-tiers`. */
export const rowTiersReader: InstanceReader<RowTiersInstance> = {
  problem: "row-tiers",
  schemas: [rowTiersSchema],
  read(document, sha256) {
    const input = shaped(document, rowTiersSchema);
    throwFindings(document, [
      ...checkTiers(input.tiers),
      ...checkBandwidths(input),
      ...checkHost(input),
      ...checkGoals(input),
      ...checkTables(input.tables),
    ]);
    const instance: RowTiersInstance = {
      problem: "row-tiers",
      name: input.name,
      ...(input.source === undefined ? {} : { source: input.source }),
      cluster: clusterOf(input.cluster),
      training: input.training,
      tiers: input.tiers,
      budget: budgetOf(input.budget),
      objective: input.objective,
      ...(input.goals === undefined ? {} : { goals: input.goals }),
      granularity: input.granularity,
      tables: input.tables.map(tableOf),
      file: document.file,
      sha256,
    };
    if (input.from === undefined) return instance;
    return { ...instance, ...readRowsFrom(document, input.from, { instance, read: rowTiersReader.read }) };
  },
  namedFiles: ({ tables, from }) => [
    ...countsFilesOf(tables),
    // Then by which a plan to move from knows its rows.
    ...(from?.tables ?? []).flatMap((table) =>
      table?.by === "counts" ? [{ name: table.file, at: ["from", "instance"] }] : [],
    ),
  ],
};

function clusterOf({ bandwidth, latency, ...rest }: RowTiersInput["cluster"]): Cluster {
  const { allToAllGlobal = 0, allToAllIntra = 0, allReduceGlobal = 0, allReduceCross = 0, hostToDevice = 0 } = latency;
  return {
    ...withoutUndefined(rest),
    bandwidth: withoutUndefined(bandwidth),
    latency: { allToAllGlobal, allToAllIntra, allReduceGlobal, allReduceCross, hostToDevice },
  };
}

function budgetOf(budget: RowTiersInput["budget"]): RowTiersBudget {
  if (budget === "memory-neutral") return { kind: "memory-neutral" };
  if ("bytesPerGpu" in budget) return { kind: "bytesPerGpu", bytes: budget.bytesPerGpu };
  return { kind: "extraBytesPerGpu", bytes: budget.extraBytesPerGpu };
}

function tableOf({ name, rows, dim, dataType, access }: RowTiersInput["tables"][number]): Table {
  return { name, rows, dim, dataType, elementBytes: ELEMENT_BYTES[dataType], access: accessOf(access) };
}

type WithoutUndefined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Keys whose value is undefined stand for keys that are not there. */
function withoutUndefined<T extends object>(value: T): WithoutUndefined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as WithoutUndefined<T>;
}
