import { z } from "zod";
import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { readNamedText } from "../../input/files.js";
import { readJson } from "../../input/json.js";
import { ELEMENT_BYTES } from "../../instance/data-type.js";
import { TIERS } from "../../instance/types/row-tiers.js";
import { listOf } from "../../plan-file/fields.js";

const rows = z.int().min(1);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A name beside the manifest, never a path out of the folder. */
const fileName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/);

/** The parts of a table whose hottest rows are on every device. */
export const PARTS = ["hot", "cold"] as const;

const tierTable = z.strictObject({
  name: z.string(),
  table: z.string(),
  tier: z.enum([...TIERS, ...PARTS]),
  rows,
  dim: z.int().min(1),
  dataType: z.enum(Object.keys(ELEMENT_BYTES) as [keyof typeof ELEMENT_BYTES]),
  bytes: z.number(),
});

const array = z.strictObject({ file: fileName, dataType: z.enum(["|u1", "<u4", "<i8"]), sha256 });

const files = z.union([
  z.strictObject({ tier: array, index: array }),
  z.strictObject({ parquet: z.strictObject({ file: fileName, sha256 }) }),
]);

const manifestSchema = z.strictObject({
  shardproof: z.literal(1),
  kind: z.literal("remap"),
  instance: z.strictObject({ name: z.string(), sha256, file: z.string() }),
  plan: z.strictObject({ method: z.string(), status: z.string(), digest: sha256 }),
  format: z.enum(["npy", "parquet"]),
  indexOrder: z.enum(["falling", "spread"]),
  tierCodes: z.record(z.string(), z.int()),
  tables: listOf(
    z.strictObject({
      name: z.string(),
      rows,
      order: z.enum(["counts", "rank-file", "identity"]),
      embeddingTables: listOf(tierTable),
      files,
      /** Rows that were in another tier before: their ids, and both tiers (`tierCodes`). */
      delta: z.strictObject({ rows: z.int().min(0), row: array, from: array, to: array }).optional(),
    }),
  ),
});

/**
 * What stands in a remap's folder, in its file `manifest.json`: per table of the instance its row count, what the order
 * of its rows by access comes from, the embedding tables (at most one per tier; of a placement the `hot` rows and the others, `cold`) that its rows go to, and the files that
 * hold each row id's tier and index. `tierCodes` says what the numbers of tiers in those files mean.
 */
export type RemapManifest = z.output<typeof manifestSchema>;
export type RemapTable = RemapManifest["tables"][number];
export type RemapFormat = RemapManifest["format"];

export const MANIFEST = "manifest.json";

/** Reads a manifest. Throws `InputError` when it is none, or cannot be read. */
export function readManifest(file: string): RemapManifest {
  const text = textOf(file);
  const parsed = manifestSchema.safeParse(readJson(text, file, "the manifest of a remap"));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as (typeof parsed.error.issues)[number];
  const at = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  const advice = "export the plan again";
  throw new InputError(
    `expected the manifest of a remap; ${at}${issue.message.replace(/^Invalid input: /, "")}; ${advice}`,
    file,
  );
}

/** Throws the file system's error as an `InputError` about a file of a remap. */
export function refuseFile(error: unknown, path: string): never {
  throw fileError(error, path, "a file of a remap that can be read");
}

function textOf(file: string): string {
  try {
    return readNamedText(file);
  } catch (error) {
    return refuseFile(error, file);
  }
}
