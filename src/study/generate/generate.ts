import { z } from "zod";
import { InputError } from "../../errors/input-error.js";
import { readDocument } from "../../instance/document.js";
import { parseWith } from "../../instance/parse.js";
import type { AnyInstance, InstanceReader } from "../../instance/reader.js";
import { shaped } from "../../instance/schema/issues.js";
import { instanceText } from "../../interop/instance-text.js";
import { rowTiersReader } from "../../problems/row-tiers/instance/reader.js";
import { tablePlacementReader } from "../../problems/table-placement/instance/reader.js";
import { towerPartitionReader } from "../../problems/tower-partition/instance/reader.js";
import type { Generated } from "./draws.js";
import type { GeneratorKind } from "./kinds.js";
import { generateLognormal, lognormalOptions } from "./lognormal-tables.js";
import { autoshardOptions, generateMeta, neuroshardOptions } from "./meta-tables.js";
import { generateRows, rowsOptions } from "./rows.js";
import { generateTorchrec, torchrecOptions } from "./torchrec-tables.js";
import { generateTowers, towersOptions } from "./towers.js";

/** Which options there are depends on the distribution. */
const tablesOptions = z.discriminatedUnion("distribution", [
  torchrecOptions,
  lognormalOptions,
  autoshardOptions,
  neuroshardOptions,
]);

/** Table placement. */
function generateTables(options: z.output<typeof tablesOptions>, seed: number): Generated {
  switch (options.distribution) {
    case "torchrec":
      return generateTorchrec(options, seed);
    case "lognormal":
      return generateLognormal(options, seed);
    default:
      return generateMeta(options, seed);
  }
}

interface Generator<Options> {
  readonly reader: InstanceReader<AnyInstance>;
  readonly schema: z.ZodType<Options>;
  readonly draw: (options: Options, seed: number) => Generated;
  /** The distribution where the options name none. */
  readonly distribution: string;
}

const generator = <Options>(parts: Generator<Options>) => parts;

const GENERATORS = {
  rows: generator({
    reader: rowTiersReader,
    schema: rowsOptions,
    draw: generateRows,
    distribution: "zipf-mandelbrot",
  }),
  tables: generator({
    reader: tablePlacementReader,
    schema: tablesOptions,
    draw: generateTables,
    distribution: "torchrec",
  }),
  towers: generator({
    reader: towerPartitionReader,
    schema: towersOptions,
    draw: generateTowers,
    distribution: "embedded",
  }),
} as const satisfies Readonly<Record<GeneratorKind, unknown>>;

/** What a kind of instances can be drawn by: the keys of docs/generators.md. */
export type GeneratorOptions<Kind extends GeneratorKind> = Partial<z.input<(typeof GENERATORS)[Kind]["schema"]>>;

/** Seeds are below this. */
export const MAX_SEED = 2 ** 32;

/** The schema of a kind's options; one without a distribution is drawn by the first. */
export function generatorSchema(kind: GeneratorKind): z.ZodType {
  return GENERATORS[kind].schema;
}

/**
 * The text of an instance file whose numbers are drawn: rows as FlexShard's models have them, tables for placement (by
 * default as a planner with TorchRec's cost model meets them), or towers of features. The same kind, options and seed (an
 * integer from 0 to 2^32 − 1) give the same text everywhere; its `source` says them.
 *
 * ```ts
 * const text = generate("towers", { features: 40, towers: 8 }, 1);
 * ```
 *
 * Throws `InputError` with the path of the first option that is not as docs/generators.md has it, or with what the
 * options make of an instance that would not be one.
 */
export function generate<Kind extends GeneratorKind>(
  kind: Kind,
  options: GeneratorOptions<Kind>,
  seed: number,
): string {
  return draw(GENERATORS[kind] as unknown as Generator<unknown>, kind, options, seed);
}

function draw<Options>(made: Generator<Options>, kind: string, options: object, seed: number): string {
  const what = `generate ${kind}`;
  if (!(Number.isInteger(seed) && seed >= 0 && seed < MAX_SEED)) {
    throw new InputError(`seed: expected an integer from 0 to ${MAX_SEED - 1}, received ${seed}`, what);
  }
  const { reader, schema, distribution } = made;
  const all = "distribution" in options ? options : { distribution, ...options };
  const full = said(what, () => shaped(readDocument(JSON.stringify(all), what), schema));
  const { name, keys } = made.draw(full, seed);
  // In the schema's order, whatever the caller's.
  const given = Object.fromEntries(Object.entries(full as object).filter(([key]) => key in all));
  const source = `Drawn by shardproof generate ${kind}, seed ${seed}: ${JSON.stringify(given)}`;
  const instance = { shardproof: 1, name, problem: reader.problem, source, ...keys };
  said(what, () => parseWith([reader], instanceText(instance, "json"), what));
  return instanceText(instance, "yaml");
}

/** Nobody has seen the text that an error has a place in: the path of the key says where. */
function said<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.said, what) : error;
  }
}
