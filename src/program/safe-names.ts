import { freeName, makeProgram, type Program } from "./program.js";

/** Letters of a safe name. */
const MOST = 90;

/** A program with names that a format's readers take, and the directives that give it back its own. */
export interface SafelyNamed {
  readonly program: Program;
  readonly directives: readonly string[];
}

/**
 * Replaces the names that `isSafe` refuses by others of letters, digits and `_`, which nothing else is called. See
 * `parseDirective`, `rename`.
 */
export function withSafeNames(program: Program, isSafe: (name: string) => boolean): SafelyNamed {
  const { columns, rows, objective } = program;
  const directives: string[] = [];
  const renamed = (kind: "column" | "row", named: readonly { readonly name: string }[]) => {
    const taken = new Set(named.map(({ name }) => name));
    return (name: string): string => {
      if (isSafe(name)) return name;
      const safe = freeName(`${kind === "column" ? "x" : "r"}_${name.replace(/\W/g, "_").slice(0, MOST)}`, taken);
      taken.add(safe);
      directives.push(`rename ${kind} ${safe} ${JSON.stringify(name)}`);
      return safe;
    };
  };
  if ([...columns, ...rows, objective].every(({ name }) => isSafe(name))) return { program, directives };
  const columnName = renamed("column", columns);
  const rowName = renamed("row", [...rows, objective]);
  const safe = makeProgram({
    name: program.name,
    columns: columns.map((column) => ({ ...column, name: columnName(column.name) })),
    rows: rows.map((row) => ({ ...row, name: rowName(row.name) })),
    objective: { ...objective, name: rowName(objective.name) },
  });
  return { program: safe, directives };
}
