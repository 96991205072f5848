/* Saving while the prospect types: every change is kept on the device at once, sent a moment later together with the
   others, and forgotten by the device when the server has acknowledged exactly that value. */

import { equal } from "./answers.js";

const QUIET = 600; // ms without a further change before a save
const TIMEOUT = 20000;
const LONGEST_WAIT = 30; // seconds
const KEEPALIVE_LIMIT = 60000; // browsers send at most 64 KiB from a page that is going away

/** What is kept on this device for one form: an entry for each question, so that tabs never overwrite each other. */
export class Device {
  constructor(area, name) {
    this.prefix = `pipeline/${name}/`;
    this.works = true;
    try {
      this.storage = window[area];
      this.storage.setItem(`${this.prefix}?`, "");
      this.storage.removeItem(`${this.prefix}?`);
    } catch {
      this.works = false; // switched off, or full: the page itself is all there is
    }
  }

  /** {key: answer} of everything kept. */
  all() {
    if (!this.works) return {};
    const names = Object.keys(this.storage).filter((name) => name.startsWith(this.prefix));
    return Object.fromEntries(names.map((name) => name.slice(this.prefix.length)).map((key) => [key, this.get(key)]));
  }

  /** What is kept for a key; undefined when nothing is. */
  get(key) {
    const text = this.works ? this.storage.getItem(this.prefix + key) : null;
    return text === null ? undefined : JSON.parse(text);
  }

  keep(key, answer) {
    try {
      this.storage.setItem(this.prefix + key, JSON.stringify(answer));
    } catch {
      this.works = false;
    }
  }

  /** Forget an entry unless it has changed since. */
  drop(key, answer) {
    if (this.works && this.storage.getItem(this.prefix + key) === JSON.stringify(answer)) this.storage.removeItem(this.prefix + key);
  }

  clear() {
    if (this.works) for (const key of Object.keys(this.all())) this.storage.removeItem(this.prefix + key);
  }
}

/** Sends changes to the server. `on` is told: state(name, values), saved(answers), refused(keys, messages), gone(state). */
export class Saving {
  #pending = new Map();
  #refused = new Set();
  #flight = null;
  #timer = 0;
  #notBefore = 0;
  #failures = 0;
  #limited = false;
  #over = false;
  #keeps = false; // what is typed after the end

  constructor(api, device, on) {
    Object.assign(this, { api, device, on });
    window.addEventListener("online", () => this.#send());
    window.addEventListener("pagehide", () => this.#sendLeaving());
    document.addEventListener("visibilitychange", () => document.hidden && this.#send());
    window.addEventListener("beforeunload", (event) => this.#pending.size && !this.device.works && event.preventDefault());
  }

  /** Whether a key waits to be acknowledged. */
  has(key) {
    return this.#pending.has(key);
  }

  /** Whether nothing waits that could be sent. */
  get isIdle() {
    return this.#batch().length === 0 && !this.#flight;
  }

  /** Keep a change and send it soon; one that cannot be sent as it stands (`sendable` false) is only kept. */
  change(key, answer, sendable = true) {
    if (this.#over && !this.#keeps) return;
    this.device.keep(key, answer);
    if (this.#over) return;
    this.#pending.set(key, answer);
    if (sendable) this.#refused.delete(key);
    else this.#refused.add(key);
    if (this.#failures === 0 && !this.#limited) this.#batch().length ? this.on.state("saving") : this.#rest();
    this.#schedule(QUIET);
  }

  /** Send what waits, now; true when the server has everything that can be sent. */
  async flush() {
    await this.#flight;
    await this.#send();
    if (this.#failures === 0) await this.#send(); // what was changed or refused meanwhile
    return this.#batch().length === 0 && !this.#over;
  }

  #batch() {
    return [...this.#pending].filter(([key]) => !this.#refused.has(key));
  }

  /** Another tab may have gone on meanwhile: what it has typed since wins, and what it has saved is done. */
  #agree() {
    if (!this.device.works || this.#pending.size === 0) return;
    for (const [key, answer] of this.#pending) {
      const kept = this.device.get(key);
      if (kept === undefined) this.#pending.delete(key);
      else if (!equal(kept, answer)) this.#pending.set(key, kept);
    }
    if (this.#pending.size === 0) this.on.state("saved");
  }

  /** Nothing more can be sent: tell which answers (`keys`) stay behind, if any. */
  #rest() {
    this.on.state(this.#pending.size ? "failed" : "saved", { keys: [...this.#pending.keys()] });
  }

  #schedule(delay) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), Math.max(delay, this.#notBefore - Date.now()));
  }

  #send() {
    const asleep = this.#limited && Date.now() < this.#notBefore;
    if (!this.#flight) this.#agree();
    if (this.#batch().length === 0 || this.#over || asleep) return this.#flight;
    this.#flight ??= this.#exchange().finally(() => {
      this.#flight = null;
      if (this.#batch().length && !this.#over) this.#schedule(0);
    });
    return this.#flight;
  }

  async #exchange() {
    clearTimeout(this.#timer);
    const batch = this.#batch();
    if (this.#failures === 0) this.on.state("saving");
    let response, body;
    try {
      response = await fetch(this.api, { ...this.#request(batch), signal: AbortSignal.timeout(TIMEOUT) });
      body = await response.json();
    } catch (error) {
      return this.#wait(response, response || error.name === "TimeoutError" ? "retrying" : "offline");
    }
    this.#limited = response.status === 429;
    if (response.ok) this.#acknowledge(batch, body, response);
    else this.#refuse(batch, body, response);
  }

  #request(batch) {
    return {
      method: "PATCH",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ answers: Object.fromEntries(batch) }),
    };
  }

  #acknowledge(batch, body, response) {
    for (const [key, answer] of batch) {
      if (this.#pending.get(key) === answer) this.#pending.delete(key);
      this.device.drop(key, answer);
    }
    this.#failures = 0;
    this.#notBefore = Date.now() + spacing(response);
    this.on.saved(body.answers);
    if (this.#batch().length === 0) this.#rest();
  }

  #refuse(batch, body, response) {
    const { status } = response;
    if (status === 404 || status === 409 || status === 410) {
      this.#over = true;
      this.#keeps = body.code === "invite_expired"; // it may be renewed
      if (!this.#keeps) this.device.clear();
      this.on.gone(this.#keeps ? "expired" : "gone");
    } else if (status === 429 || status >= 500) {
      this.#wait(response, this.#limited ? "waiting" : "retrying");
    } else {
      const named = (body.errors ?? []).map(({ name }) => name.replace(/^answers\./, "").split(".")[0]);
      const unchanged = batch.filter(([key, answer]) => this.#pending.get(key) === answer).map(([key]) => key);
      const refused = unchanged.filter((key) => named.includes(key) || named.length === 0);
      const messages = new Map((body.errors ?? []).map(({ message }, number) => [named[number], message]));
      for (const key of refused) this.#refused.add(key);
      this.#failures = 0;
      this.on.refused(refused, messages);
      this.#rest();
    }
  }

  /** Wait before the next try as the server asks for, else longer after each failure. */
  #wait(response, state) {
    this.#failures += 1;
    const asked = Number(response?.headers.get("Retry-After"));
    const seconds = asked > 0 ? asked : Math.min(LONGEST_WAIT, 2 ** this.#failures) * (0.5 + Math.random() / 2);
    this.#notBefore = Date.now() + seconds * 1000;
    this.on.state(this.device.works ? state : "unkept", { minutes: Math.ceil(seconds / 60) });
  }

  /** The page goes away: a last save that needs nobody to wait for it; what it does not reach stays on the device. */
  #sendLeaving() {
    this.#agree();
    const request = this.#request(this.#batch());
    if (this.#batch().length && !this.#over && !this.#limited && navigator.onLine && request.body.length < KEEPALIVE_LIMIT)
      fetch(this.api, { ...request, keepalive: true }).catch(() => {});
  }
}

/** Milliseconds to leave between two saves: the fewer requests the rate limit leaves, the longer. */
function spacing(response) {
  const limits = [...(response.headers.get("RateLimit") ?? "").matchAll(/\br=(\d+)/g)];
  const remaining = Math.min(100, ...limits.map(([, left]) => Number(left)));
  if (remaining > 50) return 0;
  return remaining > 20 ? 4000 : 10000;
}
