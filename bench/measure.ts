import { Bench } from "tinybench";

/** Median seconds of a piece of work over a few runs after a warm-up. */
export async function medianSeconds(name: string, runs: number, work: () => unknown): Promise<number> {
  const bench = new Bench({
    iterations: runs,
    time: 0,
    warmup: runs > 1,
    warmupIterations: 1,
    warmupTime: 0,
    throws: true,
  });
  bench.add(name, async () => {
    await work();
  });
  const [task] = await bench.run();
  const result = task?.result;
  if (result === undefined || !("latency" in result)) throw new Error(`${name} was not measured`);
  return result.latency.p50 / 1000;
}

/** Right-aligned columns. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, k) => Math.max(...rows.map((row) => row[k]?.length ?? 0)));
  for (const row of rows) console.log(row.map((cell, k) => cell.padStart(widths[k] ?? 0)).join("  "));
}
