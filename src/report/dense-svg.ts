/**
 * Vega's SVG with fewer letters: coordinates to a hundredth of a pixel, and the cells of a matrix as one path for each colour.
 * What is drawn, and what is said of marks, stays.
 */
export function denseSvg(svg: string): string {
  return commonAttributes(
    mergedCells(svg.replace(/<path [^>]*>/g, (tag) => tag.replace(/ (d|transform)="[^"]*"/g, rounded))),
  );
}

/** A group of marks that are paths alone. */
const PATHS = /(<g class="mark-[^"]*")>((?:<path [^>]*\/>){3,})<\/g>/g;

/** What parts inherit; the opacity of a group is another thing than that of its parts. */
const INHERITED = /^(?:fill|stroke|stroke-width|stroke-dasharray)$/;

/** What all marks of a group have in common is said once, of the group. */
function commonAttributes(svg: string): string {
  return svg.replace(PATHS, (group, open: string, inside: string) => {
    const tags = inside.split(/(?<=\/>)/);
    const [first = ""] = tags;
    const common = [...first.matchAll(/ ([\w-]+)="[^"]*"/g)]
      .filter(([text, name = ""]) => INHERITED.test(name) && tags.every((tag) => tag.includes(text)))
      .map(([text]) => text);
    if (common.length === 0) return group;
    const shorter = common.reduce((left, text) => left.replaceAll(text, ""), inside);
    return `${open}${common.join("")}>${shorter}</g>`;
  });
}

/** Digits beyond the second of a fraction are of no pixel. */
function rounded(attribute: string): string {
  return attribute.replace(/-?\d+\.\d{3,}(?:e-?\d+)?/g, (number) =>
    String(Math.round(Number(number) * 100) / 100 || 0),
  );
}

/** A group of marks that are rectangles alone. */
const RECTANGLES = /(<g class="mark-rect[^"]*">)((?:<path d="M[^"]*Z" [^>]*\/>){2,})(<\/g>)/g;
const RECTANGLE = /<path d="M(-?[\d.]+),(-?[\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+Z" ([^>]*)\/>/g;

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How it is drawn. */
  readonly style: string;
}

/**
 * Rectangles of which nothing is said, that have no edge and lie beside one another, as one path for each way of drawing them:
 * neighbours in a line become one. Others stay as they are.
 */
function mergedCells(svg: string): string {
  return svg.replace(RECTANGLES, (group, open: string, inside: string, close: string) => {
    if (/aria-label|stroke/.test(inside)) return group;
    const cells = [...inside.matchAll(RECTANGLE)].map(([, x, y, width, height, style = ""]): Rectangle => {
      return { x: Number(x), y: Number(y), width: Number(width), height: Number(height), style };
    });
    if (cells.length !== inside.split("<path ").length - 1 || overlap(cells)) return group;
    const byStyle = new Map<string, string>();
    for (const { x, y, width, height, style } of runs(cells)) {
      const shape = `M${x},${y}h${width}v${height}h${-width}Z`;
      byStyle.set(style, `${byStyle.get(style) ?? ""}${shape}`);
    }
    return `${open}${[...byStyle].map(([style, shapes]) => `<path d="${shapes}" ${style}/>`).join("")}${close}`;
  });
}

/** How far edges that are one may be apart once they are rounded. */
const NEAR = 0.02;

/** By lines and along them; where two overlap it is not the same in which order they are drawn. */
function overlap(cells: readonly Rectangle[]): boolean {
  const sorted = inOrder(cells);
  return sorted.some((cell, k) => {
    const next = sorted[k + 1];
    if (next === undefined) return false;
    const isSameLine = Math.abs(next.y - cell.y) <= NEAR && Math.abs(next.height - cell.height) <= NEAR;
    return isSameLine ? next.x < cell.x + cell.width - NEAR : next.y < cell.y + cell.height - NEAR;
  });
}

function inOrder(cells: readonly Rectangle[]): readonly Rectangle[] {
  return [...cells].sort((a, b) => (Math.abs(a.y - b.y) > NEAR ? a.y - b.y : a.x - b.x));
}

/** Neighbours of one line that are drawn alike, as one. */
function runs(cells: readonly Rectangle[]): readonly Rectangle[] {
  const found: Rectangle[] = [];
  for (const cell of inOrder(cells)) {
    const last = found.at(-1);
    const isNext =
      last !== undefined &&
      last.style === cell.style &&
      Math.abs(last.y - cell.y) <= NEAR &&
      Math.abs(last.height - cell.height) <= NEAR &&
      Math.abs(last.x + last.width - cell.x) <= NEAR;
    if (!isNext) found.push(cell);
    else found[found.length - 1] = { ...last, width: Math.round((cell.x + cell.width - last.x) * 100) / 100 };
  }
  return found;
}
