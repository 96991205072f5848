/* For pages that show a form in a frame: gives the frame the height of what it shows. docs/forms.md says how. */

(() => {
  const forms = new URL(document.currentScript.src).origin;
  const framed = (source) => [...document.querySelectorAll("iframe")].find((frame) => frame.contentWindow === source);
  addEventListener("message", ({ data, origin, source }) => {
    const frame = origin === forms && Number.isFinite(data?.formHeight) ? framed(source) : null;
    if (!frame) return;
    frame.style.height = `${Math.min(Math.max(data.formHeight, 100), 50000)}px`;
    if (data.isNew && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
  });
  // A frame that was quicker than this script has told its height already.
  for (const { contentWindow } of document.querySelectorAll("iframe")) contentWindow.postMessage("formHeight", "*");
})();
