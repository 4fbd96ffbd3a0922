import { type MeasuredInteraction, meanCosine } from "../../access/interaction/mean-cosine.js";
import { matrixCsv } from "../../access/interaction/write-csv.js";
import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { UsageError } from "../../errors/usage-error.js";
import { readText } from "../../input/files.js";
import { given } from "../../input/given.js";
import { count } from "../../text/units.js";
import { showInteraction, unmeasuredText } from "../show/interaction.js";
import type { INTERACTION } from "../tables/more.js";
import type { OptionsOf } from "../tables/table.js";
import { EXIT } from "../terminal/exit-status.js";
import { withStatusLine } from "../terminal/status-line.js";
import { jsonText, warn, writeNoted, writeResult } from "../terminal/streams.js";
import { requireWritable } from "../terminal/writable.js";

/** `shardproof interaction EMBEDDINGS`. Without --out and --json the matrix itself is the result. */
export async function runInteraction(
  file: string,
  { features, out, json, quiet }: OptionsOf<typeof INTERACTION>,
): Promise<number> {
  if (file === "-") throw new UsageError("expected an array file, received -; embeddings are not read from a pipe");
  if (out !== undefined && !/\.csv$/i.test(out)) {
    throw new UsageError(`--out wants a file that ends in .csv, received ${out}`);
  }
  await requireWritable(out);
  const named = features === undefined ? undefined : namesIn(await readText(features, "a file of names"), features);
  const measured = await measure(file, named, quiet === true);
  const names = named ?? Array.from({ length: measured.features }, (_, k) => `f${k}`);
  const unmeasured = unmeasuredText(names, measured);
  if (unmeasured !== null) warn(unmeasured, quiet === true);
  const text = `${unmeasured === null ? "" : `# ${unmeasured}\n`}${matrixCsv(names, measured.matrix)}`;
  await writeNoted(out, () => text, quiet);
  if (json === true) await writeResult(jsonText(jsonOf(names, measured)));
  else await writeResult(out === undefined ? text : showInteraction(names, measured));
  return EXIT.solved;
}

async function measure(
  file: string,
  names: readonly string[] | undefined,
  quiet: boolean,
): Promise<MeasuredInteraction> {
  return withStatusLine(quiet, (line) =>
    meanCosine(file, {
      ...given({ names }),
      onProgress: (samples, of) => line.show(() => [`${count(samples)} of ${count(of)} samples`]),
    }),
  ).catch((error: unknown) => {
    if (error instanceof InputError || (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw fileError(error, file, "an array file that can be read");
  });
}

/** One name on each line. Throws `InputError` for a name that is there twice, and for an empty line among them. */
function namesIn(text: string, file: string): readonly string[] {
  const names = text
    .replace(/^\uFEFF/, "")
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
  const first = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const place = { line: index + 1, column: 1 };
    if (name === "") throw new InputError("expected a name on every line, received an empty one", file, place);
    const before = first.get(name);
    if (before !== undefined) {
      const message = `expected a name used once, received ${JSON.stringify(name)}, which line ${before + 1} has too`;
      throw new InputError(message, file, place);
    }
    first.set(name, index);
  }
  return names;
}

function jsonOf(names: readonly string[], measured: MeasuredInteraction): object {
  const { samples, features, dimensions, matrix } = measured;
  const interaction = names.map((_, row) => [...matrix.subarray(row * features, (row + 1) * features)]);
  const unmeasured = measured.unmeasured.map((pair) => pair.map((k) => names[k]));
  return { samples, dimensions, features: names, interaction, unmeasured };
}
