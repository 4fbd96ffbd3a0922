import { NOTHING } from "../../facts/plan-table.js";
import type { Chart } from "../../report/chart.js";
import { quantity, type Said } from "../../text/said.js";
import { count, percent, significant } from "../../text/units.js";
import { leastLoss } from "../joint/numbers.js";
import type { JointReproduction, JointVariant } from "../joint/reproduction.js";
import type { Paper } from "../paper-names.js";
import { numbersOf, type Reproduced } from "../papers.js";
import type { PublishedNumber } from "../published-number.js";
import { AUTOSHARD_NOTE, autoShardSections } from "./autoshard.js";
import { dmtSections } from "./dmt.js";
import { flexShardSections } from "./flexshard.js";
import { numberSections } from "./numbers.js";
import { type PaperSection, paperTable } from "./section.js";

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

const SOURCES = {
  flexshard: {
    name: "FlexShard",
    source:
      "G. Sethi, P. Bhattacharya, D. Choudhary, C.-J. Wu, C. Kozyrakis: FlexShard: Flexible Sharding for Industry-Scale Sequence Recommendation Models (2023)",
  },
  autoshard: {
    name: "AutoShard",
    source:
      "D. Zha, L. Feng, B. Bhushanam, D. Choudhary, J. Nie, Y. Tian, J. Chae, Y. Ma, A. Kejariwal, X. Hu: AutoShard: Automated Embedding Table Sharding for Recommender Systems (KDD 2022)",
  },
  dmt: {
    name: "DMT",
    source:
      "L. Luo et al.: Disaggregated Multi-Tower: Topology-aware Modeling Technique for Efficient Large Scale Recommendation (MLSys 2024)",
  },
  joint: {
    name: "Freedoms of a placement",
    source:
      "Measured here: hot rows (after FlexShard) and sizes of caches as options of one program, on models of the literature.",
  },
} as const;

export function shownPaper(reproduced: Reproduced): PaperShown {
  const { paper } = reproduced;
  const numbers = numbersOf(reproduced);
  const note = paper === "autoshard" ? AUTOSHARD_NOTE : paper === "joint" ? JOINT_NOTE : null;
  return { paper, ...SOURCES[paper], note, sections: [...sectionsOf(reproduced), ...numberSections(numbers)], numbers };
}

function sectionsOf(reproduced: Reproduced): readonly PaperSection[] {
  if (reproduced.paper === "flexshard") return flexShardSections(reproduced.data);
  if (reproduced.paper === "joint") return jointSections(reproduced.data);
  return reproduced.paper === "autoshard" ? autoShardSections(reproduced.data) : dmtSections(reproduced.data);
}

/** The figures of a page; loaded with it. */
export async function figuresOf(reproduced: Reproduced): Promise<readonly Chart[]> {
  if (reproduced.paper === "flexshard") {
    return (await import("./figures/flexshard.js")).flexShardFigures(reproduced.data);
  }
  if (reproduced.paper === "autoshard") {
    return (await import("./figures/autoshard.js")).autoShardFigures(reproduced.data);
  }
  if (reproduced.paper === "joint") return [];
  return (await import("./figures/dmt.js")).dmtFigures(reproduced.data);
}

const JOINT_NOTE = `No paper's: what each freedom of a placement brings under TorchRec's cost model, each switched off in turn. "At least" is proved: the bound
without it, beside the plan that was found with all. Where a plan without it costs no more, or the gaps leave it open, nothing is said.`;

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
