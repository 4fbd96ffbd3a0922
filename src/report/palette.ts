/**
 * Colours of the page: each by its value on a light ground, which is also what a chart's specification has, with the one
 * that takes its place on a dark ground. Categories are Okabe and Ito's (2008), which people who do not tell red from
 * green can tell apart; on a dark ground lighter ones of the same hues.
 */
export const COLOURS = {
  ground: ["#ffffff", "#15181d"],
  text: ["#1b1f24", "#e6e9ed"],
  muted: ["#5b6470", "#9ba5b1"],
  line: ["#dfe3e8", "#2f363e"],
  blue: ["#0072b2", "#4ba3e3"],
  orange: ["#e69f00", "#f2b53d"],
  green: ["#009e73", "#2dc193"],
  vermilion: ["#d55e00", "#ff8b45"],
  sky: ["#56b4e9", "#a3dbff"],
  purple: ["#cc79a7", "#e6a3c8"],
  yellow: ["#f0e442", "#f6ee7d"],
  grey: ["#b4bac1", "#7a828c"],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

/** A colour as specifications have it. */
export const colour = Object.fromEntries(Object.entries(COLOURS).map(([name, [light]]) => [name, light])) as Readonly<
  Record<keyof typeof COLOURS, string>
>;

/** Categories in the order in which they are given out. */
export const CATEGORIES: readonly string[] = [
  colour.blue,
  colour.orange,
  colour.green,
  colour.purple,
  colour.sky,
  colour.vermilion,
  colour.yellow,
  colour.grey,
];

/** From little to much, by lightness alone: from the ground's side to the text's (ColorBrewer's Blues, seven classes). */
export const SEQUENCE: readonly (readonly [light: string, dark: string])[] = [
  ["#eff3fa", "#1c232d"],
  ["#d2e1f2", "#1f344b"],
  ["#abcde6", "#25486c"],
  ["#74abd3", "#316393"],
  ["#4289c0", "#4f86bd"],
  ["#1c64a6", "#84b1dd"],
  ["#08406f", "#cfe3f7"],
];

const PAIRS: readonly (readonly [light: string, dark: string])[] = [...Object.values(COLOURS), ...SEQUENCE];

/** The custom properties of all colours for a light or a dark ground. */
export function colourProperties(ground: "light" | "dark"): string {
  return PAIRS.map(([light, dark]) => `${nameOf(light)}:${ground === "light" ? light : dark}`).join(";");
}

const NAMES = new Map(PAIRS.map(([light]) => [light, `var(${nameOf(light)})`]));

/** The custom property that stands for a colour of this palette; any other text as it is. */
export function themed(light: string): string {
  return NAMES.get(light.toLowerCase()) ?? light;
}

function nameOf(light: string): string {
  return `--c${light.slice(1)}`;
}
