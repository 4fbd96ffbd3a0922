import { paint } from "./table.js";

/** From the least to the largest entry off the diagonal. */
const SHADES = [" ", "░", "▒", "▓", "█"] as const;
/** Characters per entry: about as wide as a line is high. */
const CELL = 2;

/**
 * A square matrix as a picture of shaded cells, its rows and columns in the given order and parted by lines.
 *
 * `matrix` has n × n entries by rows; `order` says which row (and column) stands where, `boundaries` before which places,
 * rising, a line is drawn (0 and n are none). Shades are five equal steps between the least and the largest entry off the
 * diagonal, which is drawn as the darkest; a last line says what they are.
 *
 * Throws `RangeError` unless the order has each of n numbers once.
 */
export function showMatrix(
  matrix: ArrayLike<number>,
  order: readonly number[],
  boundaries: readonly number[] = [],
): string {
  const count = order.length;
  if (matrix.length !== count * count || new Set(order).size !== count || order.some((k) => !(k >= 0 && k < count))) {
    throw new RangeError(`an order of ${count} places does not fit a matrix of ${matrix.length} entries`);
  }
  const inner = boundaries.filter((place) => place > 0 && place < count);
  const entry = (row: number, column: number) => matrix[(order[row] as number) * count + (order[column] as number)];
  const places = order.map((_, place) => place);
  const others = places.flatMap((row) => places.flatMap((column) => (row === column ? [] : [entry(row, column)])));
  const least = Math.min(...(others as number[]));
  const most = Math.max(...(others as number[]));
  const shade = (row: number, column: number): string => {
    if (row === column) return SHADES[4];
    const share = most === least ? 0 : ((entry(row, column) as number) - least) / (most - least);
    return SHADES[Math.min(4, Math.floor(5 * share))] as string;
  };
  const parted = (cells: readonly string[], line: string) =>
    cells.map((cell, column) => (inner.includes(column) ? line + cell : cell)).join("");
  const between = paint.dim(
    parted(
      places.map(() => "─".repeat(CELL)),
      "┼",
    ),
  );
  const lines = places.flatMap((row) => {
    const cells = places.map((column) => shade(row, column).repeat(CELL));
    const drawn = parted(cells, paint.dim("│"));
    return inner.includes(row) ? [between, drawn] : [drawn];
  });
  const scale = count < 2 ? "" : `  ${SHADES.map((each) => `[${each}]`).join("")}  ${least} … ${most} off the diagonal`;
  return [...lines.map((line) => `  ${line}`), scale].join("\n").trimEnd();
}
