"""Random contracts: tables of many shapes, scripts, nested clauses, long words, references, contents, pasted content,
pictures, watermarks, papers.
"""

import random
from base64 import b64encode

from pipeline.contracts import merge
from pipeline.documents import Document
from pipeline.documents.document import ORIENTATIONS, PAPERS
from tests.contracts.support import image_file

WORDS = {
    "en": "the licensee shall pay all fees without undue delay and keep software confidential during the whole term",
    "de": "der Lizenznehmer zahlt alle Nutzungsentgelte ohne Verzug Gewährleistungsansprüche enden binnen Jahresfrist",
    "ru": "лицензиат обязуется своевременно оплачивать вознаграждение за использование программного обеспечения",
    "el": "ο αδειούχος καταβάλλει εγκαίρως όλες τις αμοιβές για τη χρήση του λογισμικού κατά τη διάρκεια",
    "zh": "被许可人 应当 按时 支付 全部 费用 并且 对 软件 保密",
    "he": "בעל הרישיון ישלם את כל התשלומים במועד וישמור על סודיות התוכנה",
}
# Letters of no text.
WATERMARK = "§§§§"
PICTURES = tuple((id, b64encode(image_file("PNG", size)).decode()) for id, size in ((1, (120, 60)), (2, (1500, 400))))
TAB = '<span style="mso-tab-count:1">&nbsp; </span>'
LONG = ("Donaudampfschifffahrtsgesellschaftskapitän", "https://terms.example/general/conditions/of/licence/2026")


class Maker:
    """Makes the content of one contract; the same seed makes the same."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.language = list(WORDS)[seed % len(WORDS)]
        self.tables = 0

    def document(self):
        parts = [f'<h1 class="title">{self.words(3)}</h1>', f"<p>{self.words(60)}</p>"]
        parts += [f'<p lang="de" dir="ltr">{" ".join(self.chance.choices(WORDS["de"].split(), k=40))}</p>']
        for _ in range(self.chance.randint(3, 9)):
            make = self.clauses if self.chance.random() < 0.6 else self.table
            parts += [make(), self.pasted()]
        parts += [f'<div class="schedule"><h1>{self.words(2)}</h1>{self.table()}{self.clauses()}</div>']
        direction = "rtl" if self.language == "he" else "ltr"
        return Document(
            "A contract",
            self.language,
            "".join(parts),
            direction=direction,
            watermark=self.chance.choice(["", WATERMARK]),
            pictures=PICTURES,
            page_size=self.chance.choice(list(PAPERS)),
            orientation=self.chance.choice(ORIENTATIONS),
        )

    def pasted(self):
        """Borders, markers, checkboxes, tabs, or pictures, as editors and word processors write them."""
        few, many = self.words(4), self.words(40)
        return merge.sanitize(
            self.chance.choice(
                [
                    f'<p style="border:1px solid black">{many}</p>',
                    f'<p style="border-bottom:2px dotted">{few}</p>',
                    f'<table style="border:none"><tr><td style="border:none">{few}</td><td>{few}</td></tr></table>',
                    f'<p class="marked-1"><span class="marker">(A)</span> {many}</p>'
                    f'<p class="marked-2"><span class="marker">1.01</span> {many}</p>',
                    f'<p><input type="checkbox" checked> {few} <input type="checkbox"> {few}</p>',
                    f"<p>{few}{TAB}{few}</p><p>{few}{TAB}{few}</p>",
                    f'<p>{few} <img data-picture="1" alt="A map"> {few}</p>',
                    f'<p><img data-picture="2" alt="A plan" style="width:{self.chance.randint(10, 100)}%"></p>',
                ]
            )
        )

    def words(self, most):
        chosen = self.chance.choices(WORDS[self.language].split(), k=self.chance.randint(1, most))
        if most > 20 and self.chance.random() < 0.15:
            chosen.insert(len(chosen) // 2, self.chance.choice(LONG))
        return " ".join(chosen)

    def clauses(self, level=1):
        items = []
        for _ in range(self.chance.randint(1, 3)):
            head = f"<h2>{self.words(4)}</h2>" if level == 1 else f"<p>{self.words(40)}</p>"
            deeper = self.clauses(level + 1) if level < 4 and self.chance.random() < 0.7 else ""
            items.append(f"<li>{head}{deeper}</li>")
        return f'<ol class="clauses">{"".join(items)}</ol>' if level == 1 else f"<ol>{''.join(items)}</ol>"

    def table(self):
        """A table whose head names its columns `t1c0`, …, by which they are found on paper; some are not wide."""
        self.tables += 1
        count = self.chance.randint(2, 8)
        head = "".join(f"<th>t{self.tables}c{column}</th>" for column in range(count))
        wordy = self.chance.randrange(count)
        rows = "".join(self.row(count, wordy) for _ in range(self.chance.randint(1, 6)))
        width = ' style="width: 60%"' if count < 5 and self.chance.random() < 0.4 else ""
        caption = self.chance.choice(["", f"<caption>{self.words(3)}</caption>"])
        return f"<table{width}>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def row(self, count, wordy):
        cells = []
        while len(cells) < count:
            text = self.words(30 if len(cells) == wordy else 2)
            kind = self.chance.random()
            if kind < 0.06 and count - len(cells) > 1:
                cells += [f'<td colspan="2">{text}</td>', ""]
            elif kind < 0.15:
                cells.append('<td class="money">1,250.00</td>')
            elif kind < 0.2:
                cells.append(f"<td>{self.chance.choice(LONG)}</td>")
            else:
                cells.append(f"<td>{text}</td>")
        return f"<tr>{''.join(cells)}</tr>"
