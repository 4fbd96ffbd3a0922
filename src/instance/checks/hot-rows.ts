import type { Path } from "../document.js";
import type { Finding } from "../findings.js";
import type { AccessInput } from "../schema/access.js";
import { checkAccess } from "./access.js";

/** An access curve that break-points are taken of; `access` is what is at `path`. */
export function checkAccessCurve(access: AccessInput | undefined, rows: number, path: Path): Finding[] {
  if (access === undefined) return [];
  if (access.counts !== undefined) {
    const message =
      "expected histogram, coverage or zipfMandelbrot for towers, received counts; shardproof profile makes a histogram of them";
    return [{ path: [...path, "counts"], atKey: true, message }];
  }
  return checkAccess(access, rows, path);
}

/** The parts of a split table are called NAME_hot and NAME_cold. */
export function checkPartNames(tables: readonly { readonly name: string }[]): Finding[] {
  const known = new Set(tables.map(({ name }) => name));
  return tables.flatMap(({ name }, t) =>
    ["_hot", "_cold"].flatMap((part): Finding[] => {
      if (!name.endsWith(part) || !known.has(name.slice(0, -part.length))) return [];
      const message = `expected a name that no part of another table has, received ${name}; rename it`;
      return [{ path: ["tables", t, "name"], message }];
    }),
  );
}
