/* Characters as people count them, by the vectors that the server counts too. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { characters } from "../../../pipeline/forms/static/answers.js";

const VECTORS = JSON.parse(readFileSync(new URL("../character_vectors.json", import.meta.url), "utf8"));

for (const { text, expect } of VECTORS) test(JSON.stringify(text), () => assert.equal(characters(text), expect));
