/* The module of the hosted forms: live conditions, saving while typing, keeping on the device. The page works without
   it; docs/forms.md says what both rely on. */

import { equal, fill, isReadable, keepExclusive, offer, read } from "./answers.js";
import { isRequired, offeredValues, visible } from "./conditions.js";
import { Device, Saving } from "./saving.js";

const GOING = 10000; // ms after which a page that has not come may be asked for again
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
    this.stored = bare(this.isCapture ? JSON.parse(form.querySelector("[name=_state]").value) : this.data.answers);
    this.prefill = bare(this.data.prefill);
    this.current = bare(...[...this.elements].map(([key, element]) => read(element, this.questions.get(key))));
    this.device = new Device(this.isCapture ? "sessionStorage" : "localStorage", form.getAttribute("data-store"));
    form.querySelector("[name=_live]").disabled = false;
    this.saving = this.isCapture ? null : new Saving(form.getAttribute("data-api"), this.device, this.listeners());
    this.restore();
    this.update();
    form.addEventListener("input", (event) => this.changed(event.target));
    form.addEventListener("change", (event) => this.changed(event.target));
    form.addEventListener("submit", (event) => this.submit(event));
    form.addEventListener("formdata", ({ formData }) => this.isCapture || this.leaveOutUnchanged(formData));
    window.addEventListener("pageshow", () => (this.leaving = false));
  }

  listeners() {
    return {
      state: (name, values) => this.show(name, values),
      saved: (answers) => this.take(answers),
      refused: (keys) => keys.forEach((key) => this.mark(key, this.data.texts.refused)),
      gone: () => {
        this.show("gone");
        setTimeout(() => location.reload(), RELOAD);
      },
    };
  }

  /** Bring back what this device kept, and save what the page shows but the server does not have. */
  restore() {
    const kept = bare(this.device.all());
    let changes = false;
    for (const [key, answer] of Object.entries(kept)) {
      const owner = this.questions.get(key) ?? this.questions.get(key.replace(/__other$/, ""));
      const element = owner && this.elements.get(owner.key);
      if (owner && !this.isCapture && equal(this.stored[key], answer)) {
        this.device.drop(key, answer); // it arrived, only the answer did not
        continue;
      }
      changes ||= Boolean(element) && !equal(answer, this.current[key]);
      if (element) fill(element, owner, { [key]: answer });
      this.put(key, answer, owner);
    }
    if (this.isCapture) return changes && this.show("restored");
    for (const [key, answer] of Object.entries(this.current))
      if (!(key in kept) && !equal(answer, this.stored[key]) && !equal(answer, this.prefill[key]))
        this.put(key, answer, this.questions.get(key) ?? this.questions.get(key.replace(/__other$/, "")));
  }

  /** A control was changed: keep it, send it soon, show and hide what depends on it. */
  changed(control) {
    const element = control.closest("[data-question]");
    if (!element) return;
    const question = this.questions.get(element.dataset.question);
    keepExclusive(element, control);
    for (const [key, answer] of Object.entries(read(element, question)))
      if (!equal(answer, this.current[key])) this.put(key, answer, question);
    this.update();
  }

  put(key, answer, question) {
    this.current[key] = answer;
    if (this.isCapture) {
      this.device.keep(key, answer);
      this.show(this.device.works ? "kept" : "unkept");
      return;
    }
    const readable = isReadable(question, answer);
    this.mark(key, readable ? null : this.data.texts.not_a_number);
    this.saving.change(key, answer, readable);
  }

  /** The server's answers after a save: what others changed meanwhile is shown, but never over what is being typed. */
  take(answers) {
    const before = this.stored;
    this.stored = bare(answers);
    for (const [key, element] of this.elements) {
      const question = this.questions.get(key);
      for (const name of Object.keys(read(element, question))) {
        const untouched = !this.saving.has(name) && !element.contains(document.activeElement);
        if (!untouched || equal(this.stored[name], before[name]) || equal(this.stored[name], this.current[name])) continue;
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
    const walked = visible(this.data.pages, this.data.questions, live);
    const shown = new Set(walked.questions.map(({ key }) => key));
    for (const [key, element] of this.elements) {
      const question = this.questions.get(key);
      element.hidden = !shown.has(key);
      offer(element, question, this.current[key], question.options ? offeredValues(question, walked.answers) : null);
      const required = isRequired(question, walked.answers);
      element.toggleAttribute("data-required", required);
      for (const optional of element.querySelectorAll(".optional")) optional.hidden = required;
    }
  }

  /** Before the page goes: no second time, nothing left behind, and not into a page that cannot come. */
  async submit(event) {
    const button = event.submitter;
    if (button?.value.startsWith("clear:")) {
      event.preventDefault();
      this.clear(button.value.slice("clear:".length));
    } else if (this.leaving) {
      event.preventDefault();
    } else if (!navigator.onLine) {
      event.preventDefault();
      this.show("offline");
    } else if (this.isCapture || this.saving.isIdle) {
      this.leaving = true;
      setTimeout(() => (this.leaving = false), GOING);
    } else {
      event.preventDefault();
      this.leaving = true;
      const isSaved = await this.saving.flush();
      this.leaving = false;
      if (isSaved) this.form.requestSubmit(button);
      else document.getElementById("save-state")?.scrollIntoView({ block: "nearest" });
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
      const answers = read(this.elements.get(key), this.questions.get(key));
      return Object.entries(answers).some(([name, answer]) => !equal(answer, this.stored[name]));
    });
    for (const key of asked)
      if (!changed.includes(key)) for (const name of [key, `${key}__other`]) formData.delete(name);
    formData.delete("_asked");
    for (const key of changed) formData.append("_asked", key);
  }

  /** Say beside a question why its answer is not saved; null takes that back. The server's own errors stay. */
  mark(key, message) {
    const element = this.elements.get(key) ?? this.elements.get(key.replace(/__other$/, ""));
    if (!element) return;
    const target = element.querySelector("fieldset") ?? element.querySelector("input:not([type=hidden]), select, textarea");
    const id = `e-${element.dataset.question}`;
    const error = document.getElementById(id);
    if (message && !error) {
      const made = Object.assign(document.createElement("p"), { id, className: "error", textContent: message });
      made.dataset.live = "";
      element.append(made);
      target.setAttribute("aria-invalid", "true");
      target.setAttribute("aria-describedby", `${target.getAttribute("aria-describedby") ?? ""} ${id}`.trim());
    } else if (!message && error && "live" in error.dataset) {
      error.remove();
      target.removeAttribute("aria-invalid");
      const others = target.getAttribute("aria-describedby").split(" ").filter((other) => other !== id);
      if (others.length) target.setAttribute("aria-describedby", others.join(" "));
      else target.removeAttribute("aria-describedby");
    }
  }

  /** Tell the state of saving, in the page's language. */
  show(name, values = {}) {
    const place = document.getElementById("save-state");
    if (!place) return;
    const { texts } = this.data;
    const text = texts[name].replace("{seconds}", values.seconds).replace("{reason}", texts.refused);
    place.dataset.state = STATES[name] ?? name;
    if (place.textContent !== text) place.textContent = text;
  }
}

const STATES = { retrying: "waiting", restored: "kept", unkept: "failed", gone: "failed" };

const form = document.querySelector("form[data-form]");
if (form) new Form(form);
else if (document.body.dataset.store)
  for (const area of ["localStorage", "sessionStorage"]) new Device(area, document.body.dataset.store).clear();
document.getElementById("errors")?.focus();
