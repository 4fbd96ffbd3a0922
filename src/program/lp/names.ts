import { editDistance } from "../../errors/nearest.js";

/** First characters of a name: those that cannot begin a number, an operator, a bracket or a separator. */
const FIRST = "A-Za-z_!#$%&?@~";
const LATER = `${FIRST}0-9"(),.;'\`{}|/`;

/** A name at the regular expression's position. */
export const NAME = new RegExp(`[${FIRST}][${LATER}]*`, "y");

/** Follows a word that is complete. */
export const WORD_END = `(?![${LATER}])`;

/** Most letters of a name that CBC reads. */
export const MOST_LETTERS = 100;

/** Characters of names that HiGHS or CBC does not read. */
export const UNREAD = /[/|]/;

/** The beginnings of names that HiGHS takes for numbers. */
export const LIKE_NUMBER = /^(inf|nan)/i;

const WHOLE_NAME = new RegExp(`^[${FIRST}][${LATER}]*$`);

/** The words that open a section, `free` and the infinities; compared without regard to case. */
const KEYWORDS = new Set(
  `minimize minimise minimum min maximize maximise maximum max subject such st st. s.t s.t. bounds bound generals general
  gen integers integer int binaries binary bin end free inf infinity semi semis semi-continuous sos sos1 sos2 lazy user
  gencons pwlobj multi-objectives scenario indicators`.split(/\s+/),
);

/**
 * Why a name cannot be written in an LP file; `undefined` when it can. The rules are those that all readers share:
 * CPLEX's characters but / and |, at most 100 of them, not like an exponent (`e9`, which follows a coefficient), no
 * keyword, and not with inf or nan in front, which HiGHS takes for a number.
 */
export function nameProblem(name: string): string | undefined {
  if (!WHOLE_NAME.test(name)) {
    return "names begin with a letter or one of _ ! # $ % & ? @ ~ and go on with letters, digits and _ ! # $ % & ? @ ~ \" ( ) , . ; ' ` { } | /";
  }
  if (name.length > MOST_LETTERS) return `CBC reads names of at most ${MOST_LETTERS} characters`;
  if (UNREAD.test(name)) return "HiGHS and CBC do not read / and |";
  if (/^e(\d|$)/i.test(name)) return "it reads like a number's exponent";
  if (isKeyword(name)) return "it is a keyword of the format";
  if (LIKE_NUMBER.test(name)) return "HiGHS takes its beginning for a number";
  return undefined;
}

/** Whether a word opens a section in some file, or is `free` or an infinity. */
export function isKeyword(word: string): boolean {
  return KEYWORDS.has(word.toLowerCase());
}

/** `inf` and `infinity` in any case. */
export function isInfinityWord(text: string): boolean {
  return /^inf(inity)?$/i.test(text);
}

/** Whether a word differs from a keyword of at least five letters by one or two letters: a misspelt section header. */
export function looksLikeKeyword(word: string): boolean {
  const lower = word.toLowerCase();
  return [...KEYWORDS].some(
    (keyword) =>
      keyword.length >= 5 && Math.abs(keyword.length - lower.length) <= 2 && editDistance(lower, keyword) <= 2,
  );
}
