import { significant, some } from "../../text/units.js";

/** How a bound was proved: the size of its certificate, and how long checking it took. */
export function proofText(
  { steps, branchings, columns }: { readonly steps: number; readonly branchings: number; readonly columns?: number },
  proveSeconds: number,
): string {
  const parts = [
    some(steps, "step"),
    branchings === 0 ? "no branching" : some(branchings, "branching"),
    ...(columns === undefined ? [] : [some(columns, "column")]),
    "checked in exact arithmetic",
  ];
  const time = proveSeconds === 0 ? "under 1" : significant(proveSeconds * 1000, 3);
  return `${parts.join(", ")} (${time} ms)`;
}
