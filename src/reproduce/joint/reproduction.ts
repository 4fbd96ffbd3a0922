/** What each freedom of a table placement brings, as plain data. */
export interface JointReproduction {
  /** Work of each search, in seconds as work is counted: the same on every machine. */
  readonly workSeconds: number;
  readonly models: readonly JointModel[];
}

export interface JointModel {
  readonly name: string;
  /** Path in the folder instances. */
  readonly instance: string;
  readonly tables: number;
  readonly devices: number;
  readonly unit: string | null;
  /** With all freedoms, without each, and with none; those that the time limit left room for. */
  readonly variants: readonly JointVariant[];
}

export interface JointVariant {
  /** Names of the freedoms that it is without. */
  readonly without: readonly string[];
  /** Of its own search. */
  readonly status: string;
  /** The best plan that any search found and that is one without them, and what no plan is below; `null`: none. */
  readonly value: number | null;
  readonly bound: number | null;
}
