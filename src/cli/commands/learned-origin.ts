import type { TasksOrigin } from "../../problems/table-placement/methods/autoshard/tasks-file.js";
import { baseName } from "../../text/base-name.js";

/** Where learned weights come from, as they say it: files by their names alone, so that the same files give the same bytes. */
export function namedOrigin<Origin extends TasksOrigin>(origin: Origin): Origin {
  const { tasks } = origin;
  return { ...origin, tasks: { ...tasks, file: baseName(tasks.file) } };
}
