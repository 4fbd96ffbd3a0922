/** A row of `acceptance`: the name of an instance or program (instance-file.ts), and the limit that it is run with. */
export interface Row {
  readonly name: string;
  readonly limitSeconds: number;
}

/** The limit of most rows, and the most of a row that `acceptance short` runs. */
export const SHORT_SECONDS = 20;

/** Names by the limit of their rows. Drawn ones end with `/*`, in place of which each seed comes. */
const NAMES: readonly (readonly [limitSeconds: number, names: readonly string[]])[] = [
  [SHORT_SECONDS, ["80x16", "50x16", "26x16", "26x8", "40x8", "100x16"].map((shape) => `lognormal/${shape}x10/*`)],
  [SHORT_SECONDS, ["12x2x4", "20x2x4", "60x4x8", "20x1x8@1.1", "20x1x8@1.3"].map((shape) => `torchrec/${shape}/*`)],
  [SHORT_SECONDS, ["dlrm40/60", "dlrm40/7"]],
  [5, ["fused/40x2x8@1.031/*"]],
  [
    SHORT_SECONDS,
    ["tiny", "small", "medium", "large", "jumbo", "colossal"].map((size) => `public/nvidia-synthetic-${size}`),
  ],
  [SHORT_SECONDS, ["t7", "t180", "t200", "t510"].map((size) => `public/hugectr-${size}`)],
  [
    SHORT_SECONDS,
    ["1-node", "8-nodes", "16-nodes"].flatMap((nodes) =>
      ["", "-any-split"].map((splits) => `public/hugectr-dlrm-dcnv2-${nodes}${splits}`),
    ),
  ],
  [SHORT_SECONDS, ["criteo", "dcnv2"].flatMap((model) => [8, 16, 32, 64].map((gpus) => `${model}/${gpus}`))],
  [60, ["drifted/200x4x8/*"]],
  [SHORT_SECONDS, ["torchrec/500x16x8/*"]],
  [60, ["torchrec/2500x125x8/*"]],
  [SHORT_SECONDS, ["costs/learned-15x3", "costs/learned-convex-40x4", "costs/learned-convex-80x8"]],
  [SHORT_SECONDS, ["towers/26x4/*", "towers/48x8/*", "towers/60x6/*"]],
  [SHORT_SECONDS, [1, 2, 3, 4].map((model) => `paper/flexshard-rm${model}`)],
  [
    SHORT_SECONDS,
    ["bell5", "enigma", "flugpl", "gt2", "lseu", "misc03", "p0548", "small_mip"].map(
      (name) => `public-programs/${name}`,
    ),
  ],
];

const SEED = /\/\*$/;

/**
 * The rows that `words` ask for, all without any: `short`, a row's name with or without its seed, the first part of names, or
 * what instance-file.ts knows beside the list, with the limit of most rows.
 */
export function rowsOf(words: readonly string[], seeds: number): readonly Row[] {
  const all = NAMES.flatMap(([limitSeconds, names]) =>
    names.flatMap((name) => seeded(name, seeds).map((one): Row => ({ name: one, limitSeconds }))),
  );
  if (words.length === 0) return all;
  const asked = words.flatMap((word) => {
    if (word === "short") return all.filter(({ limitSeconds }) => limitSeconds <= SHORT_SECONDS);
    const listed = all.filter(({ name }) => name === word || name.startsWith(`${word}/`));
    return listed.length > 0 ? listed : [{ name: word, limitSeconds: SHORT_SECONDS }];
  });
  return [...new Map(asked.map((row) => [row.name, row])).values()];
}

function seeded(name: string, seeds: number): readonly string[] {
  return SEED.test(name) ? Array.from({ length: seeds }, (_, k) => name.replace(SEED, `/${k + 1}`)) : [name];
}
