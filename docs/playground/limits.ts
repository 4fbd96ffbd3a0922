/** What the page takes, and says that it takes. */
export const LIMITS = {
  /** Characters of an instance or a program. */
  text: 4 * 2 ** 20,
  /** Of a search. */
  seconds: 3600,
} as const;
