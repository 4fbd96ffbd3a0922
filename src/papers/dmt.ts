import { NOTHING, type PlanTable } from "../problems/plan-table.js";
import type {
  CollectiveBytes,
  DmtReproduction,
  ExchangeBytes,
  Figure9,
  ModelLine,
  SpeedUp,
  Statement,
} from "../reproduce/dmt/reproduction.js";
import { faint, only } from "../text/said.js";
import { bytes, count, percent, significant } from "../text/units.js";
import { type PaperPart, type PaperSection, paperTable } from "./section.js";

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
  const rows = lines.map(({ model, megaflops: { ours, published }, compression, publishedRatio, agrees }) => [
    model,
    ours.toFixed(3),
    published.toFixed(2),
    signed(ours - published),
    compression === null ? NOTHING : compression.toFixed(3),
    compression === null ? NOTHING : significant(1 / compression, 3),
    publishedRatio === null ? NOTHING : count(publishedRatio),
    agrees ? "yes" : "no",
  ]);
  return paperTable(
    "Million flops per sample",
    ["model", "ours", "paper", "off by", "CR", "1/CR", "paper", "agrees"],
    rows,
    "lrrrrrrl",
  );
}

/** A model that is computed as one above is said to be so. */
function formulasTable(lines: readonly ModelLine[]): PlanTable {
  const rows = lines.flatMap(({ model, formula, inferred }, k) => {
    const same = lines.slice(0, k).find((line) => line.formula === formula);
    if (same !== undefined) return [[model, faint(`as ${same.model}`)]];
    return [[model, formula], ...(inferred === null ? [] : [["", faint(`inferred: ${inferred}`)]])];
  });
  return paperTable(
    "Multiply-adds",
    ["model", "multiply-adds: bottom layers; towers; interaction; layers over it (a-b-c: a·b + b·c)"],
    rows,
    "ll",
  );
}

const COLLECTIVES: Readonly<Record<CollectiveBytes["step"], string>> = {
  a: "ids to the owners of tables",
  c: "vectors to the owners of samples",
  d: "vectors inside the tower",
  e: "transpose",
  f: "vectors among peers",
};

function bytesTable({ flat, sptt, dlrm, dcn }: ExchangeBytes): PlanTable {
  const forward = (steps: readonly CollectiveBytes[], letters: string) =>
    steps.filter(({ pass, step }) => pass === "forward" && letters.includes(step));
  const lines: (readonly [string, readonly CollectiveBytes[]])[] = [
    ["flat", forward(flat, "ac")],
    ["SPTT", forward(sptt, "adf")],
    ["… DLRM's modules", forward(dlrm, "f")],
    ["… DCN's modules", forward(dcn, "f")],
  ];
  const rows = lines.flatMap(([exchange, steps]) =>
    steps.map(({ step, world, insideHost, acrossHosts, acrossHostsPerHost }, k) => [
      k === 0 ? exchange : "",
      step,
      COLLECTIVES[step],
      step === "a" ? "1" : "2",
      count(world),
      ...[insideHost, acrossHosts, acrossHostsPerHost].map((amount) => (amount === 0 ? NOTHING : bytes(amount))),
    ]),
  );
  const head = [
    "exchange",
    "step",
    only("page", "what"),
    "passes",
    "world",
    "inside host",
    "across hosts",
    "across, per host",
  ];
  return paperTable("Bytes by collective", head, rows, "lllrrrrr");
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
  const worlds = [...new Set(all.map(({ ranks }) => ranks))];
  const names = [...new Set(all.map(({ family, gpu }) => `${family} ${gpu}`))];
  const rows = names.map((name) => [
    ...name.split(" "),
    ...worlds.map((world) => {
      const found = all.find(({ family, gpu, ranks }) => `${family} ${gpu}` === name && ranks === world);
      return found === undefined ? NOTHING : value(found).toFixed(2);
    }),
  ]);
  const head = ["model", "GPU", ...worlds.map(count)];
  return paperTable("Times faster, by the number of GPUs", head, rows, `ll${"r".repeat(worlds.length)}`);
}

function statementsTable(statements: readonly Statement[]): PlanTable {
  const rows = statements.map(({ where, says, value, isFitted, holds }) => [
    where,
    says,
    value === null ? NOTHING : significant(value.published, 2),
    value === null ? NOTHING : significant(value.ours, 3),
    isFitted ? "fitted to it" : holds ? "yes" : "no",
  ]);
  return paperTable(
    "Statements of the text",
    [only("page", "where"), only("page", "the paper says"), "paper", "ours", "holds here"],
    rows,
    "llrrl",
  );
}

function ratiosTable(all: DmtReproduction["byRatio"]): PlanTable {
  const ratios = [...new Set(all.map(({ ratio }) => ratio))];
  const rows = [...new Set(all.map(({ gpu }) => gpu))].map((name) => [
    name,
    ...ratios.map((wanted) => {
      const found = all.find(({ gpu, ratio }) => gpu === name && ratio === wanted);
      return found === undefined ? NOTHING : found.modules.toFixed(2);
    }),
  ]);
  return paperTable("Times faster, by compression ratio", ["GPU", ...ratios.map(count)], rows, "lrrrr");
}

function figure9Parts({ features, interaction, methods }: Figure9): readonly PaperPart[] {
  const rows = methods.map(({ method, meanInside, meanBetween }) => [
    method,
    meanInside.toFixed(3),
    meanBetween.toFixed(3),
  ]);
  const means = paperTable("Mean interactions", ["towers of", "mean inside", "mean between"], rows, "lrr");
  const drawn = methods.filter(({ method }) => method === "tp");
  const pictures = drawn.flatMap(({ towers }): readonly PaperPart[] => {
    const boundaries = towers.map((_, t) => towers.slice(0, t).reduce((sum, { length }) => sum + length, 0));
    const names = towers.map((tower, t) => [String(t), tower.map((feature) => features[feature]).join(" ")]);
    const ofTowers = paperTable("Features of TP's towers", ["tower", "features"], names, "rl");
    return [{ matrix: interaction, order: towers.flat(), boundaries }, ofTowers];
  });
  return [...pictures, means];
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}
