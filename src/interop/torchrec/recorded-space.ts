import { z } from "zod";
import type { PlacedDocument } from "../../instance/document.js";
import { throwFindings } from "../../instance/findings.js";
import { findingsOfIssues } from "../../instance/schema/issues.js";

const spaceSchema = z.record(
  z.string(),
  z.array(z.looseObject({ sharding_type: z.string(), kernel: z.string() })).describe("options, each with its names"),
);

/** What TorchRec's constraints on a table allow. */
export interface TableConstraints {
  readonly sharding_types?: readonly string[];
  readonly compute_kernels?: readonly string[];
}

/**
 * A recorded problem lists under `space` the options of each table that TorchRec enumerated. Where its tables do not repeat
 * the constraints that this was under, they follow from it: by table name, the sharding types and the kernels recorded.
 * Throws `InputError` for a `space` of another form.
 */
export function recordedConstraints(document: PlacedDocument, space: unknown): ReadonlyMap<string, TableConstraints> {
  if (space === undefined) return new Map();
  const parsed = spaceSchema.safeParse(space, { reportInput: true });
  if (!parsed.success) {
    const findings = findingsOfIssues(parsed.error.issues, spaceSchema);
    throwFindings(
      document,
      findings.map((finding) => ({ ...finding, path: ["space", ...finding.path] })),
    );
  }
  return new Map(
    Object.entries(parsed.data ?? {}).map(([table, options]) => [
      table,
      {
        sharding_types: distinct(options.map(({ sharding_type }) => sharding_type)),
        compute_kernels: distinct(options.map(({ kernel }) => kernel)),
      },
    ]),
  );
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
