/* A list to choose from that can be searched: a text field (the ARIA combobox) before the select, which keeps the value
   and is what the form sends. Without the module the select is all there is, and enough. */

/** Make a select searchable; `texts.no_match` and `texts.choose` say why a typed text chooses nothing.
    `names` are further texts of an option, which may come later: {value: "UK|England"}. */
export function makeSearchable(select, texts, names = {}) {
  const { id } = select;
  const label = document.querySelector(`label[for="${id}"]`);
  const input = Object.assign(document.createElement("input"), { id, autocomplete: "off", placeholder: select.options[0].label });
  const list = Object.assign(document.createElement("ul"), { id: `${id}-list`, className: "list", hidden: true });
  list.setAttribute("role", "listbox");
  label.id = `${id}-label`;
  list.setAttribute("aria-labelledby", label.id);
  for (const name of ["aria-describedby", "aria-invalid"])
    if (select.hasAttribute(name)) input.setAttribute(name, select.getAttribute(name));
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, dir: "auto" }))
    input.setAttribute(name, value);
  select.id = `${id}-value`;
  select.hidden = true;
  const place = Object.assign(document.createElement("div"), { className: "picker" });
  select.before(place);
  place.append(input, list, select);

  let active = -1;
  let moved = false; // whether arrows have chosen the active entry
  const items = () => [...list.querySelectorAll("[data-value]")];
  const chosen = () => (select.value ? select.selectedOptions[0].label : "");
  const sync = () => (input.value = chosen());

  const point = (index) => {
    active = index;
    for (const [number, item] of items().entries()) item.setAttribute("aria-selected", String(number === index));
    const item = items()[index];
    if (item) input.setAttribute("aria-activedescendant", item.id);
    else input.removeAttribute("aria-activedescendant");
    item?.scrollIntoView({ block: "nearest" });
  };

  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    point(-1);
  };

  const about = (sentence) => sentence.replace("{text}", () => input.value.trim());

  const namesOf = (option) => (names[option.value] ?? "").split("|").map(plain);

  /** The options that match, in groups: the same text, its beginning, beginnings of words, any part. */
  const search = (wanted) => {
    const text = plain(wanted);
    const words = text.split(" ");
    const groups = [[], [], [], []];
    for (const option of select.options) {
      if (!option.value || option.disabled) continue;
      const known = [plain(option.label), ...namesOf(option)];
      const starts = (name) => words.every((word) => ` ${name}`.includes(` ${word}`));
      const nearness = [
        known.includes(text),
        known[0].startsWith(text),
        known.some(starts),
        words.every((word) => known[0].includes(word)),
      ].indexOf(true);
      if (nearness >= 0) groups[text ? nearness : 0].push(option);
    }
    return groups;
  };

  /** Say why the typed text chooses nothing; null takes that back. The form does not go on while it is said. */
  const complain = (sentence) => {
    input.setCustomValidity(sentence ?? "");
    document.getElementById(`${id}-unmatched`)?.remove();
    if (sentence) {
      input.setAttribute("aria-invalid", "true");
      const error = Object.assign(document.createElement("p"), { id: `${id}-unmatched`, className: "error", textContent: sentence });
      error.setAttribute("role", "alert");
      place.before(error);
      input.setAttribute("aria-errormessage", error.id);
    } else if (input.hasAttribute("aria-errormessage")) {
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-errormessage");
    }
  };

  const open = (wanted) => {
    const found = search(wanted).flat();
    list.replaceChildren(...found.map((option, number) => entry(`${list.id}-${number}`, option.label, option.value)));
    if (!found.length) list.append(entry(`${list.id}-none`, about(texts.no_match)));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    moved = false;
    point(wanted && found.length ? 0 : -1);
  };

  const pick = (value) => {
    complain(null);
    select.value = value;
    sync();
    close();
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };

  /** Takes what arrows have chosen, or what is typed in full. */
  const leave = () => {
    const pointed = moved && !list.hidden ? items()[active] : null;
    close();
    if (pointed) return pick(pointed.dataset.value);
    const typed = input.value.trim();
    if (typed === chosen().trim()) return complain(null);
    if (!typed) return pick("");
    const [same, ...near] = search(typed);
    if (same.length === 1) pick(same[0].value);
    else complain(about(same.length || near.flat().length ? texts.choose : texts.no_match));
  };

  const step = (by) => {
    if (list.hidden) open("");
    const { length } = items();
    if (length) point((Math.max(active + by, -1) + length) % length);
    moved = true;
  };

  input.addEventListener("input", () => {
    complain(null);
    open(input.value);
  });
  input.addEventListener("click", () => list.hidden && open(""));
  input.addEventListener("blur", leave);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "Enter" && !list.hidden && active >= 0) pick(items()[active].dataset.value);
    else if (event.key === "Escape" && !list.hidden) {
      close();
      sync();
      complain(null);
    } else return;
    event.preventDefault();
  });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays in the field
  list.addEventListener("click", ({ target }) => "value" in target.dataset && pick(target.dataset.value));
  select.addEventListener("filled", () => {
    sync();
    complain(null);
  });
  close();
  sync();
}

function entry(id, text, value) {
  const item = Object.assign(document.createElement("li"), { id, textContent: text, dir: "auto" });
  item.setAttribute("role", "option");
  if (value === undefined) item.setAttribute("aria-disabled", "true");
  else item.dataset.value = value;
  return item;
}

/** A text without case, accents and the signs that people leave out. */
function plain(text) {
  const bare = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  return bare.replace(/\b(\p{L})\.(?=\p{L}\b)/gu, "$1").replace(/[\s'’ʼ.,()&–-]+/g, " ").trim();
}
