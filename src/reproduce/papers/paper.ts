import { NOTHING } from "../../facts/plan-table.js";
import type { Chart } from "../../report/chart.js";
import { quantity, type Said } from "../../text/said.js";
import { count, percent, significant } from "../../text/units.js";
import { autoShardNumbers } from "../autoshard/numbers.js";
import type { AutoShardReproduction } from "../autoshard/reproduction.js";
import { dmtNumbers } from "../dmt/numbers.js";
import type { DmtReproduction } from "../dmt/reproduction.js";
import { flexShardNumbers } from "../flexshard/numbers.js";
import type { FlexShardReproduction } from "../flexshard/reproduction.js";
import { jointNumbers, leastLoss } from "../joint/numbers.js";
import type { JointReproduction, JointVariant } from "../joint/reproduction.js";
import type { Paper } from "../paper-names.js";
import type { PublishedNumber } from "../published-number.js";
import { AUTOSHARD_NOTE, autoShardSections } from "./autoshard.js";
import { dmtSections } from "./dmt.js";
import { flexShardSections } from "./flexshard.js";
import { numberSections } from "./numbers.js";
import { type PaperSection, paperTable } from "./section.js";

/** What a paper's reproduction comes to, as plain data. */
export type Reproduced =
  | { readonly paper: "flexshard"; readonly data: FlexShardReproduction }
  | { readonly paper: "autoshard"; readonly data: AutoShardReproduction }
  | { readonly paper: "dmt"; readonly data: DmtReproduction }
  | { readonly paper: "joint"; readonly data: JointReproduction };

/** What is said of a paper, for terminal, page and CSV. */
export interface PaperShown {
  readonly paper: Paper;
  /** As people call it, and where it is from. */
  readonly name: string;
  readonly source: string;
  /** What is to be known before any number is compared. */
  readonly note: string | null;
  readonly sections: readonly PaperSection[];
  readonly numbers: readonly PublishedNumber[];
}

const JOINT_NOTE = `No paper's: what each freedom of a placement brings under TorchRec's cost model, each switched off in turn. "At least" is proved: the bound
without it, beside the plan that was found with all. Where a plan without it costs no more, or the gaps leave it open, nothing is said.`;

/** What there is to say of a paper, by what its reproduction comes to. */
interface Told<Data> extends Pick<PaperShown, "name" | "source" | "note"> {
  sections(data: Data): readonly PaperSection[];
  /** Everything that the paper prints and that this program has something beside, or says why not. */
  numbers(data: Data): readonly PublishedNumber[];
  /** Loaded with a page. */
  figures(data: Data): Promise<readonly Chart[]>;
}

const PAPERS: { readonly [P in Paper]: Told<Extract<Reproduced, { readonly paper: P }>["data"]> } = {
  flexshard: {
    name: "FlexShard",
    source:
      "G. Sethi, P. Bhattacharya, D. Choudhary, C.-J. Wu, C. Kozyrakis: FlexShard: Flexible Sharding for Industry-Scale Sequence Recommendation Models (2023)",
    note: null,
    sections: flexShardSections,
    numbers: flexShardNumbers,
    figures: async (data) => (await import("./figures/flexshard.js")).flexShardFigures(data),
  },
  autoshard: {
    name: "AutoShard",
    source:
      "D. Zha, L. Feng, B. Bhushanam, D. Choudhary, J. Nie, Y. Tian, J. Chae, Y. Ma, A. Kejariwal, X. Hu: AutoShard: Automated Embedding Table Sharding for Recommender Systems (KDD 2022)",
    note: AUTOSHARD_NOTE,
    sections: autoShardSections,
    numbers: autoShardNumbers,
    figures: async (data) => (await import("./figures/autoshard.js")).autoShardFigures(data),
  },
  dmt: {
    name: "DMT",
    source:
      "L. Luo et al.: Disaggregated Multi-Tower: Topology-aware Modeling Technique for Efficient Large Scale Recommendation (MLSys 2024)",
    note: null,
    sections: dmtSections,
    numbers: dmtNumbers,
    figures: async (data) => (await import("./figures/dmt.js")).dmtFigures(data),
  },
  joint: {
    name: "Freedoms of a placement",
    source:
      "Measured here: hot rows (after FlexShard) and sizes of caches as options of one program, on models of the literature.",
    note: JOINT_NOTE,
    sections: jointSections,
    numbers: jointNumbers,
    figures: async () => [],
  },
};

/** The figures of a page. */
export function figuresOf({ paper, data }: Reproduced): Promise<readonly Chart[]> {
  return (PAPERS[paper] as Told<typeof data>).figures(data);
}

export function shownPaper({ paper, data }: Reproduced): PaperShown {
  const { name, source, note, ...told } = PAPERS[paper] as Told<typeof data>;
  const numbers = told.numbers(data);
  return { paper, name, source, note, sections: [...told.sections(data), ...numberSections(numbers)], numbers };
}

/** Plan and bound of every model with all freedoms, without each, and with none. */
function jointSections({ models, workSeconds }: JointReproduction): readonly PaperSection[] {
  const rows = models.flatMap(({ variants, ...model }, m) =>
    variants.map((variant, v) => {
      const cost = (of: "value" | "bound"): Said => {
        const text = (number: number) => `${significant(number, 6)}${model.unit === null ? "" : ` ${model.unit}`}`;
        const number = variant[of];
        return number === null ? NOTHING : quantity(`models.${m}.variants.${v}.${of}`, number, text(number));
      };
      return { ...model, ...variant, cost, loss: v === 0 ? null : leastLoss(variants[0] as JointVariant, variant) };
    }),
  );
  const caption = `Largest device cost, each search ${significant(workSeconds, 2)} seconds of counted work`;
  const table = paperTable(caption, rows, [
    ["model", "l", ({ name }) => name, "once"],
    ["tables", "r", ({ tables }) => count(tables), "once"],
    ["GPUs", "r", ({ devices }) => count(devices), "once"],
    ["without", "l", ({ without }) => (without.length === 0 ? NOTHING : without.join(", "))],
    ["plan", "r", ({ cost }) => cost("value")],
    ["proved bound", "r", ({ cost }) => cost("bound")],
    ["gap", "r", ({ value, bound }) => gapOf(value, bound)],
    ["worse at least", "r", ({ loss }) => (loss === null || loss <= 0 ? NOTHING : percent(loss))],
  ]);
  return [{ id: "freedoms", title: "What each freedom brings", parts: rows.length === 0 ? null : [table] }];
}

function gapOf(value: number | null, bound: number | null): Said {
  if (value === null || bound === null || value === 0) return NOTHING;
  return value === bound ? "0" : percent((value - bound) / value);
}
