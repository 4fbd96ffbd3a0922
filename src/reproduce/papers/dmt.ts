import { NOTHING, type PlanTable } from "../../facts/plan-table.js";
import { faint, only, type Said } from "../../text/said.js";
import { bytes, count, percent, significant } from "../../text/units.js";
import type {
  CollectiveBytes,
  DmtReproduction,
  ExchangeBytes,
  Figure9,
  ModelLine,
  SpeedUp,
  Statement,
} from "../dmt/reproduction.js";
import { orNothing, type PaperColumn, type PaperPart, type PaperSection, paperTable } from "./section.js";

/** The number of GPUs whose bytes are shown; the plain data have all. */
const SHOWN_RANKS = 64;

/** DMT's tables 3 to 5 beside ours, the bytes of its setting, modelled speed-ups and figure 9. */
export function dmtSections(reproduction: DmtReproduction): readonly PaperSection[] {
  const { table4, table5, bytes: all, speedUps, byRatio, statements, figure9 } = reproduction;
  const shownBytes = all.find(({ ranks }) => ranks === SHOWN_RANKS) as ExchangeBytes;
  return [
    {
      id: "tables-3-4",
      title: "Tables 3 and 4: million flops per sample of training, and compression CR = Σ O_t / (F·N)",
      parts: [modelsTable(table4)],
    },
    {
      id: "table-5",
      title: "Table 5: DMT 8T-DLRM by the width D of its tower modules; the paper's ratio is 1/CR",
      parts: [modelsTable(table5)],
    },
    { id: "formulas", title: "How they are computed", parts: [formulasTable([...table4, ...table5])] },
    {
      id: "bytes",
      title: `Bytes of one pass at the busiest GPU (and host): 26 features, N = 128, fp16, 16K samples per GPU, ${SHOWN_RANKS} GPUs, 8 per host`,
      parts: [bytesTable(shownBytes)],
    },
    { id: "assumed", title: "Modelled iterations: what is assumed", parts: [{ lines: assumptions(reproduction) }] },
    {
      id: "figure-10",
      title: "Figure 10: modelled speed-up of DMT over the flat exchange",
      parts: [speedUpsTable(speedUps, ({ speedUp }) => speedUp)],
    },
    {
      id: "figure-11",
      title: "Figure 11: of which tower modules over SPTT alone",
      parts: [speedUpsTable(speedUps, ({ modules }) => modules)],
    },
    {
      id: "figure-12",
      title: "Figure 12: modelled speed-up of DMT 8T-DLRM over SPTT alone, by compression ratio",
      parts: [ratiosTable(byRatio)],
    },
    {
      id: "statements",
      title: "What the paper's text says, beside the model",
      parts: [statementsTable(statements)],
    },
    {
      id: "figure-9",
      title: `Figure 9: interactions by tower, ${figure9.instance.name} (synthetic; the paper's matrix is not published)`,
      parts: figure9Parts(figure9),
    },
  ];
}

function modelsTable(lines: readonly ModelLine[]): PlanTable {
  const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
  return paperTable("Million flops per sample", lines, [
    ["model", "l", ({ model }) => model],
    ["ours", "r", ({ megaflops }) => megaflops.ours.toFixed(3)],
    ["paper", "r", ({ megaflops }) => megaflops.published.toFixed(2)],
    ["off by", "r", ({ megaflops: { ours, published } }) => signed(ours - published)],
    ["CR", "r", ({ compression }) => orNothing(compression, (ratio) => ratio.toFixed(3))],
    ["1/CR", "r", ({ compression }) => orNothing(compression, (ratio) => significant(1 / ratio, 3))],
    ["paper", "r", ({ publishedRatio }) => orNothing(publishedRatio, count)],
    ["agrees", "l", ({ agrees }) => (agrees ? "yes" : "no")],
  ]);
}

/** A model that is computed as one above is said to be so. */
function formulasTable(lines: readonly ModelLine[]): PlanTable {
  const rows = lines.flatMap(({ model, formula, inferred }, k): { model: string; says: Said }[] => {
    const same = lines.slice(0, k).find((line) => line.formula === formula);
    if (same !== undefined) return [{ model, says: faint(`as ${same.model}`) }];
    const open = inferred === null ? [] : [{ model: "", says: faint(`inferred: ${inferred}`) }];
    return [{ model, says: formula }, ...open];
  });
  const says = "multiply-adds: bottom layers; towers; interaction; layers over it (a-b-c: a·b + b·c)";
  return paperTable("Multiply-adds", rows, [
    ["model", "l", ({ model }) => model],
    [says, "l", (row) => row.says],
  ]);
}

const COLLECTIVES: Readonly<Record<CollectiveBytes["step"], string>> = {
  a: "ids to the owners of tables",
  c: "vectors to the owners of samples",
  d: "vectors inside the tower",
  e: "transpose",
  f: "vectors among peers",
};

function bytesTable({ flat, sptt, dlrm, dcn }: ExchangeBytes): PlanTable {
  const forward = (exchange: string, steps: readonly CollectiveBytes[], letters: string) =>
    steps
      .filter(({ pass, step }) => pass === "forward" && letters.includes(step))
      .map((step) => ({ exchange, ...step }));
  const rows = [
    ...forward("flat", flat, "ac"),
    ...forward("SPTT", sptt, "adf"),
    ...forward("… DLRM's modules", dlrm, "f"),
    ...forward("… DCN's modules", dcn, "f"),
  ];
  const moved = (amount: number) => (amount === 0 ? NOTHING : bytes(amount));
  return paperTable("Bytes by collective", rows, [
    ["exchange", "l", ({ exchange }) => exchange, "once"],
    ["step", "l", ({ step }) => step],
    [only("page", "what"), "l", ({ step }) => COLLECTIVES[step]],
    ["passes", "r", ({ step }) => (step === "a" ? "1" : "2")],
    ["world", "r", ({ world }) => count(world)],
    ["inside host", "r", ({ insideHost }) => moved(insideHost)],
    ["across hosts", "r", ({ acrossHosts }) => moved(acrossHosts)],
    ["across, per host", "r", ({ acrossHostsPerHost }) => moved(acrossHostsPerHost)],
  ]);
}

function assumptions({ model }: DmtReproduction): readonly string[] {
  const { beta, otherMegaflops, achieved } = model;
  return [
    "iteration = compute + embedding exchange; ids are fetched ahead, the dense all-reduce hides behind the backward pass.",
    `All-to-alls across hosts reach world^−${significant(beta, 3)} of the line rate of table 1, those inside hosts all of it (fitted to 4.6×).`,
    `Beside the dense layers there is work of ${significant(otherMegaflops, 3)} MFlops per sample, with towers as without (fitted to 1.4×).`,
    `Compute reaches ${percent(achieved.H100)} of an H100's peak (fitted to 30 %), ${percent(achieved.A100)} of an A100's and ${percent(achieved.V100)} of a V100's (assumed).`,
    "One tower per host, tables spread by columns inside it; vectors and gradients are fp16 (the paper says quantized).",
    "256 and 512 GPUs have more hosts than features: tables are parted by columns, with the model of 26 towers.",
    "It knows no overlap of compute and exchange, no cost of the moves c and e, no stragglers.",
    "The measured bandwidths (figure 5) and speed-ups (figures 10 to 13) have no numbers in the text but those below.",
  ];
}

function speedUpsTable(all: readonly SpeedUp[], value: (speedUp: SpeedUp) => number): PlanTable {
  return timesTable("Times faster, by the number of GPUs", all, ({ ranks }) => ranks, value, [
    ["model", "l", ({ family }) => family],
    ["GPU", "l", ({ gpu }) => gpu],
  ]);
}

function ratiosTable(all: DmtReproduction["byRatio"]): PlanTable {
  return timesTable(
    "Times faster, by compression ratio",
    all,
    ({ ratio }) => ratio,
    ({ modules }) => modules,
    [["GPU", "l", ({ gpu }) => gpu]],
  );
}

/** Speed-ups in a row for each model and GPU, and a column for each number that they are by. */
function timesTable<Each extends SpeedUp>(
  caption: string,
  all: readonly Each[],
  by: (each: Each) => number,
  value: (each: Each) => number,
  names: readonly PaperColumn<Each>[],
): PlanTable {
  const isSame = (one: Each, other: Each) => one.family === other.family && one.gpu === other.gpu;
  const columns = [...new Set(all.map(by))].map(
    (number): PaperColumn<Each> => [
      count(number),
      "r",
      (row) => {
        const found = all.find((each) => isSame(each, row) && by(each) === number);
        return found === undefined ? NOTHING : value(found).toFixed(2);
      },
    ],
  );
  const rows = all.filter((each, k) => all.findIndex((other) => isSame(each, other)) === k);
  return paperTable(caption, rows, [...names, ...columns]);
}

function statementsTable(statements: readonly Statement[]): PlanTable {
  return paperTable("Statements of the text", statements, [
    [only("page", "where"), "l", ({ where }) => where],
    [only("page", "the paper says"), "l", ({ says }) => says],
    ["paper", "r", ({ value }) => (value === null ? NOTHING : significant(value.published, 2))],
    ["ours", "r", ({ value }) => (value === null ? NOTHING : significant(value.ours, 3))],
    ["holds here", "l", ({ isFitted, holds }) => (isFitted ? "fitted to it" : holds ? "yes" : "no")],
  ]);
}

function figure9Parts({ features, interaction, methods }: Figure9): readonly PaperPart[] {
  const means = paperTable("Mean interactions", methods, [
    ["towers of", "l", ({ method }) => method],
    ["mean inside", "r", ({ meanInside }) => meanInside.toFixed(3)],
    ["mean between", "r", ({ meanBetween }) => meanBetween.toFixed(3)],
  ]);
  const drawn = methods.filter(({ method }) => method === "tp");
  const pictures = drawn.flatMap(({ towers }): readonly PaperPart[] => {
    const boundaries = towers.map((_, t) => towers.slice(0, t).reduce((sum, { length }) => sum + length, 0));
    const ofTowers = paperTable(
      "Features of TP's towers",
      [...towers.entries()],
      [
        ["tower", "r", ([t]) => String(t)],
        ["features", "l", ([, tower]) => tower.map((feature) => features[feature]).join(" ")],
      ],
    );
    return [{ matrix: interaction, order: towers.flat(), boundaries }, ofTowers];
  });
  return [...pictures, means];
}
