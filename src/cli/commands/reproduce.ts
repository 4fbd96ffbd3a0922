import { didYouMean } from "../../errors/nearest.js";
import { UsageError } from "../../errors/usage-error.js";
import { PAPERS, type Paper } from "../../reproduce/paper-names.js";
import type { PaperShown, Reproduced } from "../../reproduce/papers/paper.js";
import type { REPRODUCE } from "../tables/more.js";
import type { OptionsOf } from "../tables/table.js";
import { defaultMemoryLimit } from "../terminal/memory-limit.js";
import { withStatusLine } from "../terminal/status-line.js";
import { EXIT, jsonText, note, requireWritable, writeNoted, writeOutput, writeResult } from "../terminal/streams.js";
import { isWhole, type ReproduceMessage, type ReproduceTask } from "../worker/reproduce-main.js";
import { runStoppable } from "../worker/stop.js";

/** `shardproof reproduce PAPER…`. */
export async function runReproduce(papers: readonly string[], options: OptionsOf<typeof REPRODUCE>): Promise<number> {
  const { json = false, out, csv, timeLimit = Number.POSITIVE_INFINITY, quick = false, quiet = false } = options;
  const known = papers.map(knownPaper);
  const twice = known.find((paper, k) => known.indexOf(paper) !== k);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice`);
  if (out !== undefined && out === csv) throw new UsageError(`--out and --csv are both ${out}`);
  await requireWritable(out, csv);
  const { result } = await withStatusLine(quiet, (line) =>
    runStoppable<ReproduceMessage>(
      new URL("../worker/reproduce-main.js", import.meta.url),
      { papers: known, quick, endsAt: Date.now() + 1000 * timeLimit } satisfies ReproduceTask,
      ({ what }) => line.show(() => [what]),
      { quiet, memoryLimitBytes: defaultMemoryLimit(), line },
    ),
  );
  const { reproduced } = result;
  if (out !== undefined) {
    const page = await (await import("../../reproduce/papers/page.js")).papersPage(reproduced);
    await writeOutput(out, page);
    note((await import("./report.js")).pageWritten(out, page), quiet);
  }
  const { shownPaper } = await import("../../reproduce/papers/paper.js");
  const shown = reproduced.map(shownPaper);
  const { numbersCsv } = await import("../../reproduce/papers/numbers.js");
  await writeNoted(csv, () => numbersCsv(shown), quiet);
  await writeResult(json ? jsonOf(reproduced, shown) : (await import("../show/reproduced.js")).showPapers(shown));
  return reproduced.every(isWhole) ? EXIT.solved : EXIT.notProved;
}

function knownPaper(paper: string): Paper {
  const known = PAPERS.find((name) => name === paper);
  if (known !== undefined) return known;
  const advice = didYouMean(paper, PAPERS) ?? `known here: ${PAPERS.join(", ")}`;
  throw new UsageError(`there is nothing to reproduce of "${paper}"; ${advice}`);
}

/** One paper as it is, several as a list, each with its published numbers. */
function jsonOf(reproduced: readonly Reproduced[], shown: readonly PaperShown[]): string {
  const all = reproduced.map(({ data }, k) => ({ ...data, numbers: shown[k]?.numbers }));
  return jsonText(all.length === 1 ? all[0] : all);
}
