import type { Limit } from "./limits.js";

/**
 * Limits of which one number says what partial points have left: how far what is used is beyond the slack, of the one where it is
 * furthest. More than one where they ask the same of all choices to come.
 */
export interface Margin {
  readonly limits: readonly number[];
  /** What rounding may hide of the number, in its own units. */
  readonly slip: number;
}

/**
 * After each choice, the margins that tell partial points apart. Limits that ask the same of all choices to come are one, and of those
 * that asked the same of all choices so far one alone is compared: rows of the most that one device has beyond the others, each of a
 * table and otherwise alike, are two at every time, where they would be as many as there are tables.
 */
export function marginsAfter(limits: readonly Limit[], choices: number): (depth: number) => readonly Margin[] {
  const numbers = new Map<string, number>();
  const idOf = (uses: readonly bigint[]): number => {
    const key = uses.join(" ");
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  };
  const ids = limits.map(({ exactUses }) => exactUses.map(idOf));
  const past = limits.map(({ shift }) => [`${shift}`]);
  const future = limits.map(({ shift }) => [`${shift}`]);
  const chain = new Map<string, string>();
  const follow = (before: string, id: number): string => {
    const key = `${before},${id}`;
    const known = chain.get(key) ?? `#${chain.size}`;
    chain.set(key, known);
    return known;
  };
  ids.forEach((own, r) => {
    for (let c = 0; c < choices; c++) past[r]?.push(follow(past[r]?.[c] as string, own[c] as number));
    for (let c = choices - 1; c >= 0; c--) future[r]?.push(follow(future[r]?.at(-1) as string, own[c] as number));
  });
  return (depth) => {
    const decided = depth + 1;
    const margins = new Map<string, number[]>();
    limits.forEach((_, r) => {
      const key = future[r]?.[choices - decided] as string;
      margins.set(key, [...(margins.get(key) ?? []), r]);
    });
    const told = new Set<string>();
    const apart: Margin[] = [];
    for (const own of margins.values()) {
      const [first] = own as [number];
      const alone = own.length === 1 ? (past[first]?.[decided] as string) : null;
      if (alone !== null && told.has(alone)) continue;
      if (alone !== null) told.add(alone);
      // What is used may be more than what is written by one for each choice, and the slack by one.
      const isRounded = (limits[first] as Limit).shift > 0n;
      apart.push({ limits: own, slip: isRounded ? decided + (own.length === 1 ? 0 : 1) : 0 });
    }
    return apart;
  };
}

/** Every limit apart: how much it is used. */
export function allApart(limits: readonly Limit[]): (depth: number) => readonly Margin[] {
  return (depth) => limits.map(({ shift }, r) => ({ limits: [r], slip: shift > 0n ? depth + 1 : 0 }));
}
