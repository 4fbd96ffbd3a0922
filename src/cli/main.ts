#!/usr/bin/env node
import { optimiseLate } from "./v8-tiering.js";
import { startAhead } from "./worker/ahead.js";

const ahead = startAhead(process.argv.slice(2));
// Where a thread is on its way, once it is up (run-thread.ts).
if (ahead === null) optimiseLate();
// Loaded beside what the thread loads.
const [{ runCommandLine }, { ignoreStreamErrors }, { useThread }] = await Promise.all([
  import("./command-line.js"),
  import("./terminal/streams.js"),
  import("./worker/run-thread.js"),
]);
ignoreStreamErrors();
useThread(ahead);
await runCommandLine();
