/* Numbers as people type them, by the vectors that the server's reader passes too. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { readNumber } from "../../../pipeline/forms/static/answers.js";

const VECTORS = JSON.parse(readFileSync(new URL("../number_vectors.json", import.meta.url), "utf8"));

for (const { text, integer, grouping, units, expect } of VECTORS)
  test(`${JSON.stringify(text)}${integer ? ", a whole number" : ""}${grouping ? `, grouped by ${grouping}` : ""}${units ? `, in ${units}` : ""}`, () => assert.equal(readNumber(text, integer, grouping, units), expect));

test("more digits than a double keeps are not read, for another number would be saved", () => {
  assert.equal(readNumber("1234567890123456"), null);
  assert.equal(readNumber("0.1234567890123456"), null);
  assert.equal(readNumber("999999999999999"), 999999999999999);
  assert.equal(readNumber("1000000000000000000"), 1e18);
});
