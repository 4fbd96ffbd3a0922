/** The least and the most that a ReLU's input can be, times its outgoing weight, in units of 1 / denominator. */
export interface UnitRange {
  readonly least: bigint;
  readonly most: bigint;
}
