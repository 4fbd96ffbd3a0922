/** Shells that a script is made for. */
export const SHELLS = ["bash", "zsh"] as const;

export type Shell = (typeof SHELLS)[number];
