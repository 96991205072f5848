/* Reads interviews with answers, one JSON object a line, and writes what the browser's evaluator makes of each. */

import { createInterface } from "node:readline";

import { isRequired, offeredValues, visible } from "../../../pipeline/forms/static/conditions.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { pages, questions, answers } = JSON.parse(line);
  const walked = visible(pages, questions, answers);
  const choices = walked.questions.filter((question) => question.options);
  const made = {
    questions: walked.questions.map(({ key }) => key),
    answers: walked.answers,
    required: walked.questions.filter((question) => isRequired(question, walked.answers)).map(({ key }) => key),
    offered: choices.map((question) => offeredValues(question, walked.answers)),
  };
  process.stdout.write(JSON.stringify(made) + "\n");
}
