/** Fenced code, code in a line, and comments, in which nothing is a link or a heading. */
const CODE = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$|<!--[\s\S]*?-->|(`+)(?!`)[\s\S]*?[^`]\2(?!`)/gm;

/** The targets of a page's links and pictures, as they are written. */
export function linksIn(text: string): readonly string[] {
  return [...text.replace(CODE, "code").matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target as string);
}

/** The anchors of a page's headings as GitHub makes them: of letters, digits, hyphens; numbered where one is there already. */
export function anchorsIn(text: string): ReadonlySet<string> {
  const withoutFences = text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, "");
  const anchors = new Set<string>();
  for (const [, heading] of withoutFences.matchAll(/^#{1,6} +(.*?)(?: +#+)?$/gm)) {
    const words = (heading as string).replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let k = 1; anchors.has(anchor); k++) anchor = `${slug}-${k}`;
    anchors.add(anchor);
  }
  return anchors;
}
