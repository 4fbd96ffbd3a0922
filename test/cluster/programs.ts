import { spawnSync } from "node:child_process";

/** Why tests with these programs are left out; `null` where all of them are installed. */
export function missing(...programs: readonly string[]): string | null {
  const lacking = programs.filter(
    (program) => spawnSync("sh", ["-c", `command -v ${program}`], WITH_SBIN).status !== 0,
  );
  return lacking.length === 0 ? null : `not installed: ${lacking.join(", ")}`;
}

/** Daemons lie where only an administrator's path leads. */
export const WITH_SBIN = { env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` } };

/** Runs a program, which has to end well, and returns what it says. */
export function said(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const run = spawnSync(program, args, { encoding: "utf8", env: { ...WITH_SBIN.env, ...env } });
  if (run.status === 0) return run.stdout.trim();
  throw new Error(`${program} ${args.join(" ")}: status ${run.status}: ${run.stderr}${run.stdout}`);
}

/** Asks again and again until there is an answer other than `null`. */
export async function until<T>(what: string, seconds: number, ask: () => T | null): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const answer = ask();
    if (answer !== null) return answer;
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
