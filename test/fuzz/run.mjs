// npm run fuzz: compiles what main.ts needs beside the sources, and runs it.
import { spawnSync } from "node:child_process";

const { status } = spawnSync("npx", ["tsc", "-p", "test/fuzz/tsconfig.json"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
await import("../../dist-fuzz/test/fuzz/main.js");
