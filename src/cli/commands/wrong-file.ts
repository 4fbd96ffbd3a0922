import type { FileError } from "../../errors/file-error.js";
import { readNamedText } from "../../input/files.js";
import { parseJson } from "../../input/json.js";
import { PROGRAM_ENDING } from "../../program/read-program.js";

/** Larger files are not looked into for the sake of a hint. */
const MAX_BYTES = 2 ** 24;

/** The kinds of file that commands take one for another. */
type FileKind = "instance" | "plan" | "answer" | "program" | "torchrec-problem" | "torchrec-plan";

/** What each command reads. */
const READ: Readonly<Record<string, readonly FileKind[]>> = {
  plan: ["instance"],
  compare: ["instance"],
  frontier: ["instance"],
  solve: ["program"],
  verify: ["plan", "answer"],
  explain: ["plan"],
  report: ["plan"],
  simulate: ["plan"],
  export: ["plan"],
  import: ["torchrec-problem", "torchrec-plan"],
};

const HINTS: Readonly<Record<FileKind, (file: string) => string>> = {
  instance: (file) => `this is an instance: make its plan with shardproof plan ${file} --out plan.json`,
  plan: (file) => `this is a plan: shardproof verify ${file} checks it, shardproof report ${file} shows it`,
  answer: (file) => `this is an answer of shardproof solve: shardproof verify ${file} checks it`,
  program: (file) => `this is a mixed-integer program: shardproof solve ${file}`,
  "torchrec-problem": (file) =>
    `this is a TorchRec planning problem: make its instance with shardproof import torchrec ${file} --out instance.yaml`,
  "torchrec-plan": (file) =>
    `this is a TorchRec sharding plan: score it with shardproof import torchrec ${file} --instance INSTANCE`,
};

/**
 * What to do instead, where a command failed because its file is of another kind; `null` where that is not why. `args` are
 * the command and what follows it; an error may come from another thread. Where the file system refused a file, perhaps to write it, what stands in it is not why.
 */
export function wrongFileHint([command = "", ...operands]: readonly string[], error: unknown): string | null {
  const wanted = READ[command];
  const { message, kind: refused } = error as Partial<FileError>;
  // The value of --instance is an instance as it should be.
  const isOperand = (operand: string, k: number) => operand !== "" && operands[k - 1] !== "--instance";
  const file = operands.find((operand, k) => isOperand(operand, k) && message?.startsWith(`${operand}:`));
  if (wanted === undefined || file === undefined || refused === "file") return null;
  const kind = kindOf(file);
  return kind === null || wanted.includes(kind) ? null : HINTS[kind](file);
}

function kindOf(file: string): FileKind | null {
  if (PROGRAM_ENDING.test(file)) return "program";
  try {
    return kindOfText(readNamedText(file, MAX_BYTES));
  } catch {
    // A file that cannot be read, or that begins like JSON and is none, is of no kind.
    return null;
  }
}

function kindOfText(text: string): FileKind | null {
  if (!text.trimStart().startsWith("{"))
    return /^shardproof:/m.test(text) && /^problem:/m.test(text) ? "instance" : null;
  const keys = new Map(Object.entries(parseJson(text, "file") as object));
  if (!keys.has("shardproof"))
    return keys.has("topology") ? "torchrec-problem" : keys.has("plan") ? "torchrec-plan" : null;
  if (keys.get("kind") === "certificate" || keys.get("kind") === "solution") return "answer";
  if (!keys.has("problem")) return null;
  return keys.has("digest") ? "plan" : "instance";
}
