import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** A throw-away PostgreSQL server that listens on a socket of its own alone. */
export interface Postgres {
  /** Runs SQL with psql; rows are lines, fields have commas between them. */
  readonly query: (sql: string) => string;
  /** Fills a table from a CSV file with a header. */
  readonly copyFrom: (table: string, csv: string) => void;
  readonly stop: () => Promise<void>;
}

/** Debian keeps the server's programs off the path. */
function binFolder(): string | null {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").sort() : [];
  const newest = versions.at(-1);
  return newest === undefined ? null : `/usr/lib/postgresql/${newest}/bin`;
}

/** Starts PostgreSQL where it is installed; a text says why not. */
export async function startPostgres(): Promise<Postgres | string> {
  const bin = binFolder();
  const path = `${process.env.PATH}${bin === null ? "" : `:${bin}`}`;
  const env = { ...process.env, PATH: path };
  for (const program of ["initdb", "postgres", "psql"]) {
    if (spawnSync(program, ["--version"], { env }).error) return `${program} is not installed`;
  }
  // PostgreSQL refuses to run as root.
  const isRoot = userInfo().uid === 0;
  const user = isRoot ? idsOf("postgres") : undefined;
  if (isRoot && user === undefined) return "PostgreSQL does not run as root, and there is no user postgres";
  const folder = mkdtempSync(join(tmpdir(), "shardproof-pg-"));
  const data = join(folder, "data");
  const options = { cwd: folder, env, ...(user ?? {}) };
  try {
    chmodSync(folder, 0o700);
    if (user) chownSync(folder, user.uid, user.gid);
    execFileSync("initdb", ["-D", data, "-U", "tester", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"], {
      ...options,
      stdio: "pipe",
    });
    const server = spawn("postgres", ["-D", data, "-k", folder, "-h", "", "-F"], { ...options, stdio: "ignore" });
    const ended = new Promise<void>((resolve) => server.on("exit", () => resolve()));
    const query = (sql: string) =>
      execFileSync(
        "psql",
        ["-h", folder, "-U", "tester", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-X", "-q", "-t", "-A", "-F", ","],
        {
          ...options,
          input: sql,
          encoding: "utf8",
          maxBuffer: 2 ** 30,
          stdio: ["pipe", "pipe", "pipe"],
        },
      );
    const copyFrom = (table: string, csv: string) => {
      const input = openSync(csv, "r");
      try {
        const command = ["-h", folder, "-U", "tester", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-X", "-q"];
        execFileSync("psql", [...command, "-c", `COPY ${table} FROM STDIN (FORMAT csv, HEADER)`], {
          ...options,
          stdio: [input, "pipe", "pipe"],
        });
      } finally {
        closeSync(input);
      }
    };
    const stop = async () => {
      server.kill("SIGQUIT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    };
    for (let attempt = 0; ; attempt++) {
      try {
        query("SELECT 1");
        return { query, copyFrom, stop };
      } catch (error) {
        if (attempt === 50) {
          await stop();
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return `PostgreSQL did not start: ${error instanceof Error ? error.message.split("\n")[0] : error}`;
  }
}

function idsOf(user: string): { uid: number; gid: number } | undefined {
  const id = (flag: string) => Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout || Number.NaN);
  const [uid, gid] = [id("-u"), id("-g")];
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid, gid } : undefined;
}
