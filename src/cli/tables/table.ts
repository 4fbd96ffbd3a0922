import { Argument, type Command, Option } from "commander";
import { UsageError } from "../../errors/usage-error.js";

/** How the text of an option or an argument is read: by a function, or as one of some words. */
type Reader = ((text: string, before?: readonly string[]) => unknown) | readonly string[];

/** What an option or an argument means, how it is read where it is not any text, and what it is where it is not given. */
type Meaning = string | readonly [meaning: string, reader: Reader, byDefault?: unknown];

/** A command as users see it. Its code is loaded when it runs: what is not asked for costs no time. */
export interface CommandTable {
  readonly name: string;
  readonly about: string;
  /** By how help writes them: `<plan>`, `[events...]`. */
  readonly arguments?: Readonly<Record<string, Meaning>>;
  /** By their flags, as help writes them: `--out <file>`. */
  readonly options?: Readonly<Record<string, Meaning>>;
  /** Names of the options that cannot be left out. */
  readonly mandatory?: readonly string[];
  /** Flags of the options that help does not list. */
  readonly hidden?: readonly string[];
  /** What help says below the options. */
  readonly help?: string;
  /**
   * A worked example: a line that begins with `$` is typed, those after it are of the answer, and `…` stands for lines that are
   * left out. The commands run as they are where the package's folders `instances` and `examples` are.
   */
  readonly example?: string;
}

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

type NameOf<Flags> = Flags extends `--no-${infer Name}`
  ? Camel<Name>
  : Flags extends `--${infer Name} ${string}` | `--${infer Name}`
    ? Camel<Name>
    : never;

type ValueOf<Flags, Told> = Told extends readonly [string, (...given: never) => infer Value, ...unknown[]]
  ? Value
  : Told extends readonly [string, readonly (infer Word)[]]
    ? Word
    : Flags extends `${string}...>`
      ? readonly string[]
      : Flags extends `${string}>`
        ? string
        : Flags extends `${string}]`
          ? string | true
          : boolean;

/** The flags of the options that always have a value: they have a default, or cannot be left out. */
type FlagsThere<Table extends CommandTable, Flags = keyof Table["options"]> = Flags extends keyof Table["options"]
  ? Table["options"][Flags] extends readonly [string, Reader, unknown]
    ? Flags
    : Table extends { readonly mandatory: readonly (infer Name extends string)[] }
      ? Extract<Flags, `--${Name} ${string}`>
      : never
  : never;

/** What a command is handed of the options of its table. */
export type OptionsOf<Table extends CommandTable> = {
  readonly [Flags in keyof Table["options"] as NameOf<Flags>]?: ValueOf<Flags, Table["options"][Flags]>;
} & {
  readonly [Flags in FlagsThere<Table> as NameOf<Flags>]: ValueOf<Flags, Table["options"][Flags]>;
};

/** Adds a command to another one. `run` is handed its arguments, its options with the other's, and itself. */
export function addCommand(
  to: Command,
  { name, about, arguments: args = {}, options = {}, mandatory = [], hidden = [], help = "", example }: CommandTable,
  run: (...given: readonly unknown[]) => Promise<void>,
): Command {
  const command = to.command(name).description(about);
  for (const [flags, meaning] of Object.entries(args)) {
    const [said, reader] = partsOf(meaning);
    const argument = new Argument(flags, said);
    command.addArgument(isWords(reader) ? argument.choices(reader) : argument);
  }
  for (const [flags, meaning] of Object.entries(options)) {
    const [said, reader, byDefault] = partsOf(meaning);
    const option = new Option(flags, said).default(byDefault).hideHelp(hidden.includes(flags));
    if (isWords(reader)) option.choices(reader);
    else if (reader !== undefined) option.argParser<unknown>(reader as (text: string, before: unknown) => unknown);
    command.addOption(option.makeOptionMandatory(mandatory.includes(option.name())));
    refuseRepeats(command, option);
  }
  return command
    .addHelpText("after", help + (example === undefined ? "" : exampleText(example)))
    .action((...given) => run(...given.slice(0, -2), command.optsWithGlobals(), command));
}

function partsOf(meaning: Meaning): readonly [meaning: string, reader?: Reader, byDefault?: unknown] {
  return typeof meaning === "string" ? [meaning] : meaning;
}

function isWords(reader: Reader | undefined): reader is readonly string[] {
  return Array.isArray(reader);
}

/** The reader of an option that may be repeated: its values in their order. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/**
 * Refuses an option that is given twice where it has one value: of two, one would be dropped without a word. Options with
 * several values (`<file...>`, or {@link collected}) and switches may be repeated.
 */
function refuseRepeats(command: Command, option: Option): void {
  const takesValue = option.required || option.optional;
  if (!takesValue || option.variadic || option.parseArg === collected) return;
  let isGiven = false;
  command.on(`option:${option.name()}`, () => {
    if (isGiven) throw new UsageError(`${option.long ?? option.short} was given twice; it takes one value`);
    isGiven = true;
  });
}

/** A worked example as help shows it. */
export function exampleText(text: string): string {
  const lines = text.trim().split("\n");
  return `\nExample:\n${lines.map((line) => (line.startsWith("$") ? `  ${line}` : `    ${line.trimStart()}`)).join("\n")}`;
}
