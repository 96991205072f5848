/* The browser's evaluator of conditions, by the vectors that every evaluator of the language must pass. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { choseOther, holds, isRequired, visible } from "../../../pipeline/forms/static/conditions.js";

const VECTORS = JSON.parse(readFileSync(new URL("../../interviews/condition_vectors.json", import.meta.url), "utf8"));

for (const { name, answers, value, expect } of VECTORS.comparisons)
  for (const [op, held] of Object.entries(expect))
    test(`${op}: ${name}`, () => assert.equal(holds({ question: "q", op, value }, answers), held));

for (const { name, condition, answers, expect } of VECTORS.conditions)
  test(`condition ${name}`, () => assert.equal(holds(condition, answers), expect));

for (const { name, template, answers, hidden, expect } of VECTORS.visibility)
  test(`visibility ${name}`, () => {
    const { pages, questions } = VECTORS.templates[template];
    const walked = visible(pages, questions, answers, hidden);
    assert.deepEqual({ ...walked, questions: walked.questions.map(({ key }) => key) }, expect);
  });

test("a question may be required only in some cases", () => {
  const reason = { key: "reason", required_if: { question: "sso", op: "eq", value: false } };
  assert.equal(isRequired(reason, { sso: false }), true);
  assert.equal(isRequired(reason, { sso: true }), false);
  assert.equal(isRequired({ key: "reason", required_if: {} }, {}), false);
});

test("a key that every JavaScript object inherits is no answer", () => {
  assert.equal(holds({ question: "constructor", op: "answered" }, {}), false);
  assert.deepEqual(visible([{ questions: ["constructor"] }], [{ key: "constructor", type: "short_text" }], {}).answers, {});
});

test("doubles compare as the server's decimals do, up to fifteen digits", () => {
  const above = (value) => holds({ question: "q", op: "gt", value }, { q: 0.300000000000001 });
  assert.equal(above(0.3), true);
  assert.equal(above(0.300000000000001), false);
  assert.equal(holds({ question: "q", op: "eq", value: 999999999999999 }, { q: 999999999999998 }), false);
  assert.equal(holds({ question: "q", op: "gt", value: 123456789.123456 }, { q: 123456789.123457 }), true);
});

test("the text of other belongs to a chosen other only", () => {
  assert.equal(choseOther({ allow_other: true }, ["a", "other"]), true);
  assert.equal(choseOther({ allow_other: false }, "other"), false);
});
