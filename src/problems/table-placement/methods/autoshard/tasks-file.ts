import { createHash } from "node:crypto";
import { z } from "zod";
import type { NetworkTable } from "../../../../cost/neural/features.js";
import { dataType, readTables, unknownTables } from "../../../../cost/neural/read-data.js";
import { readText } from "../../../../input/files.js";
import { ELEMENT_BYTES } from "../../../../instance/data-type.js";
import { readDocument } from "../../../../instance/document.js";
import { type Finding, throwFindings } from "../../../../instance/findings.js";
import { resolveBeside } from "../../../../instance/load.js";
import { positiveInteger, text } from "../../../../instance/schema/fields.js";
import { shaped } from "../../../../instance/schema/issues.js";
import { withUnit } from "../../../../instance/schema/quantities.js";

/** Tables to place on so many equal devices, task by task. The file's format is in instances/costs/README.md. */
export interface PlacementTasks {
  readonly file: string;
  /** SHA-256 of the file's bytes and those of its list of tables, lower-case hexadecimal. */
  readonly sha256: string;
  readonly source: string;
  readonly devices: number;
  /** Bytes of memory of a device; `null` where it does not limit. */
  readonly hbmBytes: number | null;
  /** What is learned from, at least one. */
  readonly train: readonly (readonly NetworkTable[])[];
  /** What a policy is measured by. */
  readonly test: readonly (readonly NetworkTable[])[];
}

const task = z.array(z.int().min(0).describe("number of a table, from 0")).min(1).describe("numbers of tables");

const schema = z.strictObject({
  shardproof: z.literal(1).describe("1, the version of the format"),
  kind: z.literal("placement-tasks").describe("placement-tasks"),
  source: z.string().default("").describe("where the tasks come from"),
  tables: z
    .strictObject({
      file: text("CSV file of the tables"),
      dimOfTable: z.array(positiveInteger("elements per row")).describe("the width of each table of the file"),
      dataType,
    })
    .describe("file, dimOfTable, dataType"),
  devices: positiveInteger("devices"),
  hbmBytesPerGpu: withUnit("bytes", positiveInteger("bytes of memory of each device")).optional(),
  train: z.array(task).min(1).describe("tasks to learn from"),
  test: z.array(task).default([]).describe("tasks to measure by"),
});

/**
 * Reads a file of placement tasks, and the list of tables that it names. Throws `InputError` when a file cannot be read or is
 * not of the format.
 */
export async function loadTasks(file: string): Promise<PlacementTasks> {
  const written = await readText(file);
  const document = readDocument(written, file);
  const { source, devices, hbmBytesPerGpu, train, test, tables } = shaped(document, schema);
  const listed = resolveBeside(file, tables.file);
  const list = await readText(listed);
  const shapes = readTables(list, listed);
  const unknown = Object.entries({ train, test }).flatMap(([key, lists]) =>
    lists.flatMap((numbers, i) => unknownTables(numbers, shapes.length, [key, i])),
  );
  throwFindings(document, [...widthFindings(tables.dimOfTable, shapes.length), ...unknown]);
  const elementBytes = ELEMENT_BYTES[tables.dataType];
  const known = shapes.map((shape, t) => ({ ...shape, dim: tables.dimOfTable[t] as number, elementBytes }));
  const tablesOf = (numbers: readonly number[]) => numbers.map((t) => known[t] as NetworkTable);
  return {
    file,
    sha256: createHash("sha256").update(written).update(list).digest("hex"),
    source,
    devices,
    hbmBytes: hbmBytesPerGpu ?? null,
    train: train.map(tablesOf),
    test: test.map(tablesOf),
  };
}

/** What files and results that come of tasks say of them. */
export interface TasksOrigin {
  readonly tasks: Pick<PlacementTasks, "file" | "sha256" | "devices"> & {
    /** How many. */
    readonly train: number;
    readonly test: number;
  };
}

export function originOf({ file, sha256, train, test, devices }: PlacementTasks): TasksOrigin {
  return { tasks: { file, sha256, train: train.length, test: test.length, devices } };
}

function widthFindings(dims: readonly number[], tables: number): Finding[] {
  if (dims.length === tables) return [];
  const message = `expected ${tables} widths, one for each table of the file, received ${dims.length}`;
  return [{ path: ["tables", "dimOfTable"], message }];
}
