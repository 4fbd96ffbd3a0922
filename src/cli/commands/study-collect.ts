import { join } from "node:path";
import { stageFile } from "../../files/staged-file.js";
import { readText } from "../../input/files.js";
import { holdAgainst } from "../../proof/hold-against.js";
import { type JobLine, readJob, resultFile } from "../../study/job.js";
import { showStudy } from "../../study/methods-table.js";
import { studyPage, studyPictures } from "../../study/page.js";
import { writeParquet } from "../../study/parquet.js";
import { type CheckedLine, exactly, type Row, rowsOf } from "../../study/row.js";
import { csvText, resultColumns, TIME_COLUMNS } from "../../study/table.js";
import { studyLatex, studyMarkdown } from "../../study/written-tables.js";
import { count, some } from "../../text/units.js";
import type { STUDY_COLLECT } from "../tables/study.js";
import type { OptionsOf } from "../tables/table.js";
import { EXIT, note, writeOutput, writeResult } from "../terminal/streams.js";
import { runPool } from "../worker/study-pool.js";
import { tellSlurm } from "./slurm.js";
import { inPool, threads } from "./study-run.js";

/** `shardproof study collect FOLDER`: checks every result, writes tables and a page. */
export async function runStudyCollect(folder: string, options: OptionsOf<typeof STUDY_COLLECT>): Promise<number> {
  const { quiet = false } = options;
  const job = readJob(folder);
  const checked: CheckedLine[] = new Array(job.all.length);
  let done = 0;
  const interrupted = await inPool(quiet, (signal, status) =>
    runPool(
      job.all.map((line, index) => ({ index, line })),
      {
        kind: "check",
        ...threads(folder, options),
        signal,
        onDone: async ({ index }, one) => {
          checked[index] = one;
          done += 1;
          status.show(() => ["checking", `${count(done)} of ${some(job.all.length, "result")}`]);
        },
        onFailure: (_, error) => {
          throw error;
        },
      },
    ),
  );
  if (interrupted) return EXIT.interrupted;
  const rows = rowsOf(checked);
  await holdRows(folder, rows);
  const columns = resultColumns(rows);
  const wrote = (name: string) => `wrote ${join(folder, name)}`;
  const csv = join(folder, "results.csv");
  await writeOutput(csv, csvText(rows, columns));
  await writeOutput(join(folder, "times.csv"), csvText(rows, TIME_COLUMNS));
  const parquet = await parquetBeside(csv, folder, columns);
  await writeOutput(join(folder, "study.html"), await studyPage(job, rows));
  await writeOutput(join(folder, "summary.md"), studyMarkdown(job, rows));
  await writeOutput(join(folder, "tables.tex"), studyLatex(rows));
  const pictures = await studyPictures(rows);
  for (const [name, svg] of pictures) await writeOutput(join(folder, name), svg);
  const inParquet = parquet === null ? ["results.parquet"] : [];
  const files = [
    "results.csv",
    ...inParquet,
    "times.csv",
    "summary.md",
    "tables.tex",
    "study.html",
    ...pictures.map(([name]) => name),
  ].map(wrote);
  await writeResult(`${[showStudy(rows), files.join("\n")].join("\n\n")}\n`);
  if (parquet !== null) note(`results.parquet is left out: ${parquet}`, quiet);
  const ended = exitStatusOf(rows);
  if (rows.some((row) => row.status === "missing")) await tellSlurm(folder);
  return ended;
}

/** `null` where it was written; why not, where DuckDB is not there. */
async function parquetBeside(
  csv: string,
  folder: string,
  columns: ReturnType<typeof resultColumns>,
): Promise<string | null> {
  const staged = await stageFile(join(folder, "results.parquet"));
  try {
    await writeParquet(csv, staged.path, columns);
    await staged.commit();
    return null;
  } catch (error) {
    staged.abandon();
    const { name, message } = error as Error;
    if (name === "InputError" && message.includes("is not installed")) return message;
    throw error;
  }
}

/** Throws `ContradictionError` at the first value that is better than what another line proves of its instance. */
async function holdRows(folder: string, rows: readonly Row[]): Promise<void> {
  const resultOf = async (line: JobLine) => JSON.parse(await readText(join(folder, resultFile(line)), "a result"));
  for (const { number, line, exact, value, contradicts, noneExists, provedBy } of rows) {
    if (!contradicts || provedBy === null) continue;
    const { line: other } = provedBy;
    const of = `${other.instance.name} by the method ${other.method} with seed ${other.seed}`;
    const known = { what: `line ${number}, the plan of ${line.method},`, plan: await resultOf(line) };
    const bound = noneExists ? null : exactly(provedBy.exact.bound, provedBy.bound);
    holdAgainst([known], [{ of, bound, worth: () => exactly(exact.value, value), proof: await resultOf(other) }]);
  }
}

function exitStatusOf(rows: readonly Row[]): number {
  const wrong = rows.filter(({ verified }) => verified === false);
  for (const { number, line, reason } of wrong.slice(0, 20)) {
    process.stderr.write(`line ${number} (${line.instance.name}, ${line.method}): fails its check: ${reason}\n`);
  }
  if (wrong.length > 0) return EXIT.verificationFailed;
  const missing = rows.filter(({ status }) => status === "missing").length;
  if (missing === 0) return EXIT.solved;
  process.stderr.write(`${some(missing, "plan")} of ${count(rows.length)} not done: shardproof study run goes on\n`);
  return EXIT.notProved;
}
