import type { Chart } from "../../report/chart.js";
import type { Paper } from "../paper-names.js";
import { numbersOf, type Reproduced } from "../papers.js";
import type { PublishedNumber } from "../published-number.js";
import { AUTOSHARD_NOTE, autoShardSections } from "./autoshard.js";
import { dmtSections } from "./dmt.js";
import { flexShardSections } from "./flexshard.js";
import { JOINT_NOTE, jointSections } from "./joint.js";
import { numberSections } from "./numbers.js";
import type { PaperSection } from "./section.js";

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
