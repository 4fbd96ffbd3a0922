import { expect, test } from "vitest";
import { CATEGORIES, COLOURS, colourProperties, SEQUENCE, themed } from "../../../src/report/palette.js";

test("every colour of a light ground stands for one of a dark ground", () => {
  const lights = [...Object.values(COLOURS), ...SEQUENCE].map(([light]) => light);
  expect(new Set(lights).size).toBe(lights.length);
  for (const light of lights) {
    const name = /^var\((--c[0-9a-f]{6})\)$/.exec(themed(light))?.[1] as string;
    for (const ground of ["light", "dark"] as const) expect(colourProperties(ground)).toContain(`${name}:#`);
  }
  expect(themed("#123456")).toBe("#123456");
});

test.each(["light", "dark"] as const)("text and marks stand out from a %s ground", (ground) => {
  const of = (pair: readonly [string, string]) => luminance(pair[ground === "light" ? 0 : 1]);
  const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  expect(contrast(of(COLOURS.text), of(COLOURS.ground))).toBeGreaterThan(7);
  expect(contrast(of(COLOURS.muted), of(COLOURS.ground))).toBeGreaterThan(4.5);
  for (const name of ["blue", "vermilion", "green"] as const) {
    expect(contrast(of(COLOURS[name]), of(COLOURS.ground))).toBeGreaterThan(3);
  }
});

test("categories differ for those who do not tell red from green, on either ground", () => {
  for (const k of [0, 1] as const) {
    const seen = Object.values(COLOURS)
      .filter(([light]) => CATEGORIES.includes(light))
      .map((pair) => deuteranope(pair[k]));
    for (const [i, a] of seen.entries()) {
      for (const b of seen.slice(i + 1))
        expect(Math.hypot(...a.map((x, c) => x - (b[c] as number)))).toBeGreaterThan(25);
    }
  }
});

test("the sequence goes one way in lightness, away from its ground", () => {
  const light = SEQUENCE.map(([each]) => luminance(each));
  const dark = SEQUENCE.map(([, each]) => luminance(each));
  expect(light).toEqual([...light].sort((a, b) => b - a));
  expect(dark).toEqual([...dark].sort((a, b) => a - b));
});

function channels(hex: string): readonly [number, number, number] {
  const [r, g, b] = [1, 3, 5].map((from) => Number.parseInt(hex.slice(from, from + 2), 16));
  return [r as number, g as number, b as number];
}

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** As somebody without the middle cones sees it (Machado, Oliveira and Fernandes 2009, severity 1), near enough in sRGB. */
function deuteranope(hex: string): readonly number[] {
  const [r, g, b] = channels(hex);
  return [
    0.367322 * r + 0.860646 * g - 0.227968 * b,
    0.280085 * r + 0.672501 * g + 0.047413 * b,
    -0.01182 * r + 0.04294 * g + 0.968881 * b,
  ];
}
