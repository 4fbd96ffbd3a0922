import { isNames, isShare, type Names, type PlanRow, type PlanTable, tableOn } from "../../facts/plan-table.js";
import { bar } from "../../terminal/bar.js";
import { paint, table } from "../../terminal/table.js";
import { printable } from "../../text/printable.js";
import { count, percent } from "../../text/units.js";
import { sentence } from "./facts.js";

/** A table of a plan, as the terminal draws it. */
export function showTable(planTable: PlanTable): string {
  const { columns, rows } = tableOn("terminal", planTable);
  const lines = rows.map(({ cells, isStrong = false }) => {
    const texts = cells.map((cell) => cellText(cell));
    return isStrong ? texts.map((text) => paint.bold(text)) : texts;
  });
  const heads = columns.map(({ head }) => sentence(head));
  return table(heads, lines, columns.map(({ align }) => align).join(""));
}

function cellText(cell: PlanRow["cells"][number]): string {
  if (isNames(cell)) return namesText(cell);
  if (!isShare(cell)) return sentence(cell);
  const drawn = bar(cell.share, BAR);
  return drawn === "" ? percent(cell.share) : `${paint.dim(drawn)} ${percent(cell.share).padStart(7)}`;
}

/** Letters of a bar. */
const BAR = 8;

/** As many names as there is room for, one at least. */
function namesText({ names, most, none }: Names): string {
  if (names.length === 0) return sentence(none);
  let text = "";
  for (const [k, name] of names.entries()) {
    const longer = k === 0 ? printable(name) : `${text}, ${printable(name)}`;
    if (k > 0 && longer.length > most.characters) {
      return `${text}, ${paint.dim(`… ${count(names.length - k)} more`)}`;
    }
    text = longer;
  }
  return text;
}
