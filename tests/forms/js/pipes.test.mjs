/* Answers in texts, by the vectors that the server passes too. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { filled, said } from "../../../pipeline/forms/static/pipes.js";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const { questions, vectors } = read("../pipe_vectors.json");
const byKey = new Map(questions.map((question) => [question.key, question]));

for (const { text, language, answers, expect } of vectors)
  test(`${text} in ${language}`, () => {
    const words = read(`../../../pipeline/forms/texts/${language}.json`);
    const texts = { yes: words["question.yes"], no: words["question.no"], other: words["question.other"], separator: words["list.separator"] };
    assert.equal(filled(text, said([...byKey.keys()], byKey, answers, texts, language)), expect);
  });
