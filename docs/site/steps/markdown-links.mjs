/** Fenced code, code in a line, and comments, in which nothing is a link. */
const CODE = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$|<!--[\s\S]*?-->|(`+)(?!`)[\s\S]*?[^`]\2(?!`)/gm;

/** The end of a link or a picture, which may stand in the text of a link. */
const TARGET = /(\]\()([^()\s]+)(\))/g;

/** A text with the target of every link and picture as `targetOf` has it. */
export function withLinks(text, targetOf) {
  // A code span may be the text of a link, whose target is behind it: code is put aside while links are looked for.
  const aside = [];
  const plain = text.replace(CODE, (code) => `\u0000${aside.push(code) - 1}\u0000`);
  const linked = plain.replace(TARGET, (_, begin, target, end) => begin + targetOf(target) + end);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what stands for code is no character of a page.
  return linked.replace(/\u0000(\d+)\u0000/g, (_, k) => aside[k]);
}
