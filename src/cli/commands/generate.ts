import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { fileError } from "../../errors/file-error.js";
import { UsageError } from "../../errors/usage-error.js";
import { type Key, keysOf } from "../../instance/keys.js";
import { type GeneratorOptions, generate, generatorSchema } from "../../study/generate/generate.js";
import type { GeneratorKind } from "../../study/generate/kinds.js";
import { table } from "../../terminal/table.js";
import type { GENERATE } from "../tables/more.js";
import type { OptionsOf } from "../tables/table.js";
import { EXIT, note, requireWritable, writeNoted, writeOutput, writeResult } from "../terminal/streams.js";

/** `shardproof generate rows|tables|towers`. */
export async function runGenerate(kind: GeneratorKind, options: OptionsOf<typeof GENERATE>): Promise<number> {
  if (options.describe === true) {
    await writeResult(description(kind));
    return EXIT.solved;
  }
  const { seed = 0, count, out, quiet = false } = options;
  const drawn = optionsOf(options.set ?? []) as GeneratorOptions<GeneratorKind>;
  if (count === undefined) {
    await requireWritable(out);
    const text = generate(kind, drawn, seed);
    await writeNoted(out, () => text, quiet);
    if (out === undefined) await writeResult(text);
    return EXIT.solved;
  }
  if (out === undefined) throw new UsageError("--count needs --out FOLDER: each instance is a file of it");
  await mkdir(out, { recursive: true }).catch((error: unknown) => {
    throw fileError(error, out, "a folder that can be made", { kind: "folder", advice: "check the path" });
  });
  for (let own = seed; own < seed + count; own++) {
    const text = generate(kind, drawn, own);
    // Generators put the name of an instance into the second line.
    const [, name] = /^name: (.+)$/m.exec(text) as RegExpExecArray;
    await writeOutput(join(out, `${name}.yaml`), text);
  }
  note(`wrote ${count} instances into ${out}`, quiet);
  return EXIT.solved;
}

function optionsOf(assignments: readonly string[]): Readonly<Record<string, unknown>> {
  const options: Record<string, unknown> = {};
  for (const assignment of assignments) {
    const [, name, value] = /^([A-Za-z]\w*)=(.*)$/s.exec(assignment) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError(`--set: expected NAME=VALUE, such as features=40, received ${JSON.stringify(assignment)}`);
    }
    if (Object.hasOwn(options, name)) throw new UsageError(`--set: ${name} was given twice; it takes one value`);
    try {
      options[name] = parse(value);
    } catch {
      throw new UsageError(`--set: expected a value in YAML for ${name}, received ${JSON.stringify(value)}`);
    }
  }
  return options;
}

/** The options of a kind; of several distributions, each with its own. */
function description(kind: GeneratorKind): string {
  const schema = z.toJSONSchema(generatorSchema(kind), { io: "input" }) as { readonly oneOf?: readonly object[] };
  const schemas = schema.oneOf ?? [schema];
  return schemas.map((one) => `${optionsTable(keysOf(one))}\n`).join("\n");
}

function optionsTable(keys: readonly Key[]): string {
  // Of several distributions, each names itself.
  const rows = keys.map(({ path, type, byDefault, description: text }) => [
    path,
    byDefault ?? (path === "distribution" ? type : ""),
    text,
  ]);
  return table(["option", "default", "meaning"], rows, "lll");
}
