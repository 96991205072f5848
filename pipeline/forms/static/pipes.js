/* Answers in texts, as pipeline/forms/questions/piping.py puts them there; tests/forms/pipe_vectors.json binds both. */

const TAG = /\{\{ *([a-z][a-z0-9_]*) *(?:\|([^{}|*[\]\\\n]*))?\}\}/g;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const LONGEST = 100;
const BLANK = "…";

/** The answers to questions on one line, in a map by key; `tags` are the keys in page order. */
export function said(tags, questions, answers, texts, language) {
  const words = new Map();
  for (const key of tags) {
    const line = inWords(questions.get(key), answers, texts, language, words).replace(/\s+/g, " ").trim();
    const letters = [...line];
    words.set(key, letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("").trimEnd()}…` : line);
  }
  return words;
}

/** A text with answers in place of its tags. */
export function filled(text, words) {
  return text.replace(TAG, (_, key, fallback) => words.get(key) || fallback?.trim() || BLANK);
}

/** Bring the answers in the page's texts up to date. */
export function show(words) {
  for (const element of document.querySelectorAll("[data-pipe]")) put(element, words.get(element.dataset.pipe) || element.dataset.else);
  const apart = new Map([...words].map(([key, line]) => [key, line && `\u2068${line}\u2069`]));
  for (const option of document.querySelectorAll("option[data-text]"))
    if (put(option, filled(option.dataset.text, apart))) option.parentElement.dispatchEvent(new Event("filled"));
  for (const button of document.querySelectorAll("[data-name]")) button.setAttribute("aria-label", filled(button.dataset.name, words));
}

function put(element, text) {
  if (element.textContent === text) return false;
  element.textContent = text;
  return true;
}

function inWords({ key, type, options }, answers, texts, language, words) {
  const answer = Object.hasOwn(answers, key) ? answers[key] : null;
  if (answer === null) return "";
  if (typeof answer === "boolean") return answer ? texts.yes : texts.no;
  if (options) {
    const labels = new Map(options.map(({ value, label }) => [value, filled(label, words)]));
    const other = answers[`${key}__other`] || texts.other;
    return [answer].flat().map((value) => labels.get(value) ?? other).join(texts.separator);
  }
  const western = `${language}-u-nu-latn`;
  if (typeof answer === "number") return new Intl.NumberFormat(western, { maximumFractionDigits: 15, useGrouping: "always" }).format(answer).replace("\u200e", "");
  const day = type === "date" && DATE.test(answer) ? new Date(answer) : NaN;
  return isNaN(day) ? answer : new Intl.DateTimeFormat(western, { dateStyle: "long", timeZone: "UTC" }).format(day);
}
