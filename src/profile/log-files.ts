import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlText } from "../access/duckdb/open.js";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { arrowAsParquet } from "./arrow-log.js";
import { decodedText, encodingOf } from "./decoded-text.js";
import { jsonAsParquet } from "./json-log.js";
import { npyAsParquet } from "./npy-log.js";
import type { LogFormat, ProfileOptions } from "./options.js";
import { isZstandard, type LogFile } from "./raw-lines.js";

/** The files of a log, as they are to be read. */
export interface ListedFiles {
  readonly isText: boolean;
  readonly files: readonly LogFile[];
}

type Read = (
  connection: DuckDBConnection,
  names: readonly string[],
  options: ProfileOptions,
  folder: string,
) => Promise<readonly LogFile[]>;

/** How files of each kind are made such: as they are, or copied into a folder. */
const READ: Readonly<Record<Kind, Read>> = {
  text: (_, names, options, folder) => textFiles(names, options, folder),
  parquet: async (_, names) => names.map((name) => ({ name, path: name })),
  json: jsonAsParquet,
  npy: npyAsParquet,
  arrow: arrowAsParquet,
};

type Kind = "text" | "parquet" | "json" | "npy" | "arrow";

/**
 * The files that names, folders and patterns (`*`, `?`, `**`) stand for: in the order given, those of a folder or a pattern
 * by name, without those that begin with `_` or `.`, in which systems keep their own. What is neither text nor Parquet is
 * copied into `folder` as Parquet.
 *
 * Throws `InputError` when there is none, a name does not say its format, or formats differ.
 */
export async function logFiles(
  connection: DuckDBConnection,
  patterns: readonly string[],
  options: ProfileOptions,
  folder: string,
): Promise<ListedFiles> {
  const found: string[] = [];
  for (const pattern of patterns) found.push(...(await filesOf(connection, pattern)));
  if (found.length === 0) throw new InputError("expected a log of accesses, received no file");
  const names = [...new Set(found)];
  const kind = kindOf(names, options.format);
  if (kind !== "text" && options.encoding !== undefined) {
    throw new InputError(`expected text beside --encoding, received ${NAMES[kind]}, whose texts are UTF-8`, names[0]);
  }
  return { isText: kind === "text", files: await READ[kind](connection, names, options, folder) };
}

async function filesOf(connection: DuckDBConnection, pattern: string): Promise<string[]> {
  const found = await stat(pattern).catch((error: Error) => error);
  if (!(found instanceof Error) && !found.isDirectory()) return [pattern];
  const isFolder = !(found instanceof Error);
  if (!isFolder && !/[*?[]/.test(pattern)) {
    throw fileError(found, pattern, "a log that can be read", { advice: "check the path" });
  }
  const files = isFolder ? `${pattern.replace(/[*?[]/g, "[$&]").replace(/\/+$/, "")}/**` : pattern;
  const rows = (await connection.runAndReadAll(`SELECT file FROM glob(${sqlText(files)}) ORDER BY file`)).getRows();
  const all = rows.map(([file]) => String(file));
  const names = all.filter((file) => !isOwn(isFolder ? relative(pattern, file) : basename(file)));
  if (names.length > 0) return names;
  const received =
    all.length > 0 ? "those that begin with _ or . alone" : isFolder ? "an empty one" : "one that no file matches";
  const expected = `expected a ${isFolder ? "folder" : "pattern"} of files`;
  throw new InputError(`${expected}, received ${received}; check the path`, pattern);
}

/** Whether a file is a system's own: `_SUCCESS`, `_metadata`, `.part-0.parquet.crc`, and what lies in such a folder. */
function isOwn(path: string): boolean {
  return /(^|[\\/])[_.]|\.crc$/.test(path);
}

/** The kind of all files. Throws `InputError` when a name does not say it, or they differ. */
function kindOf(files: readonly string[], asked: LogFormat | undefined): Kind {
  if (asked !== undefined) return asked === "csv" || asked === "tsv" ? "text" : asked;
  const kinds = files.map(kindByName);
  const [first] = kinds as [Kind];
  const other = kinds.findIndex((kind) => kind !== first);
  if (other === -1) return first;
  const message = `expected files of one format, received ${NAMES[first]} and ${NAMES[kinds[other] as Kind]}; name those of one, as in "DIR/*${/\.\w+$/.exec(files[0] as string)?.[0] ?? ""}"`;
  throw new InputError(message, files[other]);
}

const NAMES: Readonly<Record<Kind, string>> = {
  text: "text",
  parquet: "Parquet",
  json: "JSON",
  npy: "NumPy arrays",
  arrow: "Arrow",
};

const EXTENSIONS: readonly (readonly [RegExp, Kind])[] = [
  [/\.(parquet|pq)$/, "parquet"],
  [/\.(json|jsonl|ndjson)$/, "json"],
  [/\.(npy|npz)$/, "npy"],
  [/\.(arrows?|feather|ipc)$/, "arrow"],
  [/\.(csv|tsv|txt)$/, "text"],
];

function kindByName(file: string): Kind {
  const name = file.toLowerCase().replace(/\.(gz|zst)$/, "");
  const known = EXTENSIONS.find(([extension]) => extension.test(name));
  if (known !== undefined) return known[1];
  // What is packed, whatever its name before, is text.
  if (name.length < file.length) return "text";
  const advice = PACKED.test(name)
    ? "unpack it first, or pack it by gzip or zstd"
    : "say --format csv, tsv, json, parquet, npy or arrow";
  const message = `expected a file whose name ends in .csv, .tsv, .txt, .jsonl, .parquet, .npy, .npz, .arrow or .feather (text and JSON also with .gz or .zst), received another; ${advice}`;
  throw new InputError(message, file);
}

const PACKED = /\.(bz2|xz|zip|7z|lz4|tar|tgz|br|snappy)$/;

/**
 * The files of a log in UTF-8: as they are, or copied into `folder` from the encoding that was asked for. Throws
 * `InputError` where a file is not of that encoding.
 */
async function textFiles(
  names: readonly string[],
  { encoding = "utf-8", signal }: ProfileOptions,
  folder: string,
): Promise<readonly LogFile[]> {
  const known = encodingOf(encoding);
  if (known === "utf-8") return names.map((name) => ({ name, path: name }));
  const packed = names.find(isZstandard);
  if (packed !== undefined) {
    throw new InputError("expected text that is not packed, or by gzip, beside --encoding; unpack it first", packed);
  }
  const files: LogFile[] = [];
  for (const name of names) {
    const path = join(folder, `utf-8-${files.length}`);
    await pipeline(decodedText(name, known), createWriteStream(path), signal === undefined ? {} : { signal });
    files.push({ name, path });
  }
  return files;
}
