import type { Argument, Command, Option } from "commander";
import { PROBLEMS } from "../../problems/registry.js";
import { PAPERS } from "../../reproduce/paper-names.js";
import { SOLVERS } from "../tables/readers.js";

/** What can stand in a place: one of some words, a file whose name ends in one of `endings` (in anything where empty), a folder, or anything. */
export type Expected =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "files"; readonly endings: readonly string[] }
  | { readonly kind: "folders" }
  | { readonly kind: "anything" };

export interface CompletedOption {
  /** As they are typed: `-h`, `--help`. */
  readonly names: readonly string[];
  readonly description: string;
  /** `null` for an option that takes no value. */
  readonly value: Expected | null;
}

export interface CompletedArgument {
  readonly name: string;
  readonly expected: Expected;
  readonly isRepeated: boolean;
}

export interface CompletedCommand {
  /** Of a command of a command, both: `study run`. */
  readonly name: string;
  /** The commands that may stand in the place of its first argument. */
  readonly commands: readonly string[];
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly CompletedArgument[];
}

/** The whole command line: options of no command have the command's name empty. */
export interface CompletedProgram {
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
}

const HELP: CompletedOption = { names: ["-h", "--help"], description: "display help for command", value: null };

const INSTANCES: Expected = { kind: "files", endings: [".yaml", ".yml", ".json"] };
const PLANS: Expected = { kind: "files", endings: [".json", ".vipr"] };
const JSON_FILES: Expected = { kind: "files", endings: [".json"] };
const FILES: Expected = { kind: "files", endings: [] };
const ANYTHING: Expected = { kind: "anything" };

/** By option; every other one is told by the name of its value. */
const OF_OPTIONS: Readonly<Record<string, Expected>> = {
  "--method": {
    kind: "words",
    words: [...new Set(PROBLEMS.flatMap(({ methods }) => methods))],
  },
  "--solver": { kind: "words", words: SOLVERS },
  "--beside": { kind: "words", words: SOLVERS },
  "--instance": INSTANCES,
  "--format": { kind: "words", words: ["mps", "lp"] },
};

/** By what an argument, or an option's value, is called. */
const OF_NAMES: Readonly<Record<string, Expected>> = {
  instance: INSTANCES,
  instances: INSTANCES,
  study: INSTANCES,
  model: { kind: "files", endings: [".mps", ".lp"] },
  plan: PLANS,
  plans: PLANS,
  papers: { kind: "words", words: PAPERS },
  events: { kind: "files", endings: [".csv", ".tsv", ".txt", ".parquet", ".arrow", ".feather", ".gz", ".zst"] },
  embeddings: { kind: "files", endings: [".npy"] },
  data: { kind: "files", endings: [".json", ".jsonl"] },
  tasks: JSON_FILES,
  weights: JSON_FILES,
  policy: JSON_FILES,
  file: FILES,
  files: FILES,
  path: FILES,
  folder: { kind: "folders" },
};

/** What can be typed, as the command line itself has it. */
export function completedProgram(program: Command): CompletedProgram {
  return {
    options: optionsOf(program),
    commands: program.commands.flatMap((command) => [
      completedCommand(command, command.name()),
      ...command.commands.map((inner) => completedCommand(inner, `${command.name()} ${inner.name()}`)),
    ]),
  };
}

function completedCommand(command: Command, name: string): CompletedCommand {
  return {
    name,
    commands: command.commands.map((inner) => inner.name()),
    description: command.description(),
    options: optionsOf(command),
    arguments: command.registeredArguments.map(argumentOf),
  };
}

/** Those that are typed first. */
export function isOuter({ name }: CompletedCommand): boolean {
  return !name.includes(" ");
}

function optionsOf({ options }: Command): readonly CompletedOption[] {
  return [...options.map(optionOf), HELP];
}

function optionOf({ short, long, description, flags, argChoices }: Option): CompletedOption {
  const name = /[<[]([\w=]+)/.exec(flags)?.[1];
  const chosen = argChoices === undefined ? undefined : ({ kind: "words", words: argChoices } as const);
  const value = name === undefined ? null : (chosen ?? OF_OPTIONS[long ?? ""] ?? OF_NAMES[name] ?? ANYTHING);
  return { names: [short, long].filter((text) => text !== undefined), description, value };
}

function argumentOf(argument: Argument): CompletedArgument {
  const { argChoices, variadic } = argument;
  const name = argument.name();
  const expected: Expected =
    argChoices === undefined ? (OF_NAMES[name] ?? ANYTHING) : { kind: "words", words: argChoices };
  return { name, expected, isRepeated: variadic };
}
