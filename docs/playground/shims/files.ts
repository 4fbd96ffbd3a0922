/** What the program uses of node:fs, node:fs/promises and node:child_process: a page has no files and starts no programs. */

let isRefused = false;

/** Whether a file was asked for. */
export function wasFileRefused(): boolean {
  return isRefused;
}

function refusedNow(): never {
  isRefused = true;
  throw new Error("a page has no files");
}

async function refused(): Promise<never> {
  return refusedNow();
}

export {
  refused as mkdtemp,
  refused as open,
  refused as readFile,
  refused as rm,
  refused as stat,
  refused as writeFile,
  refusedNow as closeSync,
  refusedNow as createReadStream,
  refusedNow as fstatSync,
  refusedNow as openSync,
  refusedNow as readFileSync,
  refusedNow as spawn,
  refusedNow as statSync,
};

export function existsSync(): boolean {
  return false;
}
