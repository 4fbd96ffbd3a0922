import { z } from "zod";
import type { Random } from "../../exact/random.js";

/** Two independent standard normal numbers (Box and Muller). */
export function normals(random: Random): [number, number] {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  const angle = 2 * Math.PI * random.next();
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** A standard normal number: the sum of twelve uniform ones less 6 (Irwin and Hall), which is the same on every machine. */
export function nearlyNormal(random: Random): number {
  let sum = -6;
  for (let k = 0; k < 12; k++) sum += random.next();
  return sum;
}

/** What a number is drawn from: itself, or [least, most]. */
export type Range = number | readonly [number, number];

/** An option that is a {@link Range}. */
export const range = (field: z.ZodType<number>, description: string) =>
  z
    .union([field, z.tuple([field, field])])
    .refine((value) => typeof value === "number" || value[0] <= value[1])
    .describe(`${description}: a number, or [least, most]`);

export function uniform(random: Random, from: Range): number {
  const [least, most] = bounds(from);
  return least + (most - least) * random.next();
}

/** Uniform in the logarithm; `from` is above 0. */
export function logUniform(random: Random, from: Range): number {
  const [least, most] = bounds(from);
  return Math.min(most, Math.max(least, least * Math.exp(Math.log(most / least) * random.next())));
}

export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)] as Item;
}

/** Four significant digits: as papers print what they measured. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function bounds(from: Range): readonly [number, number] {
  return typeof from === "number" ? [from, from] : from;
}

/** What a generator makes: an instance without the keys that all instances have. */
export interface Generated {
  readonly name: string;
  readonly keys: object;
}
