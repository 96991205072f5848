/* The condition language of interviews, as pipeline/interviews/templates/conditions.py evaluates it; both are bound by
   tests/interviews/condition_vectors.json.

   A condition looks at earlier questions only, so one pass in page order settles what is visible. Conditions were
   checked when the template was saved: nothing here doubts their form. A number has at most fifteen digits, which
   every double keeps, so comparing doubles is comparing the decimals that the server compares. */

const OTHER = "other";
const OTHER_SUFFIX = "__other";
const SEVERAL = ["multi_choice", "ranking"]; // whose answer is a list of options
const NEGATIVES = { empty: "answered", ne: "eq", not_in: "in", not_contains: "contains" };
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** True for absent, null, "", [] and {}. false and 0 are answers. */
export function isEmpty(answer) {
  if (typeof answer !== "object") return answer === undefined || answer === "";
  return answer === null || Object.keys(answer).length === 0;
}

/** Whether a condition is true of the visible answers. No condition always holds. */
export function holds(condition, answers) {
  if (!condition || Object.keys(condition).length === 0) return true;
  if (condition.all) return condition.all.every((part) => holds(part, answers));
  if (condition.any) return condition.any.some((part) => holds(part, answers));
  if ("not" in condition) return !holds(condition.not, answers);
  const { op, value } = condition;
  const answer = answerOf(answers, condition.question);
  if (Object.hasOwn(NEGATIVES, op)) return !positive(NEGATIVES[op], answer, value);
  return positive(op, answer, value);
}

/** Walk the pages once: {questions: the visible ones in page order, answers: those that count, none of them empty}.
    The values of `hidden` fields count from the start. */
export function visible(pages, questions, answers, hidden) {
  const byKey = new Map(questions.map((question) => [question.key, question]));
  const shown = [];
  const counting = { ...hidden };
  for (const page of pages) {
    if (!holds(page.visible_if, counting)) continue;
    for (const key of page.questions) {
      const question = byKey.get(key);
      if (!holds(question.visible_if, counting)) continue;
      shown.push(question);
      count(question, answers, counting);
    }
  }
  return { questions: shown, answers: counting };
}

/** Whether a visible question must be answered, given the visible answers. */
export function isRequired(question, answers) {
  return question.required === true || (!isEmptyCondition(question.required_if) && holds(question.required_if, answers));
}

/** The values that a choice question offers now: its visible options, and "other" where it is allowed. */
export function offeredValues(question, answers) {
  const hidden = new Set();
  for (const option of question.options) if (!holds(option.visible_if, answers)) hidden.add(option.value);
  const values = question.options.map((option) => option.value);
  return (question.allow_other === true ? [...values, OTHER] : values).filter((value) => !hidden.has(value));
}

/** Whether the answer picks the free-text "other" of its question. */
export function choseOther(question, answer) {
  return question.allow_other === true && (answer === OTHER || oneOf(OTHER, answer));
}

/** Put the answers of a visible question that count into `counting`. */
function count(question, answers, counting) {
  const { key, type } = question;
  let answer = answerOf(answers, key);
  if (type === "single_choice" && !oneOf(answer, offeredValues(question, counting))) answer = null;
  if (SEVERAL.includes(type)) {
    const offered = offeredValues(question, counting);
    answer = Array.isArray(answer) ? answer.filter((value) => oneOf(value, offered)) : null;
  }
  if (type === "statement" || isEmpty(answer)) return;
  counting[key] = answer;
  const text = answerOf(answers, key + OTHER_SUFFIX);
  if (choseOther(question, answer) && !isEmpty(text)) counting[key + OTHER_SUFFIX] = text;
}

/* A question may be called "constructor": only own properties are answers. */
function answerOf(answers, key) {
  return Object.hasOwn(answers, key) ? answers[key] : undefined;
}

function isEmptyCondition(condition) {
  return !condition || Object.keys(condition).length === 0;
}

function positive(operator, answer, value) {
  return !isEmpty(answer) && POSITIVES[operator](answer, value);
}

/* Equality without coercion: numbers by value, strings and booleans each among themselves; nothing else is equal. */
function same(left, right) {
  return ["number", "string", "boolean"].includes(typeof left) && left === right;
}

function oneOf(value, candidates) {
  return Array.isArray(candidates) && candidates.some((candidate) => same(value, candidate));
}

/* A list contains an equal element; a text contains the value as a piece of it. */
function contains(answer, value) {
  if (typeof answer === "string") return typeof value === "string" && answer.includes(value);
  return oneOf(value, answer);
}

/* Orders two numbers, or two dates written YYYY-MM-DD, whose text sorts as they do; nothing else. */
function ordered(compare) {
  return (answer, value) => {
    if (typeof answer === "string" && typeof value === "string")
      return DATE.test(answer) && DATE.test(value) && compare(answer, value);
    return typeof answer === "number" && typeof value === "number" && compare(answer, value);
  };
}

const POSITIVES = {
  answered: () => true,
  eq: same,
  in: oneOf,
  contains,
  contains_any: (answer, values) => values.some((value) => contains(answer, value)),
  contains_all: (answer, values) => values.every((value) => contains(answer, value)),
  gt: ordered((left, right) => left > right),
  gte: ordered((left, right) => left >= right),
  lt: ordered((left, right) => left < right),
  lte: ordered((left, right) => left <= right),
};
