import type { FrontierReport } from "../frontier/report.js";

const COLUMNS = ["series", "bytesPerGpu", "value", "bound", "gap", "status", "usedBytesPerGpu", "rawValue"] as const;

type Line = { readonly series: string } & { readonly [C in (typeof COLUMNS)[number]]?: string | number | null };

/**
 * A frontier as CSV, one point per line: the series `optimal`, each method's name, `point-a` to `point-d` and
 * `break-point`. Bytes per GPU and seconds per iteration; what a series does not have is empty.
 */
export function frontierCsv({ optimal, greedyByMethod, points, breakPoints }: FrontierReport): string {
  const lines: Line[] = [
    ...optimal.map(({ exact: _, isOwnBudget: __, ...point }) => ({ series: "optimal", ...point })),
    ...Object.entries(greedyByMethod).flatMap(([series, curve]) =>
      curve.points.map(({ raw, ...point }) => ({
        series,
        ...point,
        usedBytesPerGpu: raw.usedBytesPerGpu,
        rawValue: raw.value,
      })),
    ),
    ...Object.entries(points ?? {}).map(([name, { bytesPerGpu, value }]) => ({
      series: `point-${name}`,
      bytesPerGpu,
      value,
    })),
    ...breakPoints.map(({ bytesPerGpu, value }) => ({ series: "break-point", bytesPerGpu, value })),
  ];
  const rows = lines.map((line: Line) => COLUMNS.map((column) => line[column] ?? "").join(","));
  return `${[COLUMNS.join(","), ...rows].join("\n")}\n`;
}
