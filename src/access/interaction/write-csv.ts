/** A square matrix as the text that {@link readCsvMatrix} reads: a header of the names, then one line for each feature. */
export function matrixCsv(names: readonly string[], matrix: ArrayLike<number>): string {
  const size = names.length;
  const lines = names.map((_, row) =>
    Array.from({ length: size }, (_unused, column) => String(matrix[row * size + column])).join(","),
  );
  return `${[names.map(quoted).join(","), ...lines].join("\n")}\n`;
}

function quoted(name: string): string {
  return /^[^\s",#]([^",\n]*[^\s",])?$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
