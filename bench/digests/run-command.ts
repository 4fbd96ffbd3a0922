import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

const CLI = new URL("../../src/cli/main.js", import.meta.url).pathname;

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of the program, on standard input where it says `-`. */
export async function runCommand(args: readonly string[], how?: { readonly input: string }): Promise<Ended>;
/** `null`: it took more than `mostSeconds` and was ended. */
export async function runCommand(args: readonly string[], how: { readonly mostSeconds: number }): Promise<Ended | null>;
export async function runCommand(
  args: readonly string[],
  { input = "", mostSeconds }: { readonly input?: string; readonly mostSeconds?: number } = {},
): Promise<Ended | null> {
  const timeout = mostSeconds === undefined ? undefined : 1000 * mostSeconds;
  const child = spawn(process.execPath, [CLI, ...args, "--quiet"], { timeout });
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
