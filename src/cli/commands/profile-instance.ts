import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import type { Preset } from "../../init/presets.js";
import { skeleton } from "../../init/skeleton.js";
import { readText } from "../../input/files.js";
import { readDocument } from "../../instance/document.js";
import { parseInstance } from "../../problems/instances.js";
import { type Profile, writeCountsCsv } from "../../profile/profile.js";
import type { LogProfile } from "../../profile/profile-columns.js";
import { writeOutput } from "../terminal/streams.js";
import type { ProfileCommandOptions } from "./profile-options.js";

/** The instance that is to be filled in. */
export interface Base {
  readonly text: string;
  /** Names of its tables, and the rows of those that say them. */
  readonly tables: readonly string[];
  readonly rows: Readonly<Record<string, number>>;
  /** What a table has that is not there yet; `null`: none is added. */
  readonly added: { readonly dim: number; readonly dataType: string } | null;
}

/** Reads the instance, or makes one of a preset whose tables will be the columns. Throws `InputError`. */
export async function baseOf(file: string | undefined, preset: Preset, options: ProfileCommandOptions): Promise<Base> {
  if (file === undefined) {
    const document = parseDocument(skeleton("row-tiers", preset));
    document.set("tables", []);
    const { dim = 1, dataType = "fp32" } = options;
    return { text: document.toString({ lineWidth: 0 }), tables: [], rows: {}, added: { dim, dataType } };
  }
  const text = await readText(file, "an instance file");
  const { value } = readDocument(text, file);
  const list = (value as { readonly tables?: unknown } | null)?.tables;
  const tables = (Array.isArray(list) ? list : []) as { readonly name?: unknown; readonly rows?: unknown }[];
  if (tables.length === 0 || tables.some((table) => typeof table?.name !== "string")) {
    throw new InputError("tables: expected tables with names, which are the log's columns, received none", file);
  }
  const rows = tables.flatMap(({ name, rows }) => (typeof rows === "number" ? [[name as string, rows] as const] : []));
  return { text, tables: tables.map(({ name }) => name as string), rows: Object.fromEntries(rows), added: null };
}

/**
 * Writes the instance with what was counted, its counts in a folder beside it. Comments stay. Throws `InputError` where
 * that is no instance, or a column is of no table.
 */
export async function writeCountedInstance(out: string, base: Base, profile: LogProfile): Promise<void> {
  const document = parseDocument(base.text);
  const tables = document.get("tables") as YAMLSeq;
  const isPlacement = document.get("problem") === "table-placement";
  const folder = `${basename(out).replace(/\.(ya?ml|json)$/i, "")}-counts`;
  for (const { name, profile: own } of profile.columns) {
    const table = tableOf(document, tables, name, base, out);
    if (!table.has("rows")) table.set("rows", own.rows);
    if (isPlacement) table.set("poolingFactor", own.meanLength);
    else fillAccess(document, table, join(folder, `${fileName(name)}.csv`), own);
  }
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  parseInstance(text, out);
  if (!isPlacement) await writeCounts(join(dirname(out), folder), profile);
  await writeOutput(out, text);
}

function tableOf(document: Document, tables: YAMLSeq, name: string, base: Base, out: string): YAMLMap {
  const found = isSeq(tables) ? tables.items.find((item) => isMap(item) && item.get("name") === name) : undefined;
  if (found !== undefined) return found as YAMLMap;
  if (base.added === null) {
    const message = `column "${name}": expected a table of this name in the instance, received none; name it TABLE=${name}`;
    throw new InputError(message, out);
  }
  const table = document.createNode({ name }, { flow: true }) as YAMLMap;
  table.set("dim", base.added.dim);
  table.set("dataType", base.added.dataType);
  tables.add(table);
  tables.flow = false;
  return table;
}

function fillAccess(document: Document, table: YAMLMap, file: string, { samples }: Profile): void {
  table.set("access", document.createNode({ counts: { file, samples } }, { flow: true }));
}

async function writeCounts(folder: string, { columns }: LogProfile): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw fileError(error, folder, "a folder that can be made", { kind: "folder", advice: "check the path" });
  });
  for (const { name, profile } of columns) {
    await writeOutput(join(folder, `${fileName(name)}.csv`), writeCountsCsv(profile));
  }
}

/** A name that is a file's name on any system. */
function fileName(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : encodeURIComponent(name).replaceAll("%", "_");
}
