/** Which rows of a ladder play which part. */
export interface LadderRoles {
  readonly memoryRow: number;
  /** A second capacity, where there is one. */
  readonly hostRow: number | null;
  /** With an objective that is the largest of two sums: their rows (sum − z ≤ 0) and the auxiliary column z. */
  readonly channels: { readonly rows: readonly number[]; readonly column: number } | null;
}
