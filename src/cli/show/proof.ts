import { count, significant } from "./units.js";

/** A number with what it is of: `1 step`, `12 steps`. */
export function some(number: number, one: string, many: string): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** How a bound was proved: the size of its certificate, and how long checking it took. */
export function proofText(
  { steps, branchings, columns }: { readonly steps: number; readonly branchings: number; readonly columns?: number },
  proveSeconds: number,
): string {
  const parts = [
    some(steps, "step", "steps"),
    branchings === 0 ? "no branching" : some(branchings, "branching", "branchings"),
    ...(columns === undefined ? [] : [some(columns, "column", "columns")]),
    "checked in exact arithmetic",
  ];
  const time = proveSeconds === 0 ? "under 1" : significant(proveSeconds * 1000, 3);
  return `${parts.join(", ")} (${time} ms)`;
}
