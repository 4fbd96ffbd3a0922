import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContradictionError, type Evidence } from "../../errors/contradiction-error.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { writeOutput } from "./streams.js";

/** The characters of a name that tell one contradiction from another. */
const NAME_LENGTH = 12;

/** A contradiction whose evidence is written to a file, which its message names then; any other error as it is. */
export async function withEvidence(error: unknown): Promise<unknown> {
  // Told by its name, because it may come from another thread.
  const { name, message, evidence } = error as Partial<ContradictionError>;
  if (name !== "ContradictionError" || message === undefined || evidence === undefined) return error;
  return new ContradictionError(`${message}; both are in ${await writeEvidence(message, evidence)}`, evidence);
}

/**
 * In the working folder, or where that cannot be in that for temporary files, named by its content: the same contradiction is the
 * same file.
 */
async function writeEvidence(message: string, { known, against }: Evidence): Promise<string> {
  const command = process.argv.slice(2);
  const text = writePlan({ shardproof: 1, kind: "contradiction", message, command, known, against });
  const digest = createHash("sha256").update(text).digest("hex").slice(0, NAME_LENGTH);
  const name = `shardproof-contradiction-${digest}.json`;
  try {
    await writeOutput(name, text);
    return name;
  } catch {
    const file = join(tmpdir(), name);
    // The alarm itself is told whatever becomes of its file.
    return writeOutput(file, text).then(
      () => file,
      (error: Error) => `no file (${error.message})`,
    );
  }
}
