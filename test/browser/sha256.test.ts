import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createHash as createShimHash } from "../../docs/playground/shims/crypto.js";
import { seededRandom } from "../../src/exact/random.js";

test("the known answers of FIPS 180-4", () => {
  expect(createShimHash("sha256").update("").digest("hex")).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
  expect(createShimHash("sha256").update("abc").digest("hex")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

test("is Node's for every length around blocks, in pieces, and for texts", () => {
  const random = seededRandom(1);
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, () => random.integer(256));
    const cut = random.integer(length + 1);
    const ours = createShimHash("sha256").update(bytes.subarray(0, cut)).update(bytes.subarray(cut));
    expect(ours.digest("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
  const text = "größer als ein Byte: 汉字 🧮 ".repeat(5000);
  expect(createShimHash("sha256").update(text).digest("hex")).toBe(createHash("sha256").update(text).digest("hex"));
});
