/** What a generator makes: an instance without the keys that all instances have. */
export interface Generated {
  readonly name: string;
  readonly keys: object;
}
