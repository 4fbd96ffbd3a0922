import { z } from "zod";
import { InputError } from "../../errors/input-error.js";
import { parseJson } from "../../input/json.js";
import { ELEMENT_BYTES, TIERS } from "../../instance/instance.js";

const rows = z.int().min(1);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A name beside the manifest, never a path out of the folder. */
const fileName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/);

const tierTable = z.strictObject({
  name: z.string(),
  table: z.string(),
  tier: z.enum(TIERS),
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
  tables: z.array(
    z.strictObject({
      name: z.string(),
      rows,
      order: z.enum(["counts", "rank-file", "identity"]),
      embeddingTables: z.array(tierTable),
      files,
    }),
  ),
});

/**
 * What stands in a remap's folder, in its file `manifest.json`: per table of the instance its row count, what the order
 * of its rows by access comes from, the embedding tables (at most one per tier) that its rows go to, and the files that
 * hold each row id's tier and index. `tierCodes` says what the numbers of tiers in those files mean.
 */
export type RemapManifest = z.output<typeof manifestSchema>;
export type RemapTable = RemapManifest["tables"][number];
export type RemapFormat = RemapManifest["format"];

export const MANIFEST = "manifest.json";

/** Reads a manifest's text. Throws `InputError` when it is none. */
export function parseManifest(text: string, file: string): RemapManifest {
  let json: unknown;
  try {
    json = parseJson(text, file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError("expected the manifest of a remap (JSON), received text that is not JSON", file);
  }
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as (typeof parsed.error.issues)[number];
  const at = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  const advice = "export the plan again";
  throw new InputError(
    `expected the manifest of a remap; ${at}${issue.message.replace(/^Invalid input: /, "")}; ${advice}`,
    file,
  );
}
