"""A browser without JavaScript: fills the form of a page, presses its buttons, follows redirects."""

import copy
from urllib.parse import urlencode, urljoin


class Paper:
    """The page at a path. `typed` holds what was filled in and not yet sent: name to text, or list of values."""

    def __init__(self, app, path, **headers):
        self.app, self.headers, self.path = app, {"Sec-Fetch-Site": "same-origin", **headers}, ""
        self.open(path)

    def open(self, address, status="*"):
        """Go to an address, relative to where the browser is."""
        self.path = urljoin(self.path, address)
        return self._arrive(self.app.get(self.path, headers=self.headers, status="*"), status)

    def _arrive(self, response, status):
        self.response, self.typed, self.attached = response, {}, []
        if response.status_int == 303:
            return self.open(response.headers["Location"], status)
        assert status in ("*", response.status_int), response.status
        return self

    @property
    def html(self):
        html = self.response.html
        for joint in html.select("wbr"):  # it is no part of the text
            joint.extract()
        html.smooth()
        return html

    @property
    def state(self):
        return self.html.body["data-state"]

    @property
    def step(self):
        """The key of the step, or the page's state."""
        form = self.html.find("form")
        return form["data-step"] if form and form.has_attr("data-step") else self.state

    def text(self, selector):
        return [_words(found) for found in self.html.select(selector)]

    def errors(self):
        return {found["id"].removeprefix("e-"): found.get_text(strip=True) for found in self.html.select(".error[id]")}

    def value(self, name):
        found = self.html.find(attrs={"name": name})
        return found.get_text().removeprefix("\n") if found.name == "textarea" else found.get("value", "")

    def shown(self):
        return [found["data-question"] for found in self.html.select(".question:not([hidden])")]

    def fill(self, **typed):
        """Type into controls, choose radios or options (a text), tick checkboxes (a list); [] unticks."""
        for name in typed:
            assert self.html.select(f'[name="{name}"]:not([disabled])'), f"{name} cannot be filled in"
        self.typed.update(typed)
        return self

    def attach(self, name, filename, content):
        assert self.html.select_one(f'input[type=file][name="{name}"]:not([disabled])')
        self.attached.append((name, filename, content))
        return self

    def press(self, go="next", status="*"):
        pairs, form = self.form_pairs(go), self.html.find("form")
        self.path = urljoin(self.path, form.get("action", ""))
        sent = {"params": urlencode(pairs), "headers": self.headers, "status": "*"}
        if form.get("enctype") == "multipart/form-data":
            sent |= {"params": pairs, "upload_files": self.attached or [("", "", b"")]}
        return self._arrive(self.app.post(self.path, **sent), status)

    def form_pairs(self, go):
        assert self.html.find("button", attrs={"name": "_go", "value": go}), f"no button {go}"
        return [*self._pairs(self.html.find("form")), ("_go", go)]

    def _pairs(self, form):
        """What a browser would send: enabled controls in document order."""
        done = set()
        for control in form.select("input[name], textarea[name], select[name]"):
            name = control["name"]
            if control.has_attr("disabled") or control.get("type") == "file":
                continue
            if name in self.typed:
                if name not in done:
                    done.add(name)
                    typed = self.typed[name]
                    yield from ((name, value) for value in (typed if isinstance(typed, list) else [typed]))
            elif control.name == "select":
                chosen = control.select_one("option[selected]")
                yield name, chosen["value"] if chosen else ""
            elif control.get("type") not in ("radio", "checkbox") or control.has_attr("checked"):
                text = control.get_text().removeprefix("\n") if control.name == "textarea" else control.get("value", "")
                yield name, text


def _words(element):
    """The text of an element; what only marks a language within a sentence does not part its words."""
    whole = copy.copy(element)
    for marked in whole.select("bdi"):
        marked.unwrap()
    whole.smooth()
    return " ".join(whole.get_text(" ", strip=True).split())
