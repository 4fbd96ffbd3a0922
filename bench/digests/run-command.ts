import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

const CLI = new URL("../../src/cli/main.js", import.meta.url).pathname;

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the program is run: what is before Node, and Node's own options. */
export interface Way {
  readonly before?: readonly string[];
  readonly options?: readonly string[];
}

/** A command of the program, on standard input where it says `-`. */
export async function runCommand(
  args: readonly string[],
  how?: { readonly input?: string; readonly way?: Way },
): Promise<Ended>;
/** `null`: it took more than `mostSeconds` and was ended. */
export async function runCommand(args: readonly string[], how: { readonly mostSeconds: number }): Promise<Ended | null>;
export async function runCommand(
  args: readonly string[],
  { input = "", mostSeconds, way }: { readonly input?: string; readonly mostSeconds?: number; readonly way?: Way } = {},
): Promise<Ended | null> {
  const timeout = mostSeconds === undefined ? undefined : 1000 * mostSeconds;
  const { before = [], options = [] } = way ?? {};
  const [program, ...rest] = [...before, process.execPath, ...options, CLI, ...args, "--quiet"];
  const child = spawn(program as string, rest, { timeout });
  const status = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  // A command that refuses its input may end before it has read all of it.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = { status: await status, stdout, stderr };
  return ended.status === null ? null : ended;
}
