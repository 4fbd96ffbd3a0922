import { z } from "zod";
import { type PlacedDocument, readDocument } from "../../../instance/document.js";
import { type RefuseFrom, readFromFile, readPlanFrom, refusingFrom } from "../../../instance/from-files.js";
import { hashOfAll, resolveBeside } from "../../../instance/load.js";
import { hashOf } from "../../../instance/parse.js";
import type { InstanceReader } from "../../../instance/reader.js";
import {
  type RowRun,
  type RowsFrom,
  type RowTiersInstance,
  type Table,
  type TableFrom,
  TIERS,
} from "../../../instance/types/row-tiers.js";
import type { RowTiersInput } from "./schema.js";

/** What is read of a plan file; whatever else is in it does not matter here. */
const planPart = z.looseObject({
  problem: z.literal("row-tiers"),
  instance: z.looseObject({ name: z.string(), sha256: z.string().optional() }).optional(),
  tables: z.array(
    z.looseObject({
      name: z.string(),
      runs: z.array(z.tuple([z.int().min(1), z.enum(TIERS)])).min(1),
    }),
  ),
});

/** Enough of an instance to say that a file is meant as one. */
const instancePart = z.looseObject({
  problem: z.literal("row-tiers"),
  from: z.unknown().optional(),
  goals: z.unknown().optional(),
});

type FromInput = NonNullable<RowTiersInput["from"]>;

/** The instance that a plan is read for. */
export interface Reading {
  readonly instance: Omit<RowTiersInstance, "from">;
  /** Reads the plan's own instance. */
  readonly read: InstanceReader<RowTiersInstance>["read"];
}

/**
 * Reads the plan that says where the rows are now, and its instance where one is named. `sha256` becomes the hash of all
 * files. Throws `InputError` at the place of the key where a file is none, or where nobody can say which rows are which.
 */
export function readRowsFrom(
  document: PlacedDocument,
  input: FromInput,
  { instance, read }: Reading,
): { readonly from: RowsFrom; readonly sha256: string } {
  const refuse = refusingFrom(document);
  const { plan, text } = readPlanFrom(document, input.plan, planPart, { problem: "row-tiers", has: "runs of rows" });
  const old = input.instance === undefined ? null : readInstance(document, input.instance, read, refuse);
  if (old !== null) {
    if (old.instance.name !== plan.instance?.name || (old.isAlone && old.instance.sha256 !== plan.instance.sha256)) {
      refuse("instance", `expected the instance of the plan ${input.plan}, received another; name that one`);
    }
    const [now, then] = [instance.cluster, old.instance.cluster];
    if (now.nodes !== then.nodes || now.gpusPerNode !== then.gpusPerNode) {
      refuse(
        "instance",
        `expected a plan on ${now.nodes} nodes of ${now.gpusPerNode} GPUs, as this instance has, received one on ${then.nodes} of ${then.gpusPerNode}: on other GPUs every shard moves; leave from out`,
      );
    }
  }
  if (!instance.tables.some(({ name }) => plan.tables.some((table) => table.name === name))) {
    refuse("plan", "expected a plan that has tables of this instance, received one that has none; name another plan");
  }
  const tables = instance.tables.map((table): TableFrom | null => {
    const written = plan.tables.find(({ name }) => name === table.name);
    if (written === undefined) return null;
    const runs = written.runs.map(([rows, tier]): RowRun => ({ rows, tier }));
    const was = old?.instance.tables.find(({ name }) => name === table.name);
    if (old?.isMoved === true && was?.access.kind === "counts") {
      // There rows that are read alike stand in the order of tiers that a plan before had them in.
      return refuse(
        "instance",
        `expected an instance that moves from no plan itself, received one that does: its order of the rows of ${JSON.stringify(table.name)} is not that of their counts alone; plan that one without from, or leave from out`,
      );
    }
    const told = knownBy(table, was, old?.file ?? "", input.order);
    if (typeof told === "string") return refuse(input.instance === undefined ? "plan" : "instance", told);
    const rows = runs.reduce((sum, run) => sum + run.rows, 0);
    const expected = told.by === "counts" ? told.rows : table.rows;
    if (rows !== expected) {
      refuse(
        "plan",
        `expected the ${expected} rows of ${JSON.stringify(table.name)}, received runs of ${rows}; ${told.by === "counts" ? "name another plan" : "give the counts of both by row id, or another name to the table"}`,
      );
    }
    return { ...told, runs };
  });
  return {
    from: {
      plan: input.plan,
      tables,
      mostMovedRows: input.mostMovedRows ?? null,
      mostMovedBytes: input.mostMovedBytes ?? null,
    },
    sha256: hashOfAll([instance.sha256, hashOf(text), ...(old === null ? [] : [hashOf(old.text)])]),
  };
}

/** By what the rows of a table are known again; a message where nothing says. */
function knownBy(table: Table, was: Table | undefined, oldFile: string, order: "same" | undefined) {
  if (was !== undefined && (was.dim !== table.dim || was.elementBytes !== table.elementBytes)) {
    return `expected rows as wide as those of ${JSON.stringify(table.name)} now, received ones of another width, which cannot be kept; give the table another name`;
  }
  if (was?.access.kind === "counts" && table.access.kind === "counts") {
    const { file, samples } = was.access;
    return { by: "counts", file: resolveBeside(oldFile, file), samples, rows: was.rows } as const;
  }
  if (was !== undefined && was.rows === table.rows && JSON.stringify(was.access) === JSON.stringify(table.access)) {
    return { by: "same-access" } as const;
  }
  if (order === "same") return { by: "order" } as const;
  return `expected to be told which rows of ${JSON.stringify(table.name)} are which, received no more than ${was === undefined ? "a plan by the order of access" : "how often rows are read"}; give the counts of both by row id (and from.instance), or say order: same where the rows are in the same order as then`;
}

/** The instance that a plan is of; what it moved from itself, and its goals, do not matter any more. */
function readInstance(document: PlacedDocument, path: string, read: Reading["read"], refuse: RefuseFrom) {
  const text = readFromFile(document, "instance", path, "an instance file");
  const file = resolveBeside(document.file, path);
  const own = readDocument(text, file);
  const parsed = instancePart.safeParse(own.value);
  const {
    from,
    goals: _,
    ...value
  } = parsed.data ??
  refuse("instance", `expected an instance of row-tiers, received ${path}, which is none; name another file`);
  const instance = read({ ...own, value }, hashOf(text));
  const isAlone = from === undefined && instance.tables.every(({ access }) => access.kind !== "counts");
  return { instance, text, file, isAlone, isMoved: from !== undefined };
}
