import { reproduceDmt } from "../../../../src/reproduce/dmt/reproduce.js";
import { reproduceFlexshard } from "../../../../src/reproduce/flexshard/reproduce.js";
import type { Reproduced } from "../../../../src/reproduce/papers/paper.js";

/** The two papers that take a second. */
export async function quickPapers(): Promise<readonly Reproduced[]> {
  return [
    { paper: "flexshard", data: await reproduceFlexshard({ optima: false }) },
    { paper: "dmt", data: await reproduceDmt() },
  ];
}

/** AutoShard's, of which the time limit let nothing be done. */
export const NOTHING_REACHED: Reproduced = {
  paper: "autoshard",
  data: {
    ...{ shardproof: 1, paper: "autoshard" },
    scale: { epochs: 1, tasks: 1, quick: true },
    data: { file: "costs.json", sha256: "0", sets: 1 },
    ...{ figure8: null, figure10: null, figure11: null, table2: null, table3: null, reward: null, splits: null },
    claims: [{ where: "figure 8", says: "it is faster", holds: null }],
  },
};

/** The first of DMT's models with so many more million flops than it has. */
export function withMoreFlops(papers: readonly Reproduced[], more: number): readonly Reproduced[] {
  return papers.map((each) => {
    if (each.paper !== "dmt") return each;
    const [first, ...rest] = each.data.table4;
    if (first === undefined) throw new RangeError("DMT has no models");
    const megaflops = { ...first.megaflops, ours: first.megaflops.ours + more };
    return { ...each, data: { ...each.data, table4: [{ ...first, megaflops }, ...rest] } };
  });
}

/** What a page says, without its markup and what is never read. */
export function pageText(page: string): string {
  return page
    .replace(/<(script|style|pre|desc|title)[^>]*>[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ");
}
