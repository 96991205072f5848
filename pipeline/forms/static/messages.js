/* What the page says beside a question or above its buttons, where the server says it too. */

import { characters, controls } from "./answers.js";

const NEARLY = 0.2; // the share of a text's characters from which on those that are left are counted

/** Say above the controls of an answer what is wrong with it; null takes that back, what the server said of its parts too. */
export function mark(element, key, message) {
  const parts = element.querySelector(".parts");
  const [control] = parts?.querySelectorAll("input, select") ?? controls(element, key);
  if (!control) return;
  const id = `e-${key}`;
  let error = document.getElementById(id);
  if (message && !error) {
    error = Object.assign(document.createElement("p"), { id, className: "error" });
    (parts ?? control.closest(".options, .option, .entry, .picker") ?? control).before(error);
  }
  if (message) error.textContent = message;
  else error?.remove();
  if (!message && parts) for (const wrong of parts.querySelectorAll("[aria-invalid], .error")) settle(wrong);
  const target = key.endsWith("__other") ? control : (control.closest("fieldset") ?? element.querySelector(".picker input") ?? control);
  if (message) target.setAttribute("aria-invalid", "true");
  else target.removeAttribute("aria-invalid");
  const others = (target.getAttribute("aria-describedby") ?? "").split(" ").filter((other) => other && other !== id);
  if (message) others.push(id);
  if (others.length) target.setAttribute("aria-describedby", others.join(" "));
  else target.removeAttribute("aria-describedby");
}

/** Take away what was said of a part: its sentence, and the mark at its control. */
function settle(wrong) {
  if (wrong.matches(".error")) wrong.remove();
  wrong.removeAttribute("aria-invalid");
  wrong.removeAttribute("aria-describedby");
}

/** Say how many of `most` characters are left, once most of them are used; the limit shows from then on. */
export function count(element, key, answer, most, texts) {
  if (most === Infinity) return;
  const left = most - characters(answer ?? "");
  const id = `c-${key}`;
  const [control] = controls(element, key);
  const isNear = left <= most * NEARLY;
  const limit = document.getElementById(`n-${key}`);
  if (limit) limit.hidden = !isNear;
  let place = document.getElementById(id);
  if (isNear && !place) {
    place = Object.assign(document.createElement("p"), { id, className: "help" });
    (control.closest(".entry") ?? control).after(place);
  }
  if (isNear) place.textContent = counted(texts, "characters_left", left).replace("{left}", left);
  else place?.remove();
}

/** The text for a counted number: `name#one`, `name#two`, …, else `name`. */
export function counted(texts, name, number) {
  const form = new Intl.PluralRules(document.documentElement.lang || "en").select(number);
  return texts[`${name}#${form}`] ?? texts[name];
}

/** Say, above the buttons that were pressed for nothing, why the next page does not come. */
export function stop(form, sentence) {
  document.getElementById("stopped")?.remove();
  const notice = Object.assign(document.createElement("p"), { id: "stopped", className: "notice" });
  notice.setAttribute("role", "alert");
  form.querySelector(".buttons").before(notice);
  notice.textContent = sentence;
  notice.scrollIntoView({ block: "center" });
}
