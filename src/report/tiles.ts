import type { Tile } from "../facts/tiles.js";
import { type Html, html } from "./html.js";
import type { ReportCheck } from "./input.js";
import { sentence } from "./section.js";

/** What a page says in large type. A plan that failed its check claims nothing there; `null`: of no plan alone. */
export function tileRow(tiles: readonly Tile[], check: ReportCheck | null): Html | null {
  if (tiles.length === 0) return null;
  return html`<div class="tiles">${tiles.map((tile) => drawnTile(tile, check))}</div>`;
}

function drawnTile(tile: Tile, check: ReportCheck | null): Html {
  const { name, value, beside, mark } = tile.name === "proof" && check !== null ? checkedTile(tile, check) : tile;
  return html`<div class="tile"><span class="name">${name}</span><span class="large ${mark ?? ""}">${sentence(value)}</span><span class="beside">${sentence(beside)}</span></div>\n`;
}

function checkedTile(tile: Tile, check: ReportCheck): Tile {
  if (check.kind === "failed") {
    return { name: tile.name, value: "Failed", beside: "the check: do not rely on this plan", mark: "bad" };
  }
  return check.kind === "unchecked" ? { ...tile, beside: [tile.beside, "; not checked again"] } : tile;
}
