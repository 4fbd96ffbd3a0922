import type { BrowserReply, BrowserTask } from "../../src/browser/protocol.js";
import { packedBytes, unpackedBlob } from "./packed.js";

/** What goes to the worker. */
export interface WorkerMessage {
  readonly task: Omit<BrowserTask, "shouldStop">;
  /** An address that can be read for as long as nobody cancels. */
  readonly going: string;
  /** HiGHS's WebAssembly module, packed with gzip. */
  readonly highs: Uint8Array<ArrayBuffer>;
}

/** The worker's program as a URL: a page from disk may start a worker from what it holds, not from a file beside it. */
let workerUrl: Promise<string> | undefined;

/** Decoded once, copied to every worker. */
let highs: Uint8Array<ArrayBuffer> | undefined;

/** One solve in a worker of its own, which ends with it. */
export class Search {
  #worker: Worker | undefined;
  readonly #going = URL.createObjectURL(new Blob(["going"]));
  #isOver = false;

  /** Starts the worker; its replies go to `onReply`, the last of them `done` unless {@link end} comes before. */
  async start(task: WorkerMessage["task"], onReply: (reply: BrowserReply) => void): Promise<void> {
    const fail = (reason: string) => {
      this.end();
      onReply({ type: "failure", isInput: false, message: `the search ended by itself: ${reason}` });
      onReply({ type: "done" });
    };
    let worker: Worker;
    try {
      workerUrl ??= unpackedBlob("packed-worker", "text/javascript").then((blob) => URL.createObjectURL(blob));
      const url = await workerUrl;
      if (this.#isOver) return;
      worker = new Worker(url);
    } catch (error) {
      return fail(`the browser starts no worker (${String(error)})`);
    }
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<BrowserReply>) => {
      if (data.type === "done") this.end();
      onReply(data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      fail(event.message || "the browser gave no reason; perhaps its memory ran out");
    });
    highs ??= packedBytes("packed-highs");
    const message: WorkerMessage = { task, highs, going: this.#going };
    worker.postMessage(message);
  }

  /**
   * Asks the search to end with the best that it has. It never returns to its messages, and shared memory needs headers of a
   * server: what it can see meanwhile is that an address is gone. A page from disk shares no address with its worker: `false`.
   */
  cancel(): boolean {
    URL.revokeObjectURL(this.#going);
    return location.protocol !== "file:";
  }

  /** Ends the worker, whatever it does. */
  end(): void {
    this.#isOver = true;
    this.cancel();
    this.#worker?.terminate();
  }
}
