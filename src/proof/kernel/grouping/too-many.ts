/** What a walk gives that a limit ended. It is no error: nothing that goes wrong elsewhere can be taken for it. */
export class TooMany {
  /** What there is too much of, in words. */
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}
