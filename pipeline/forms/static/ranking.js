/* A ranking by tapping, dragging or keys. The selects, one for each place, keep the answer and are what the form sends. */

const EDGE = 60; // px from the window's edge where a drag scrolls
const STEP = 12;
const KEYS = { ArrowUp: -1, ArrowDown: 1 };

/** Show the places of a ranking question as two lists: the options in order, and those without a place. */
export function makeSortable(element, texts) {
  const parts = element.querySelector(".parts");
  const selects = [...parts.querySelectorAll("select")];
  const options = [...selects[0].options].filter(({ value }) => value);
  const ranked = made("ol", { className: "ranked" }, { "aria-label": texts.order });
  const pool = made("ul", { className: "pool" }, { "aria-label": texts.unplaced });
  const status = made("p", { className: "apart" }, { role: "status" });
  const items = new Map(options.map((option) => [option.value, item(option, texts)]));
  const lists = made("div", { id: selects[0].id, tabIndex: -1 });
  for (const select of selects) {
    select.id += "-value";
    select.closest(".line").hidden = true;
  }
  lists.append(ranked, pool, status);
  parts.append(lists);
  for (const list of [ranked, pool]) list.setAttribute("role", "list");

  const order = () => selects.map(({ value }) => value).filter(Boolean);
  const label = (value) => options.find((option) => option.value === value).label;
  const say = (text, value) => (status.textContent = fill(text, { label: label(value), place: order().indexOf(value) + 1, total: options.length }));

  const draw = () => {
    const values = order();
    for (const [place, value] of values.entries()) {
      const { row, number, up, down } = items.get(value);
      if (ranked.children[place] !== row) ranked.insertBefore(row, ranked.children[place] ?? null);
      number.textContent = `${place + 1}.`;
      up.setAttribute("aria-disabled", String(place === 0));
      down.setAttribute("aria-disabled", String(place === values.length - 1));
    }
    const rest = options.filter(({ value }) => !values.includes(value)).map(({ value }) => items.get(value).row);
    if (rest.some((row, place) => pool.children[place] !== row) || pool.children.length !== rest.length) pool.replaceChildren(...rest);
    for (const option of options) relabel(option, items.get(option.value), texts);
    ranked.hidden = values.length === 0;
    pool.hidden = rest.length === 0;
  };

  const set = (values) => {
    for (const [place, select] of selects.entries()) select.value = values[place] ?? "";
    draw();
    selects[0].dispatchEvent(new Event("change", { bubbles: true }));
  };

  const move = (value, to) => {
    const values = order().filter((other) => other !== value);
    values.splice(Math.max(0, Math.min(to, values.length)), 0, value);
    set(values);
    say(texts.placed, value);
  };

  lists.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const { value } = button.closest("li").dataset;
    const { act } = button.dataset;
    const next = button.closest("li").nextElementSibling?.querySelector("button:enabled");
    if (act === "place") move(value, selects.length);
    else if (act === "displace") {
      set(order().filter((other) => other !== value));
      say(texts.displaced, value);
    } else move(value, order().indexOf(value) + Number(act));
    const stays = act === "place" ? (next ?? items.get(value).up) : act === "displace" ? items.get(value).pick : button;
    stays.focus();
  });

  lists.addEventListener("keydown", (event) => {
    const { value } = event.target.closest("li")?.dataset ?? {};
    if (!(event.key in KEYS) || !order().includes(value)) return;
    event.preventDefault();
    move(value, order().indexOf(value) + KEYS[event.key]);
    event.target.focus();
  });

  let dragged = null;
  ranked.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest(".grip");
    if (event.button || event.target.closest("button") || (event.pointerType !== "mouse" && !grip)) return;
    dragged = event.target.closest("li");
    if (!dragged) return;
    event.preventDefault();
    dragged.classList.add("dragged");
    ranked.setPointerCapture(event.pointerId);
  });
  ranked.addEventListener("pointermove", ({ clientY }) => {
    if (!dragged) return;
    if (clientY < EDGE) scrollBy(0, -STEP);
    else if (clientY > innerHeight - EDGE) scrollBy(0, STEP);
    const others = [...ranked.children].filter((row) => row !== dragged && !row.hidden);
    const before = others.find((row) => clientY < middle(row)) ?? null;
    if (dragged.nextElementSibling !== before) ranked.insertBefore(dragged, before);
  });
  const drop = (keep) => {
    if (!dragged) return;
    const { value } = dragged.dataset;
    const to = [...ranked.children].indexOf(dragged);
    dragged.classList.remove("dragged");
    dragged = null;
    if (keep && to !== order().indexOf(value)) move(value, to);
    else draw();
  };
  ranked.addEventListener("pointerup", () => drop(true));
  ranked.addEventListener("pointercancel", () => drop(false));
  for (const select of selects) select.addEventListener("filled", draw);
  draw();
}

/** The row of an option, for either list: {row, number, name, pick, up, down, out}. */
function item(option, texts) {
  const row = made("li", {}, { "data-value": option.value, "data-option": option.value });
  const number = made("span", { className: "place" });
  const name = made("span", { className: "name" });
  const words = made("bdi");
  const chosen = made("bdi");
  for (const place of [words, chosen])
    for (const attribute of ["lang", "dir"]) if (option.hasAttribute(attribute)) place.setAttribute(attribute, option.getAttribute(attribute));
  name.append(number, " ", words);
  const grip = made("span", { className: "grip", textContent: "\u2807\u2807" }, { "aria-hidden": "true" });
  const pick = button("place", "pick");
  pick.append(chosen);
  const [up, down, out] = [["-1", "\u2191"], ["1", "\u2193"], ["displace", "\u00d7"]].map(([act, sign]) => button(act, "move", sign));
  row.append(grip, name, pick, up, down, out);
  return { row, number, words, chosen, pick, up, down, out };
}

/** The texts of an option may follow an answer. */
function relabel({ label }, { words, chosen, up, down, out }, texts) {
  words.textContent = chosen.textContent = label;
  for (const [control, text] of [[up, texts.up], [down, texts.down], [out, texts.displace]]) control.setAttribute("aria-label", fill(text, { label }));
}

function button(act, className, textContent = "") {
  return made("button", { type: "button", className, textContent }, { "data-act": act });
}

function made(name, properties = {}, attributes = {}) {
  const element = Object.assign(document.createElement(name), properties);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  return element;
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

function middle(row) {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2;
}
