import { type MeasuredInteraction, meanCosine } from "../../access/interaction/mean-cosine.js";
import { matrixCsv } from "../../access/interaction/write-csv.js";
import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { UsageError } from "../../errors/usage-error.js";
import { readText } from "../../input/files.js";
import { given } from "../../input/given.js";
import { facts } from "../../terminal/table.js";
import { printable } from "../../text/printable.js";
import { count, significant, some } from "../../text/units.js";
import type { INTERACTION } from "../tables/more.js";
import type { OptionsOf } from "../tables/table.js";
import { withStatusLine } from "../terminal/status-line.js";
import { EXIT, jsonText, requireWritable, warn, writeNoted, writeResult } from "../terminal/streams.js";

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
    throw fileError(error, file, "an array file that can be read", { advice: "check the path" });
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

/** Pairs of features named. */
const MAX_PAIRS = 5;

/** What was measured, and the features that are most alike. */
function showInteraction(names: readonly string[], measured: MeasuredInteraction): string {
  const { samples, features, dimensions, matrix } = measured;
  const pairs = names.flatMap((name, i) =>
    names.slice(0, i).map((other, j) => ({
      pair: `${printable(other)} and ${printable(name)}`,
      value: matrix[i * features + j] as number,
    })),
  );
  const sorted = [...pairs].sort((a, b) => b.value - a.value);
  const mean = pairs.reduce((sum, { value }) => sum + value, 0) / pairs.length;
  const alike = sorted.slice(0, MAX_PAIRS).map(({ pair, value }) => `${pair} (${significant(value, 4)})`);
  return `${facts([
    ["embeddings", `${count(samples)} samples, ${count(features)} features, vectors of ${count(dimensions)} elements`],
    ...(pairs.length === 0
      ? []
      : ([
          ["mean |cos|", `${significant(mean, 4)} over ${count(pairs.length)} pairs of features`],
          ["most alike", alike.join(", ")],
        ] as const)),
  ])}\n`;
}

/** Which pairs count 0 without a sample of both, in one line; `null`: none does. */
function unmeasuredText(names: readonly string[], { unmeasured }: MeasuredInteraction): string | null {
  if (unmeasured.length === 0) return null;
  const pairs = unmeasured
    .slice(0, MAX_PAIRS)
    .map((pair) => pair.map((k) => printable(names[k] as string)).join(" and "));
  const more = unmeasured.length - pairs.length;
  const which = [...pairs, ...(more > 0 ? [`… ${count(more)} more`] : [])].join(", ");
  return `${some(unmeasured.length, "pair")} of features without a sample that has ids of both, taken as 0: ${which}`;
}
