import { firstEntries, isHex, isInteger, isWeighted, looksLikeList, looksLikeTexts } from "./ids.js";
import type { LogOptions } from "./options.js";

/** What a column of texts holds. */
export interface Texts {
  readonly isList: boolean;
  /** Entries of its lists are ids with a weight behind a colon, which is left out. */
  readonly isWeighted: boolean;
  /** Whether every id is to be an integer. */
  readonly isInteger: boolean;
}

/** What databases and Python print for no value; it may be a text of its own, so it is asked about. */
const MISSING_WORDS = /^(null|none|nan|na|n\/a|<na>|nat)$/i;

/**
 * What the first values of a column say of it, where the options do not. A column is of lists where most values that are not
 * one id look like lists; where they look so to a reader alone, a note says that they are counted as one id each. Ids are
 * integers where most of them are, unless all are hexadecimal and some have letters.
 */
export function readTexts(column: string, values: readonly string[], options: LogOptions): Texts {
  const { list, ids, weight, isAggregate, onNote } = options;
  const written = values.filter((text) => text.trim() !== "");
  const several = written.filter((text) => !isInteger(text));
  const looks = several.filter((text) => looksLikeList(text, hasSamples(options)));
  // A weight belongs to one access.
  const isAccess = weight !== undefined || isAggregate === true;
  const isList = list !== undefined || (!isAccess && looks.length > 0 && looks.length * 2 >= several.length);
  const example = isList || isAccess ? undefined : several.find(looksLikeTexts);
  if (example !== undefined && several.filter(looksLikeTexts).length * 2 >= several.length) {
    onNote?.(
      `column "${column}": texts such as ${JSON.stringify(example)} are counted as one id each; if they are lists, say ${options.option === "--columns" ? `--columns ${column}[]` : `--list ${column}`}`,
    );
  }
  const words = [...new Set(written.filter((text) => MISSING_WORDS.test(text.trim())))];
  for (const word of words) {
    onNote?.(`column "${column}": ${word} is counted as an id; if it is no value, say --null ${JSON.stringify(word)}`);
  }
  const found = isList
    ? written.flatMap(firstEntries)
    : written.map((text) => text.trim()).filter((text) => !MISSING_WORDS.test(text));
  const weighted = isList && ids !== "texts" && found.filter(isWeighted).length * 2 > found.length;
  const integers = found.filter((id) => isInteger(weighted ? (id.split(":")[0] as string) : id)).length;
  // As many of each: the first one says it.
  const most = integers * 2 - found.length || (isInteger(found[0] ?? "") ? 1 : -1);
  const areHex = integers < found.length && found.every(isHex);
  return {
    isList,
    isWeighted: weighted,
    isInteger: ids === undefined ? most > 0 && !areHex : ids === "integers",
  };
}

/** Whether something else than the lines says how many samples there are. */
export function hasSamples({ sample, samples, mayBeMissing }: LogOptions): boolean {
  return sample !== undefined || samples !== undefined || mayBeMissing === true;
}
