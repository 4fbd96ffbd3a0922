/** Which rows of a ladder play which part. */
export interface LadderRoles {
  readonly memoryRow: number;
  /** A second capacity, where there is one. */
  readonly hostRow: number | null;
  /** With an objective that is the largest of two sums: their rows (sum − z ≤ 0) and the auxiliary column z. */
  readonly channels: { readonly rows: readonly number[]; readonly column: number } | null;
}

/** The same of a part of a ladder that is written out, whose fixed charges are all decided. */
export interface ChoiceRoles extends Pick<LadderRoles, "memoryRow" | "channels"> {
  /** The binaries of the charges. */
  readonly carriers: readonly { readonly column: number }[];
}
