import type {
  CollectiveBytes,
  DmtReproduction,
  ExchangeBytes,
  Figure9,
  ModelLine,
  SpeedUp,
  Statement,
} from "../../reproduce/dmt/reproduction.js";
import { showMatrix } from "../../terminal/matrix.js";
import { nothing, paint, table } from "../../terminal/table.js";
import { bytes, count, percent, significant } from "../../text/units.js";

/** The number of GPUs whose bytes are shown; the plain data have all. */
const SHOWN_RANKS = 64;

/** DMT's tables 3 to 5 beside ours, the bytes of its setting, modelled speed-ups and figure 9. */
export function showDmt(reproduction: DmtReproduction): string {
  const { table4, table5, bytes: all, speedUps, statements, figure9 } = reproduction;
  const shownBytes = all.find(({ ranks }) => ranks === SHOWN_RANKS) as ExchangeBytes;
  const sections: (readonly [string, string])[] = [
    ["Tables 3 and 4: million flops per sample of training, and compression CR = Σ O_t / (F·N)", showModels(table4)],
    ["Table 5: DMT 8T-DLRM by the width D of its tower modules; the paper's ratio is 1/CR", showModels(table5)],
    ["How they are computed", showFormulas([...table4, ...table5])],
    [
      `Bytes of one pass at the busiest GPU (and host): 26 features, N = 128, fp16, 16K samples per GPU, ${SHOWN_RANKS} GPUs, 8 per host`,
      showBytes(shownBytes),
    ],
    ["Modelled iterations: what is assumed", showAssumptions(reproduction)],
    ["Figure 10: modelled speed-up of DMT over the flat exchange", showSpeedUps(speedUps, ({ speedUp }) => speedUp)],
    ["Figure 11: of which tower modules over SPTT alone", showSpeedUps(speedUps, ({ modules }) => modules)],
    ["What the paper's text says, beside the model", showStatements(statements)],
    [
      `Figure 9: interactions by tower, ${figure9.instance.name} (synthetic; the paper's matrix is not published)`,
      showFigure9(figure9),
    ],
  ];
  return `${sections.map(([title, body]) => `${paint.bold(title)}\n\n${body}`).join("\n\n")}\n`;
}

function showModels(lines: readonly ModelLine[]): string {
  const rows = lines.map(({ model, megaflops: { ours, published }, compression, publishedRatio, agrees }) => [
    model,
    ours.toFixed(3),
    published.toFixed(2),
    signed(ours - published),
    compression === null ? nothing() : compression.toFixed(3),
    compression === null ? nothing() : significant(1 / compression, 3),
    publishedRatio === null ? nothing() : count(publishedRatio),
    agrees ? "yes" : "no",
  ]);
  return table(["model", "ours", "paper", "off by", "CR", "1/CR", "paper", "agrees"], rows, "lrrrrrrl");
}

/** A model that is computed as one above is said to be so. */
function showFormulas(lines: readonly ModelLine[]): string {
  const rows = lines.flatMap(({ model, formula, inferred }, k) => {
    const same = lines.slice(0, k).find((line) => line.formula === formula);
    if (same !== undefined) return [[model, paint.dim(`as ${same.model}`)]];
    return [[model, formula], ...(inferred === null ? [] : [["", paint.dim(`inferred: ${inferred}`)]])];
  });
  return table(
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

function showBytes({ flat, sptt, dlrm, dcn }: ExchangeBytes): string {
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
      ...[insideHost, acrossHosts, acrossHostsPerHost].map((amount) => (amount === 0 ? nothing() : bytes(amount))),
    ]),
  );
  const head = ["exchange", "step", "", "passes", "world", "inside host", "across hosts", "across, per host"];
  return table(head, rows, "lllrrrrr");
}

function showAssumptions({ model }: DmtReproduction): string {
  const { beta, otherMegaflops, achieved } = model;
  const lines = [
    "iteration = compute + embedding exchange; ids are fetched ahead, the dense all-reduce hides behind the backward pass.",
    `All-to-alls across hosts reach world^−${significant(beta, 3)} of the line rate of table 1, those inside hosts all of it (fitted to 4.6×).`,
    `Beside the dense layers there is work of ${significant(otherMegaflops, 3)} MFlops per sample, with towers as without (fitted to 1.4×).`,
    `Compute reaches ${percent(achieved.H100)} of an H100's peak (fitted to 30 %), ${percent(achieved.A100)} of an A100's and ${percent(achieved.V100)} of a V100's (assumed).`,
    "One tower per host, tables spread by columns inside it; vectors and gradients are fp16 (the paper says quantized).",
    "256 and 512 GPUs have more hosts than features: tables are parted by columns, with the model of 26 towers.",
    "It knows no overlap of compute and exchange, no cost of the moves c and e, no stragglers.",
    "The measured bandwidths (figure 5) and speed-ups (figures 10 to 13) have no numbers in the text but those below.",
  ];
  return lines.map((line) => `  ${line}`).join("\n");
}

function showSpeedUps(all: readonly SpeedUp[], value: (speedUp: SpeedUp) => number): string {
  const worlds = [...new Set(all.map(({ ranks }) => ranks))];
  const names = [...new Set(all.map(({ family, gpu }) => `${family} ${gpu}`))];
  const rows = names.map((name) => [
    ...name.split(" "),
    ...worlds.map((world) => {
      const found = all.find(({ family, gpu, ranks }) => `${family} ${gpu}` === name && ranks === world);
      return found === undefined ? nothing() : value(found).toFixed(2);
    }),
  ]);
  const head = ["model", "GPU", ...worlds.map(count)];
  return table(head, rows, `ll${"r".repeat(worlds.length)}`);
}

function showStatements(statements: readonly Statement[]): string {
  const rows = statements.map(({ where, says, value, isFitted, holds }) => [
    where,
    says,
    value === null ? nothing() : significant(value.published, 2),
    value === null ? nothing() : significant(value.ours, 3),
    isFitted ? "fitted to it" : holds ? "yes" : "no",
  ]);
  return table(["", "", "paper", "ours", "holds here"], rows, "llrrl");
}

function showFigure9({ features, interaction, methods }: Figure9): string {
  const rows = methods.map(({ method, meanInside, meanBetween }) => [
    method,
    meanInside.toFixed(3),
    meanBetween.toFixed(3),
  ]);
  const means = table(["towers of", "mean inside", "mean between"], rows, "lrr");
  const drawn = methods.filter(({ method }) => method === "tp");
  const pictures = drawn.map(({ towers }) => {
    const boundaries = towers.map((_, t) => towers.slice(0, t).reduce((sum, { length }) => sum + length, 0));
    const names = towers.map((tower, t) => [String(t), tower.map((feature) => features[feature]).join(" ")]);
    return `${showMatrix(interaction, towers.flat(), boundaries)}\n\n${table(["tower", "features"], names, "rl")}`;
  });
  return [...pictures, means].join("\n\n");
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}
