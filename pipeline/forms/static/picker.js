/* A list to choose from that can be searched: a text field (the ARIA combobox) before the select, which keeps the value
   and is what the form sends. Without the module the select is all there is, and enough. */

/** Make a select searchable; `texts.no_match` is said where nothing is found. */
export function makeSearchable(select, texts) {
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

  const open = (wanted) => {
    const words = plain(wanted).split(/\s+/);
    const found = [...select.options].filter((option) => option.value && !option.disabled)
      .filter(({ label }) => words.every((word) => plain(label).includes(word)));
    list.replaceChildren(...found.map((option, number) => entry(`${list.id}-${number}`, option.label, option.value)));
    if (!found.length) list.append(entry(`${list.id}-none`, texts.no_match));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    point(wanted && found.length ? 0 : -1);
  };

  const pick = (value) => {
    select.value = value;
    sync();
    close();
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const leave = () => {
    const only = items().filter(({ textContent }) => plain(textContent) === plain(input.value));
    if (!input.value.trim() && select.value) pick("");
    else if (!list.hidden && only.length === 1) pick(only[0].dataset.value);
    close();
    sync();
  };

  const step = (by) => {
    if (list.hidden) open("");
    const { length } = items();
    if (length) point((Math.max(active + by, -1) + length) % length);
  };

  input.addEventListener("input", () => open(input.value));
  input.addEventListener("click", () => list.hidden && open(""));
  input.addEventListener("blur", leave);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "Enter" && !list.hidden && active >= 0) pick(items()[active].dataset.value);
    else if (event.key === "Escape" && !list.hidden) {
      close();
      sync();
    } else return;
    event.preventDefault();
  });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays in the field
  list.addEventListener("click", ({ target }) => "value" in target.dataset && pick(target.dataset.value));
  select.addEventListener("filled", sync);
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

/** A text without case and accents. */
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
