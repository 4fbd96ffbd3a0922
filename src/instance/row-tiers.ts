import { checkTables } from "./checks/tables.js";
import { checkBandwidths, checkHost, checkTiers } from "./checks/tiers.js";
import { ELEMENT_BYTES } from "./data-type.js";
import type { PlacedDocument } from "./document.js";
import { throwFindings } from "./findings.js";
import type { Access, Cluster, RowTiersBudget, RowTiersInstance, Table } from "./instance.js";
import type { AccessInput } from "./schema/access.js";
import { findingsOfIssues } from "./schema/issues.js";
import { type RowTiersInput, rowTiersSchema } from "./schema/row-tiers.js";

/** Reads `problem: row-tiers`. Throws `InputError` at the first thing that the schema or a check has against it. */
export function readRowTiers(document: PlacedDocument, sha256: string): RowTiersInstance {
  const parsed = rowTiersSchema.safeParse(document.value, { reportInput: true });
  if (!parsed.success) {
    throwFindings(document, findingsOfIssues(parsed.error.issues, rowTiersSchema));
    throw parsed.error;
  }
  const input = parsed.data;
  throwFindings(document, [
    ...checkTiers(input.tiers),
    ...checkBandwidths(input),
    ...checkHost(input),
    ...checkTables(input.tables),
  ]);
  return {
    problem: "row-tiers",
    name: input.name,
    ...(input.source === undefined ? {} : { source: input.source }),
    cluster: clusterOf(input.cluster),
    training: input.training,
    tiers: input.tiers,
    budget: budgetOf(input.budget),
    objective: input.objective,
    granularity: input.granularity,
    tables: input.tables.map(tableOf),
    file: document.file,
    sha256,
  };
}

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

/** `checkAccess` has made sure that one kind is there. */
function accessOf({ histogram, coverage, zipfMandelbrot, counts }: AccessInput): Access {
  if (histogram) return { kind: "histogram", bins: histogram };
  if (coverage) {
    const points = coverage.points.map(([rows, share, appearances]) =>
      appearances === undefined ? { rows, share } : { rows, share, appearances },
    );
    return { kind: "coverage", meanLength: coverage.meanLength, points };
  }
  if (zipfMandelbrot) return { kind: "zipfMandelbrot", ...zipfMandelbrot };
  return { kind: "counts", ...(counts as NonNullable<typeof counts>) };
}

type WithoutUndefined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Keys whose value is undefined stand for keys that are not there. */
function withoutUndefined<T extends object>(value: T): WithoutUndefined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as WithoutUndefined<T>;
}
