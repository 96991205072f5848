/* The module of the hosted forms, described in docs/forms-contract.md. */

import { boundByToday, complaint, equal, fill, isSendable, keepApart, longest, offer, ownDay, read } from "./answers.js";
import { isRequired, offeredValues, visible } from "./conditions.js";
import { count, counted, mark, stop } from "./messages.js";
import { makeSearchable } from "./picker.js";
import { filled, said, show } from "./pipes.js";
import { makeSortable } from "./ranking.js";
import { Device, Saving } from "./saving.js";

const GOING = 10000; // ms until a page may be asked for again
const RELOAD = 2500; // ms to read why the page is loaded again

/** A copy that inherits nothing: a question may be called "constructor". */
const bare = (...objects) => Object.assign(Object.create(null), ...objects);

/* A form's properties give way to its controls: with a question called "elements", `form.elements` is that control. So
   attributes and selectors are used. */
class Form {
  constructor(form) {
    this.form = form;
    this.data = JSON.parse(document.getElementById("form-data").textContent);
    this.isCapture = form.getAttribute("data-form") === "capture";
    this.questions = new Map(this.data.questions.map((question) => [question.key, question]));
    this.elements = new Map([...form.querySelectorAll("[data-question]")].map((element) => [element.dataset.question, element]));
    this.stored = bare(this.data.answers);
    this.prefill = bare(this.data.prefill);
    this.beginToday();
    this.current = bare(...[...this.elements].map(([key, element]) => read(element, this.questions.get(key))));
    this.device = new Device(this.isCapture ? "sessionStorage" : "localStorage", form.getAttribute("data-store"));
    form.querySelector("[name=_live]").disabled = false;
    this.saving = this.isCapture ? null : new Saving(form.getAttribute("data-api"), this.device, this.listeners());
    if (this.data.fresh) navigator.sendBeacon(form.getAttribute("data-api").replace(/answers(\?.*)?$/, "opened"));
    for (const select of form.querySelectorAll("[data-searchable]")) makeSearchable(select, this.data.texts, namesFor(select));
    for (const question of form.querySelectorAll("[data-type=ranking]")) makeSortable(question, this.data.texts);
    this.update();
    if (this.saving && this.elements.size) this.show("typing");
    if (this.saving && this.device.works) document.getElementById("kept")?.remove(); // the state of saving tells it
    this.restore();
    this.update();
    form.addEventListener("input", (event) => this.changed(event.target));
    form.addEventListener("change", (event) => this.changed(event.target));
    form.addEventListener("submit", (event) => this.submit(event));
    form.addEventListener("formdata", ({ formData }) => this.isCapture || this.leaveOutUnchanged(formData));
    window.addEventListener("pageshow", () => (this.leaving = false));
    window.addEventListener("online", () => document.getElementById("stopped")?.remove());
  }

  /** Today in dates is the visitor's day: as a bound, and as a default that nobody has changed. */
  beginToday() {
    const { today } = this.data;
    const own = ownDay(today);
    for (const [key, element] of own ? this.elements : []) {
      const question = this.questions.get(key);
      if (question.type !== "date") continue;
      boundByToday(element, question, own);
      if (question.default !== "today" || key in this.stored || this.prefill[key] !== today || read(element, question)[key] !== today) continue;
      this.prefill[key] = own;
      fill(element, question, { [key]: own });
    }
  }

  listeners() {
    return {
      state: (name, values) => this.show(name, values),
      saved: (answers) => this.take(answers),
      refused: (keys, messages) => keys.forEach((key) => this.mark(key, messages.get(key) ?? this.data.texts.refused)),
      gone: (state) => {
        this.show(state);
        setTimeout(() => location.reload(), RELOAD);
      },
    };
  }

  /** Bring back what this device kept, and save what the page shows but the server does not have. */
  restore() {
    const kept = bare(this.device.all());
    let changes = false;
    for (const [key, answer] of Object.entries(kept)) {
      const owner = this.owner(key);
      const element = this.elements.get(owner?.key);
      if (!owner || this.equal(key, this.stored[key], answer)) {
        // It arrived, or nobody asks for it any more; a public form may still be opened anew.
        if (!owner || !this.isCapture) this.device.drop(key, answer);
        continue;
      }
      changes ||= Boolean(element) && !this.equal(key, answer, this.current[key]);
      if (element) fill(element, owner, { [key]: answer });
      this.put(key, answer);
    }
    if (this.isCapture) return changes && this.show("restored");
    for (const [key, answer] of Object.entries(this.current))
      if (!(key in kept) && !this.equal(key, answer, this.stored[key]) && !this.equal(key, answer, this.prefill[key]))
        this.put(key, answer);
  }

  /** Whether two answers of a key say the same. */
  equal(key, left, right) {
    return equal(left, right, this.owner(key)?.type);
  }

  /** The question that an answer's key belongs to. */
  owner(key) {
    return this.questions.get(key) ?? this.questions.get(key.replace(/__other$/, ""));
  }

  /** A control was changed: keep it, send it soon, show and hide what depends on it. */
  changed(control) {
    const element = control.closest("[data-question]");
    if (!element) return;
    const question = this.questions.get(element.dataset.question);
    keepApart(element, control);
    for (const [key, answer] of Object.entries(read(element, question))) {
      if (this.equal(key, answer, this.current[key])) continue;
      this.mark(key, null); // whatever was said was said of another answer
      this.put(key, answer);
      count(element, key, answer, longest(question, key), this.data.texts);
    }
    this.update();
  }

  /** Take an answer over, say at once what is wrong with it, and keep it. */
  put(key, answer) {
    const question = this.owner(key);
    this.current[key] = answer;
    const wrong = complaint(question, key, answer);
    if (wrong) this.mark(key, this.sentence(wrong, question, key));
    if (this.isCapture) {
      // A consent holds for the text beside it, which may be another one when the page comes again.
      if (question.type !== "consent") this.device.keep(key, answer);
      this.show(this.device.works ? "kept" : "unkept");
      return;
    }
    this.saving.change(key, answer, isSendable(question, key, answer));
  }

  /** The sentence about a wrong answer, which names its question. */
  sentence(wrong, question, key) {
    const most = longest(question, key);
    const text = counted(this.data.texts, wrong, most).replace("{max_length}", most);
    return text.replace("{label}", () => filled(question.label, this.words));
  }

  /** The server's answers after a save: what others changed meanwhile is shown, but never over what is being typed. */
  take(answers) {
    const before = this.stored;
    this.stored = bare(answers);
    for (const [key, element] of this.elements) {
      const question = this.questions.get(key);
      for (const name of Object.keys(read(element, question))) {
        const untouched = !this.saving.has(name) && !element.contains(document.activeElement);
        if (!untouched || this.equal(name, this.stored[name], before[name]) || this.equal(name, this.stored[name], this.current[name])) continue;
        fill(element, question, { [name]: this.stored[name] ?? null });
        this.current[name] = this.stored[name] ?? null;
      }
    }
    this.update();
    // The review shows stored answers only, and has just gained some.
    if (this.elements.size === 0 && document.body.dataset.state === "review") location.reload();
  }

  /** Show what the conditions show, with the answers as they stand on this page. */
  update() {
    const live = {};
    for (const [key, answer] of Object.entries({ ...this.stored, ...this.current }))
      live[key] = typeof answer === "string" ? answer.trim() : answer;
    const walked = visible(this.data.pages, this.data.questions, live, this.data.hidden);
    this.shown = new Set(walked.questions.map(({ key }) => key));
    for (const [key, element] of this.elements) {
      const question = this.questions.get(key);
      element.hidden = !this.shown.has(key);
      offer(element, question, this.current[key], question.options ? offeredValues(question, walked.answers) : null);
      const required = isRequired(question, walked.answers);
      element.toggleAttribute("data-required", required);
      const clear = element.querySelector("button[value^='clear:']");
      if (clear) clear.hidden = required || (this.current[key] ?? null) === null;
      for (const optional of element.querySelectorAll(".optional"))
        optional.hidden = required !== "part" in optional.dataset;
    }
    this.words = said(this.data.tags, this.questions, walked.answers, this.data.texts, document.documentElement.lang);
    show(this.words);
  }

  /** Before the page goes: no second time, and nothing left behind. */
  async submit(event) {
    const button = event.submitter;
    if (button?.value.startsWith("clear:")) {
      event.preventDefault();
      this.clear(button.value.slice("clear:".length));
    } else if (this.form.querySelector(".question:not([hidden]) .picker input:invalid")?.reportValidity() === false) {
      event.preventDefault();
    } else if (this.leaving) {
      event.preventDefault();
    } else if (!navigator.onLine) {
      event.preventDefault();
      this.show("offline");
      stop(this.form, this.data.texts.stopped);
    } else if (this.isCapture || this.saving.isIdle) {
      this.leaving = true;
      setTimeout(() => (this.leaving = false), GOING);
      // For Back.
      if (this.isCapture && !/[?&]_(draft|state)=/.test(location.search)) history.replaceState(null, "", this.form.getAttribute("action"));
    } else {
      event.preventDefault();
      this.leaving = true;
      const isSaved = await this.saving.flush();
      this.leaving = false;
      if (isSaved) this.form.requestSubmit(button);
      else stop(this.form, this.data.texts.stopped);
    }
  }

  /** "Clear this answer" without a round trip; the focus goes to the question that was cleared. */
  clear(key) {
    const element = this.elements.get(key);
    const question = this.questions.get(key);
    fill(element, question, Object.fromEntries(Object.keys(read(element, question)).map((name) => [name, null])));
    const first = element.querySelector("input:not([type=hidden]), select, textarea");
    this.changed(first);
    first.focus();
  }

  /** Another tab may have answered what this one only shows: send what was changed here, and leave the rest. */
  leaveOutUnchanged(formData) {
    const asked = formData.getAll("_asked");
    const changed = asked.filter((key) => {
      if (this.questions.get(key).type === "file") return true;
      const answers = read(this.elements.get(key), this.questions.get(key));
      return Object.entries(answers).some(([name, answer]) => !this.equal(name, answer, this.stored[name]));
    });
    for (const key of asked)
      if (!changed.includes(key))
        for (const name of [...formData.keys()]) if (/^[^.]*/.exec(name)[0].replace(/__other$/, "") === key) formData.delete(name);
    formData.delete("_asked");
    for (const key of changed) formData.append("_asked", key);
  }

  /** Say what is wrong with the answer of a key; null takes that back. */
  mark(key, message) {
    const element = this.elements.get(this.owner(key)?.key);
    if (element) mark(element, key, message);
  }

  /** Tell the state of saving, in the page's language; answers that cannot be saved are named, with a way to them. */
  show(name, { minutes, keys = [] } = {}) {
    const place = document.getElementById("save-state");
    if (!place) return;
    const refused = [...new Set(keys.map((key) => this.owner(key).key))].filter((key) => this.shown.has(key));
    if (name === "failed" && !refused.length) return this.show("saved");
    place.dataset.state = STATES[name] ?? name;
    const isKept = name === "failed" && refused.every((key) => (this.stored[key] ?? null) !== null);
    const [before, after] = counted(this.data.texts, isKept ? "failed_kept" : name, minutes ?? 0).replace("{minutes}", minutes).split("{questions}");
    const links = refused.flatMap((key, number) => [number ? ", " : "", this.linkTo(key)]);
    const parts = after === undefined ? [before] : [before, ...links, after];
    if (place.textContent !== parts.map((part) => part.textContent ?? part).join("")) place.replaceChildren(...parts);
  }

  /** A link to a question, on this page or another. */
  linkTo(key) {
    const query = new URLSearchParams(location.search);
    query.set("step", this.data.pages.find(({ questions }) => questions.includes(key)).key);
    query.delete("return");
    query.delete("more");
    const href = this.elements.has(key) ? `#q-${key}` : `?${query}#q-${key}`;
    return Object.assign(document.createElement("a"), { href, textContent: filled(this.questions.get(key).label, this.words) });
  }
}

const STATES = { retrying: "waiting", restored: "kept", unkept: "failed", gone: "failed", expired: "failed" };

const form = document.querySelector("form[data-form]");
if (form) new Form(form);
else if (document.body.dataset.store) leave(document.body.dataset);
document.getElementById("errors")?.focus();

// Only the origins of the template can frame this page; what they learn is how high it is, and where its answers are.
if (window.parent !== window) {
  let isNew = true;
  document.documentElement.classList.add("framed");
  const tell = () => {
    window.parent.postMessage({ formHeight: Math.ceil(document.body.getBoundingClientRect().height), isNew }, "*");
    isNew = false;
  };
  new ResizeObserver(tell).observe(document.body);
  const hint = document.getElementById("unkept");
  const waiting = hint && setTimeout(() => (hint.hidden = false), 3000);
  window.addEventListener("message", ({ data, origin, source }) => {
    const isListed = source === window.parent && (document.body.dataset.origins ?? "").split(" ").includes(origin);
    if (data === "formHeight") tell();
    else if (isListed && data && "formDraft" in data) {
      // The page has the script that keeps the address, perhaps only now.
      clearTimeout(waiting);
      if (hint) hint.hidden = true;
      resume(data.formDraft, origin);
    }
  });
}

/** Go on in a frame with the answers that its page kept the address of; or tell the page that address, until the end. */
function resume(kept, host) {
  const query = new URLSearchParams(location.search);
  if (query.has("_draft")) {
    const isOver = !form || document.getElementById("lost");
    window.parent.postMessage({ formDraft: isOver ? null : query.get("_draft") }, host);
  } else if (form?.getAttribute("data-form") === "capture" && /^[\w-]{32}$/.test(kept)) {
    query.set("_draft", kept);
    location.replace(`?${query}`);
  }
}

/** A page without a form: nothing stays on the device, except for an expired link, which may be renewed. */
function leave({ state, store }) {
  for (const area of ["localStorage", "sessionStorage"]) {
    const device = new Device(area, store);
    if (state !== "expired") device.clear();
    else if (Object.keys(device.all()).length) document.getElementById("device").hidden = false;
  }
}

/** Further names of a list's options; those of countries are loaded when needed. */
function namesFor(select) {
  const names = {};
  if (select.autocomplete === "country") import("./countries.js").then((module) => Object.assign(names, module.names)).catch(() => {});
  return names;
}
