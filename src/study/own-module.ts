import { readFileSync, statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compileFunction } from "node:vm";
import { fileError } from "../errors/file-error.js";
import { InputError, type Place } from "../errors/input-error.js";
import { readNamedText } from "../input/files.js";
import { readDocument } from "../instance/document.js";
import { hashOf } from "../instance/parse.js";
import type { OwnMethod } from "../problems/own-method.js";
import { PROBLEM_NAMES } from "../problems/planning/registry.js";
import { decideByCommand, decideInThread } from "./own-run.js";

/** A module with methods of somebody's own: a function for each problem that it knows. */
export interface OwnModule {
  readonly name: string;
  /** Of the file: what it imports is not looked at. */
  readonly sha256: string;
  /** Its method for a problem; `null` where it has none. */
  methodFor(problem: string): OwnMethod | null;
  /** The same; throws `InputError` where it has none. */
  requireMethodFor(problem: string): OwnMethod;
}

/** Where methods of somebody's own are: a module, or a command of a shell that is run in a folder. */
export type OwnSource = { readonly file: string } | { readonly command: string; readonly folder: string };

/** Loads methods of somebody's own. Throws `InputError`. */
export async function loadOwn(source: OwnSource): Promise<OwnModule> {
  return "file" in source ? loadOwnModule(source.file) : ownCommand(source);
}

/** What `--method-file` says: a module's file, or `{command: …}`, run in this folder. Throws `InputError`. */
export function ownSourceIn(text: string): OwnSource {
  if (!text.trimStart().startsWith("{")) return { file: text };
  const { command } = (readDocument(text, "--method-file").value ?? {}) as { readonly command?: unknown };
  if (typeof command === "string" && command.trim() !== "") return { command, folder: resolve(".") };
  throw new InputError('--method-file: expected a module\'s file, or {command: "python3 mine.py"}, received neither');
}

/**
 * A command is called as the file that it names, or the program. What it depends on are its words, and those of them that are
 * files.
 */
function ownCommand({ command, folder }: Extract<OwnSource, { readonly command: string }>): OwnModule {
  const words = command.trim().split(/\s+/);
  const files = words.filter((word) => statSync(resolve(folder, word), { throwIfNoEntry: false })?.isFile());
  const called = basename(files.at(-1) ?? (words[0] as string));
  const name = called
    .slice(0, called.length - extname(called).length)
    .replace(/[^\w.-]/g, "-")
    .slice(0, 60);
  const methodFor = (problem: string): OwnMethod => ({
    name,
    decide: (given, limits) => decideByCommand(command, folder, { kind: problem, ...given }, limits),
  });
  return {
    name,
    sha256: hashOf([command, ...files.map((file) => readFileSync(resolve(folder, file), "latin1"))].join("\0")),
    methodFor,
    requireMethodFor: methodFor,
  };
}

/**
 * Loads a module of somebody's own, which is run with all that this program may do, in a thread of its own. Its exports `rowTiers`, `tablePlacement`
 * and `towerPartition` are its methods, `name` is what they are called (default: the file's name).
 *
 * Throws `InputError` where it cannot be loaded or has none of them, at the place of an error of syntax.
 */
async function loadOwnModule(file: string): Promise<OwnModule> {
  let text: string;
  try {
    text = readNamedText(file);
  } catch (error) {
    throw fileError(error, file, "a module that can be read");
  }
  const exported = await load(file, text);
  const known = PROBLEM_NAMES.map(exportOf);
  if (!known.some((name) => typeof exported[name] === "function")) {
    throw new InputError(
      `expected a module that exports a function ${known.slice(0, -1).join(", ")} or ${known.at(-1)}, received one that exports ${Object.keys(exported).join(", ") || "nothing"}`,
      file,
    );
  }
  const { name = basename(file, extname(file)) } = exported;
  if (typeof name !== "string" || !/^[\w.-]{1,60}$/.test(name)) {
    throw new InputError("expected a name of letters, digits, dots and hyphens in the export name", file);
  }
  const methodFor = (problem: string): OwnMethod | null => {
    const called = exportOf(problem);
    if (typeof exported[called] !== "function") return null;
    return { name, decide: (given, limits) => decideInThread(pathToFileURL(file).href, called, given, limits) };
  };
  return {
    name,
    sha256: hashOf(text),
    methodFor,
    requireMethodFor(problem) {
      const method = methodFor(problem);
      if (method !== null) return method;
      const expected = `expected a function ${exportOf(problem)} for ${problem}, received a module without one; export it`;
      throw new InputError(expected, file);
    },
  };
}

/** What a problem's method is exported as: `tablePlacement` for table-placement. */
function exportOf(problem: string): string {
  return problem.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

async function load(file: string, text: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const { name = "Error", message = String(error), stack = "", code } = error as Partial<NodeJS.ErrnoException>;
    // What the module itself imports may be of no known kind too.
    if (code === "ERR_UNKNOWN_FILE_EXTENSION" && message.endsWith(resolve(file))) {
      const program = extname(file) === ".py" ? "python3" : "PROGRAM";
      const advice = `a program in another language is a command: '{command: ${program} ${file}}'`;
      throw new InputError(`expected a module (.mjs), received ${extname(file)}; ${advice}`, file);
    }
    const place = error instanceof SyntaxError ? syntaxPlace(text) : thrownPlace(stack, pathToFileURL(file).href);
    const said = `expected a module that can be loaded, received ${name}: ${message.split("\n")[0]}`;
    throw new InputError(said, file, place);
  }
}

/** Where a module threw as it was loaded. */
function thrownPlace(stack: string, url: string): Place | undefined {
  const [, line, column] = stack.slice(stack.indexOf(url)).match(/:(\d+):(\d+)/) ?? [];
  return stack.includes(url) && line !== undefined ? { line: Number(line), column: Number(column) } : undefined;
}

/**
 * Where a module's syntax is wrong: Node says it of scripts alone, which know no `import` and `export`. `undefined` where it is
 * right without them.
 */
function syntaxPlace(text: string): Place | undefined {
  const blank = (words: string) => words.replace(/[^\n]/g, " ");
  const script = text
    .replace(/^[ \t]*import\b[^;]*?from\s*["'][^"']*["'];?/gm, blank)
    .replace(/^export( default)?\b/gm, blank);
  try {
    compileFunction(script, [], { filename: SCRIPT });
    return undefined;
  } catch (error) {
    const [, line, marked] = new RegExp(`^${SCRIPT}:(\\d+)\\n.*\\n( *)\\^`).exec((error as Error).stack ?? "") ?? [];
    return line === undefined ? undefined : { line: Number(line), column: (marked as string).length + 1 };
  }
}

const SCRIPT = "module";
