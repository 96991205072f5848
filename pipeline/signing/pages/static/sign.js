/* The signer's page with a script: reports the first view, offers drawing, and sends a form only once. */

import { Pad } from "./drawing.js";

const GOING = 10000; // ms after which a form may be sent again
const form = document.getElementById("form");
const [typing, drawing, how] = ["typing", "drawing", "how"].map((id) => document.getElementById(id));
const image = form.querySelector("[name=drawing]");
const pad = new Pad(drawing.querySelector("canvas"));

/** Show the control for the chosen kind of signature. */
function choose() {
  const drawn = form.querySelector("[name=kind]:checked").value === "drawn";
  typing.hidden = drawn;
  drawing.hidden = !drawn;
}

how.hidden = false;
how.addEventListener("change", choose);
choose();
if (image.value) pad.restore(image.value);
document.getElementById("clear").addEventListener("click", () => pad.clear());
form.addEventListener("formdata", ({ formData }) => formData.set("drawing", drawing.hidden ? "" : pad.read()));

// Mail scanners run scripts, too, but do nothing on the page. A browser scrolls by itself as well.
const viewing = new AbortController();
let place = "";

/** Whether the pointer was at another place before; Chromium also reports one that rests. */
function moved({ screenX, screenY }) {
  const before = place;
  place = `${screenX} ${screenY}`;
  return before !== "" && before !== place;
}

for (const act of ["keydown", "pointerdown", "pointermove", "touchstart", "wheel"]) {
  const report = (event) => {
    if (act === "pointermove" && !moved(event)) return;
    viewing.abort();
    navigator.sendBeacon(form.getAttribute("data-viewed"));
  };
  window.addEventListener(act, report, { signal: viewing.signal, passive: true });
}

for (const each of document.querySelectorAll("form")) {
  let leaving = false;
  each.addEventListener("submit", (event) => {
    if (leaving) event.preventDefault();
    leaving = true;
    setTimeout(() => (leaving = false), GOING);
  });
  window.addEventListener("pageshow", () => (leaving = false));
}
