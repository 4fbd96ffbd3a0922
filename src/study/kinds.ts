import { basename, dirname } from "node:path";
import { some } from "../text/units.js";
import { INSTANCES_FOLDER, type JobLine } from "./job.js";
import type { Row } from "./row.js";
import { groupedBy } from "./summary.js";

/** The rows of one problem whose instances are of one kind: drawn alike, or files of one folder. */
export interface KindOfRows {
  /** What its heading says: `50 instances of torchrec-10-1x4`, `11 instances in paper`. */
  readonly title: string;
  readonly rows: readonly Row[];
}

/**
 * The rows of a problem by the kind of their instances, in the order of the job. A mean over instances that were drawn alike
 * says something of their distribution; over these and others it would not.
 */
export function kindsOf(rows: readonly Row[]): readonly KindOfRows[] {
  return groupedBy(rows, ({ line }) => kindOf(line).join(" ")).map((group) => {
    const [{ line }] = group as [Row, ...Row[]];
    const instances = new Set(group.map((row) => row.line.instance.sha256)).size;
    return { title: [some(instances, "instance"), ...kindOf(line)].join(" "), rows: group };
  });
}

/** Instances that the study made are known by their name without the seed at its end, files by their folder. */
function kindOf({ instance: { file, name } }: JobLine): readonly [preposition: string, of: string] {
  const folder = dirname(file);
  return folder === INSTANCES_FOLDER ? ["of", name.replace(/-\d+$/, "")] : ["in", basename(folder)];
}
