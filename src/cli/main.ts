#!/usr/bin/env node
import { startAhead } from "./worker/ahead.js";

const ahead = startAhead(process.argv.slice(2));
// Loaded beside what the thread loads.
const [{ runCommandLine }, { ignoreStreamErrors }, { useThread }] = await Promise.all([
  import("./command-line.js"),
  import("./terminal/streams.js"),
  import("./worker/run-thread.js"),
]);
ignoreStreamErrors();
useThread(ahead);
await runCommandLine();
