/** The global `process` as libraries of terminal colours read it; a page has no colours of that kind. */
export const process = {
  argv: [] as readonly string[],
  env: { NO_COLOR: "1" },
  platform: "browser",
  stdout: { isTTY: false },
  stderr: { isTTY: false },
  versions: {},
};
