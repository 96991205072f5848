/* For pages that show a form in a frame: gives the frame the height of what it shows, and keeps where its answers are
   until the tab is closed, because browsers keep nothing for a frame of another site. docs/forms.md says how. */

(() => {
  const forms = new URL(document.currentScript.src).origin;
  const frames = () => [...document.querySelectorAll("iframe")];
  const name = (frame) => `form-draft ${frame.src}`;
  const recall = (frame) => {
    try {
      return sessionStorage.getItem(name(frame));
    } catch {
      return null; // storage is switched off
    }
  };
  const keep = (frame, draft) => {
    try {
      if (draft === null) sessionStorage.removeItem(name(frame));
      else sessionStorage.setItem(name(frame), draft);
    } catch {
      // The form begins anew after a reload.
    }
  };
  addEventListener("message", ({ data, origin, source }) => {
    const frame = origin === forms && data ? frames().find(({ contentWindow }) => contentWindow === source) : null;
    if (!frame) return;
    if (data.formDraft === null || typeof data.formDraft === "string") keep(frame, data.formDraft);
    if (!Number.isFinite(data.formHeight)) return;
    frame.style.height = `${Math.min(Math.max(data.formHeight, 100), 50000)}px`;
    if (!data.isNew) return;
    source.postMessage({ formDraft: recall(frame) }, forms);
    if (frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
  });
  // A frame that was quicker than this script has told its height already.
  for (const frame of frames().filter(({ src }) => src.startsWith(`${forms}/`)))
    for (const message of ["formHeight", { formDraft: recall(frame) }]) frame.contentWindow.postMessage(message, forms);
})();
