import type { Argument, Command, Option } from "commander";
import { PROBLEMS } from "../../problems/planning/registry.js";
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

export interface CompletedCommand {
  /** Of a command of a command, both: `study run`; of the program itself, nothing. */
  readonly name: string;
  readonly command: Command;
  readonly options: readonly CompletedOption[];
}

const files = (...endings: readonly string[]): Expected => ({ kind: "files", endings });
const words = (list: readonly string[]): Expected => ({ kind: "words", words: list });

const INSTANCES = files(".yaml", ".yml", ".json");

/** By option; every other one is told by the name of its value. */
const OF_OPTIONS: Readonly<Record<string, Expected>> = {
  "--method": words([...new Set(PROBLEMS.flatMap(({ methods }) => methods))]),
  "--solver": words(SOLVERS),
  "--beside": words(SOLVERS),
  "--instance": INSTANCES,
  "--format": words(["mps", "lp"]),
};

/** By what an argument, or an option's value, is called. */
const OF_NAMES: Readonly<Record<string, Expected>> = {
  instance: INSTANCES,
  instances: INSTANCES,
  study: INSTANCES,
  model: files(".mps", ".lp"),
  plan: files(".json", ".vipr"),
  plans: files(".json", ".vipr"),
  papers: words(PAPERS),
  events: files(".csv", ".tsv", ".txt", ".parquet", ".arrow", ".feather", ".gz", ".zst"),
  embeddings: files(".npy"),
  data: files(".json", ".jsonl"),
  tasks: files(".json"),
  weights: files(".json"),
  policy: files(".json"),
  file: files(),
  files: files(),
  path: files(),
  folder: { kind: "folders" },
};

/** The program, its commands and theirs, with what can be typed as an option of each. */
export function completedCommands(program: Command): readonly [CompletedCommand, ...CompletedCommand[]] {
  const completed = (command: Command, name: string): CompletedCommand => {
    const help = { names: ["-h", "--help"], description: "display help for command", value: null };
    return { name, command, options: [...command.options.map(optionOf), help] };
  };
  const own = program.commands.flatMap((command) => [
    completed(command, command.name()),
    ...command.commands.map((inner) => completed(inner, `${command.name()} ${inner.name()}`)),
  ]);
  return [completed(program, ""), ...own];
}

function optionOf({ short, long = "", description, flags, argChoices }: Option): CompletedOption {
  const name = /[<[]([\w=]+)/.exec(flags)?.[1];
  const value = name === undefined ? null : (chosenOf(argChoices) ?? OF_OPTIONS[long] ?? expectedBy(name));
  return { names: [short, long].filter((text) => text !== undefined), description, value };
}

/** What an argument can be. */
export function argumentOf(argument: Argument): Expected {
  return chosenOf(argument.argChoices) ?? expectedBy(argument.name());
}

function chosenOf(choices: readonly string[] | undefined): Expected | undefined {
  return choices === undefined ? undefined : words(choices);
}

function expectedBy(name: string): Expected {
  return OF_NAMES[name] ?? { kind: "anything" };
}
