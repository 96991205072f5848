/* What stands in the controls of a question, read as an answer; and an answer put into the controls.
   Typed numbers are read as pipeline/forms/questions/numbers.py reads them; tests/forms/number_vectors.json binds both. */

import { choseOther } from "./conditions.js";

const NO_CENTS = /([0-9])[,.][-\u2013\u2014]+(?![0-9])/; // 500,-
const FILLING = /[\s'\u2019]/g;
const PLAIN = /^[+-]?[0-9]+([.,][0-9]+)?$/;
const GROUPED = /^[+-]?[1-9][0-9]{0,2}((,[0-9]{3})+(\.[0-9]+)?|(\.[0-9]{3})+(,[0-9]+)?)$/;
const ONE_GROUP = /^[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}$/;
const HOST = /^[^\s/:@?#]+\.[^\s/:@?#.]{2,}(:[0-9]+)?([/?#]\S*)?$/;
const WIDE = /[\u3000\ufb00-\ufb06\uff01-\uffee]+/g;
const MAX_LENGTH = 60;
const OTHER_LENGTH = 255;
const TEXT_LENGTHS = { short_text: 255, long_text: 5000 };
const SEGMENTER = Intl.Segmenter && new Intl.Segmenter(undefined, { granularity: "grapheme" });
const DAY = 24 * 60 * 60 * 1000; // ms
const BOOLEANS = { yes: true, no: false };
const WORDS = { true: "yes", false: "no" };
const ADDRESS = ["street", "postal_code", "city", "region", "country"];

/** The number that a text writes, or null when it is none, could be two, or has more digits than a double keeps.
    `grouping` is the sign between thousands in the form's language; one of the `units` may stand before or after it. */
export function readNumber(text, integer = false, grouping = "", units = []) {
  const written = figures(text, units);
  if (written.length > MAX_LENGTH) return null;
  let plain = null;
  if (ONE_GROUP.test(written)) {
    if (!integer && !(grouping && written.includes(grouping))) return null;
    plain = written.replace(/[.,]/, "");
  } else if (PLAIN.test(written)) {
    plain = written.replace(",", ".");
  } else if (GROUPED.test(written)) {
    plain = written.replaceAll(/[.,]/.exec(written)[0], "").replace(",", ".");
  }
  return plain === null || significantDigits(plain) > 15 ? null : Number(plain);
}

/** The answers of one question as its controls stand: {key: answer}, and {key__other: text} where other is allowed.
    null is no answer. A number that cannot be read stays the text that was typed. */
export function read(element, question) {
  const { key, type } = question;
  if (type === "file") return {}; // files come and go with the page itself
  const parts = partsOf(question);
  const answers = { [key]: parts ? readParts(element, key, parts, type === "address") : (readers[type]?.(controls(element, key), question) ?? null) };
  if (question.allow_other) answers[`${key}__other`] = text(controls(element, `${key}__other`));
  return answers;
}

/** Put answers ({key: answer} or null for none) into the controls of a question. */
export function fill(element, question, answers) {
  for (const [key, answer] of Object.entries(answers)) {
    const parts = key === question.key ? partsOf(question) : null;
    for (const [suffix, part] of parts ?? []) put(controls(element, `${key}.${suffix}`), Object.hasOwn(answer ?? {}, part) ? answer[part] : null);
    if (!parts) put(controls(element, key), answer);
  }
}

/** The [suffix of the control's name, part of the answer] of a question that has several controls; null for others. */
function partsOf({ type, rows }) {
  if (type === "matrix") return rows.map(({ value }, number) => [number, value]);
  return type === "address" ? ADDRESS.map((name) => [name, name]) : null;
}

function readParts(element, key, parts, isTyped) {
  const values = parts.map(([suffix, part]) => [part, one(controls(element, `${key}.${suffix}`))]);
  const given = values.filter(([, value]) => value?.trim());
  return given.length ? Object.fromEntries(given.map(([part, value]) => [part, (isTyped ? narrow(value) : value).normalize("NFC")])) : null;
}

/** Put an answer into its controls; a list goes into several lists to choose from one by one. */
function put(found, answer) {
  const values = [answer ?? []].flat().map((value) => (typeof value === "boolean" ? WORDS[value] : written(value)));
  for (const [place, control] of found.entries()) {
    if (isTicked(control)) control.checked = values.includes(control.value);
    else control.value = values[place] ?? "";
    control.dispatchEvent(new Event("filled"));
  }
}

/** The text of a control; a number is written so that no language reads another one in it. */
function written(value) {
  const plain = String(value);
  return typeof value === "number" && ONE_GROUP.test(plain) ? `${plain}0` : plain;
}

/** The visitor's own day; null if it is further than a day from the organization's `today`, by a clock that is wrong. */
export function ownDay(today, now = new Date()) {
  const own = new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())).toISOString().slice(0, 10);
  return Math.abs(Date.parse(own) - Date.parse(today)) > DAY ? null : own;
}

/** Bound a date by the visitor's own day. */
export function boundByToday(element, question, own) {
  for (const bound of ["min", "max"]) if (question[bound] === "today") element.querySelector("input[type=date]").setAttribute(bound, own);
}

/** Whether two answers to a question of a type say the same; the order of a selection says nothing. */
export function equal(left, right, type) {
  return canonical(left, type) === canonical(right, type);
}

/** What is wrong with what was typed for a key of a question, as the name of its text; null while nothing is. What needs
    a whole answer to be judged (an address, a range) is left to the server. */
export function complaint(question, key, answer) {
  if (answer === null) return null;
  if (question.type === "number" && key === question.key) {
    if (question.integer === true) return Number.isInteger(answer) ? null : "not_an_integer";
    if (typeof answer !== "string") return null;
    return ONE_GROUP.test(figures(answer, question.units)) ? "ambiguous_number" : "not_a_number";
  }
  return typeof answer === "string" && characters(answer) > longest(question, key) ? "too_long" : null;
}

/** How many characters a person sees in a text: an emoji with a skin tone is one, as for the server. */
export function characters(text) {
  return [...(SEGMENTER ? SEGMENTER.segment(text) : text)].length;
}

/** How many characters an answer of a key may have; Infinity where it is no free text. */
export function longest(question, key) {
  if (key !== question.key) return OTHER_LENGTH;
  return question.type in TEXT_LENGTHS ? (question.max_length ?? TEXT_LENGTHS[question.type]) : Infinity;
}

/** Whether an answer may be saved as it stands: a fraction where a whole number is asked for may, as half an address. */
export function isSendable(question, key, answer) {
  return typeof answer === "number" || complaint(question, key, answer) === null;
}

/** After a change, take away what cannot stand beside it: an exclusive option stands alone. */
export function keepApart(element, changed) {
  if (changed.type !== "checkbox" || !changed.checked) return;
  for (const control of controls(element, changed.name))
    if (control !== changed && ("exclusive" in changed.dataset || "exclusive" in control.dataset)) control.checked = false;
}

/** Show the options that are offered now (all where `offered` is null) and the text of a chosen other; and disable what
    is hidden, so that it is not sent. */
export function offer(element, question, answer, offered) {
  if (offered)
    for (const option of element.querySelectorAll("[data-option]")) {
      option.hidden = !offered.includes(option.dataset.option);
      if (option.tagName === "OPTION") option.disabled = option.hidden;
    }
  const other = element.querySelector(".other");
  if (other) other.hidden = !choseOther(question, answer);
  for (const control of element.querySelectorAll("input, select, textarea, button"))
    control.disabled = element.hidden || control.closest("[data-option][hidden], .other[hidden]") !== null;
}

export function controls(element, name) {
  return [...element.querySelectorAll("input, select, textarea")].filter((control) => control.name === name);
}

function isTicked(control) {
  return control.type === "radio" || control.type === "checkbox";
}

function ticked(found) {
  return found.filter((control) => (isTicked(control) ? control.checked : control.value !== "")).map(({ value }) => value);
}

const text = ([{ value }]) => plain(value);
const token = ([{ value }]) => plain(seen(value));
const plain = (value) => (value.trim() ? narrow(value).normalize("NFC") : null);
/** A web address; https is added to a mere host. */
const address = (found) => {
  const typed = token(found);
  return typed !== null && HOST.test(typed.trim()) ? `https://${typed.trim()}` : typed;
};
const digits = (found) => (token(found) === null ? null : western(token(found)));
const one = (found) => ticked(found)[0] ?? null;
const several = (found) => (ticked(found).length ? ticked(found) : null);
const boolean = (found) => BOOLEANS[one(found)] ?? null;

const readers = {
  short_text: text,
  long_text: text,
  email: token,
  phone: digits,
  url: address,
  date: digits,
  number: (found, question) => (text(found) === null ? null : (readNumber(found[0].value, question.integer === true, question.grouping, question.units) ?? text(found))),
  yes_no: boolean,
  consent: boolean,
  single_choice: one,
  scale: (found) => (one(found) === null ? null : Number(one(found))),
  multi_choice: several,
  ranking: several,
};

/** A number's text without spaces and its unit. */
function figures(text, units = []) {
  const written = bare(text);
  const sign = /^[+-]?/.exec(written)[0];
  for (const unit of units.map(bare)) {
    if (written.endsWith(unit) && !/^[0-9+.,-]/.test(unit)) return written.slice(0, written.length - unit.length);
    if (written.startsWith(sign + unit) && !/[0-9+.,-]$/.test(unit)) return sign + written.slice(sign.length + unit.length);
  }
  return written;
}

const bare = (text) => western(seen(text)).replace(FILLING, "").replace(NO_CENTS, "$1").toLowerCase();

/** A text without characters that nobody sees, which come along with a copied one. */
function seen(text) {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]/g, "");
}

/** A text with plain signs for full-width, half-width and joined ones. */
function narrow(text) {
  return text.replace(WIDE, (wide) => wide.normalize("NFKC"));
}

/** A text with the digits 0 to 9 for those of Arabic, Persian and Urdu, and their separators likewise. */
function western(written) {
  const plain = narrow(written).replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => digit.charCodeAt(0) & 15);
  return plain.replaceAll("\u066b", ".").replaceAll("\u066c", "'").replaceAll("\u2212", "-");
}

function significantDigits(plain) {
  return plain.replace(/[^0-9]/g, "").replace(/^0+/, "").replace(/0+$/, "").length;
}

function canonical(answer, type) {
  if (type === "multi_choice" && Array.isArray(answer)) return JSON.stringify([...answer].sort());
  const isParted = answer !== null && typeof answer === "object" && !Array.isArray(answer);
  return JSON.stringify(isParted ? Object.entries(answer).sort() : (answer ?? null));
}
