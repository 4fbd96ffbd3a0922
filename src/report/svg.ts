import { Error as ErrorLevel, logger, parse, View } from "vega";
import { type Config, compile, type TopLevelSpec } from "vega-lite";
import type { ChartSpec } from "./chart-spec.js";
import { denseSvg } from "./dense-svg.js";
import { type Html, html, trusted } from "./html.js";
import { colour, themed } from "./palette.js";

/** What a chart is called by those who do not see it. */
export interface ChartText {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/**
 * A specification drawn by Vega as SVG, its colours those of the page's light or dark ground. The marks that have a
 * description keep it as `aria-label`, which the page's script shows where one points.
 */
export async function renderSvg(spec: ChartSpec, { id, title, description }: ChartText): Promise<Html> {
  const drawn = await draw(spec, CONFIG);
  const size = /^<svg[^>]*? width="([\d.]+)" height="([\d.]+)"/.exec(drawn);
  if (size === null) throw new RangeError("an SVG with its size was expected of Vega");
  const inside = drawn.slice(drawn.indexOf(">") + 1);
  const label = html`<title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc>`;
  const names = html`role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"`;
  return trusted(
    `<svg xmlns="http://www.w3.org/2000/svg" class="${Number(size[1]) > HUGE ? "marks huge" : "marks"}" ${names.markup} viewBox="0 0 ${size[1]} ${size[2]}" ` +
      `width="${size[1]}" height="${size[2]}">${label.markup}${denseSvg(ownTags(inside, id))}`,
  );
}

/** A specification drawn to be a file of its own: on white, with its legend. */
export async function pictureSvg(spec: ChartSpec): Promise<string> {
  const { legend: _, ...config } = CONFIG;
  // Specifications leave their legends to the page.
  const whole = JSON.parse(JSON.stringify(spec), (key, value) =>
    key === "legend" && value === null ? undefined : value,
  );
  return draw(whole, { ...config, background: colour.ground });
}

async function draw(spec: ChartSpec, config: Config): Promise<string> {
  // What Vega warns of (such as an empty domain) is nothing that a reader of the page can help.
  const quiet = logger(ErrorLevel);
  const { spec: compiled } = compile(spec as unknown as TopLevelSpec, { config, logger: quiet });
  const view = new View(parse(compiled), { renderer: "none", logLevel: ErrorLevel, logger: quiet });
  return view.toSVG().finally(() => view.finalize());
}

/**
 * Colours by their custom properties, and clips by the picture's own numbers, where Vega numbers all that it ever drew: in tags
 * alone, since between them there are texts, in which Vega escapes `<`.
 */
function ownTags(svg: string, id: string): string {
  const clips = new Map<string, string>();
  return svg.replace(/<[^>]*>/g, (tag) =>
    tag
      .replace(/(fill|stroke)="(#[0-9a-f]{6})"/gi, (_, name, light) => `${name}="${themed(light)}"`)
      .replace(/(id="|url\(#)(clip\d+)(?=[")])/g, (_, before, clip) => {
        if (!clips.has(clip)) clips.set(clip, `${id}-clip-${clips.size}`);
        return `${before}${clips.get(clip)}`;
      })
      // Roles of parts say nothing inside a picture.
      .replace(/ (?:role|aria-roledescription|aria-hidden)="[^"]*"/g, ""),
  );
}

/** Pixels beyond which a picture is wider than any page, and keeps its width; others shrink with a narrower page. */
const HUGE = 1100;

const FONT = "system-ui, -apple-system, Segoe UI, Roboto, sans-serif";

const AXIS = {
  labelColor: colour.muted,
  titleColor: colour.text,
  labelFontSize: 12,
  titleFontSize: 12,
  titleFontWeight: "normal",
  labelFont: FONT,
  titleFont: FONT,
} as const;

/** What all charts have in common; specifications do without it, to be drawn in a style of one's own. */
const CONFIG = {
  background: "transparent",
  font: FONT,
  view: { stroke: null },
  axis: {
    ...AXIS,
    gridColor: colour.line,
    domainColor: colour.grey,
    tickColor: colour.grey,
    labelLimit: 150,
  },
  // The page writes legends itself.
  legend: { disable: true },
  text: { color: colour.text, font: FONT, fontSize: 12 },
} as const;
