"""A licence of ten pages with all features of templates, in English, German and Arabic."""

import random

from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.documents import Document
from tests.documents.support import picture

SENTENCES = {
    "en": """The Licensor grants the Licensee a non-exclusive right to use the Software for its own business purposes.
The Licensee pays all fees within thirty days after it has received the invoice.
Either party may terminate this agreement for good cause, in particular if the other party breaches an essential duty.
Confidential information is disclosed only to employees who need it and who are bound to secrecy.
The Licensor remedies defects within a reasonable period by correction, replacement or a workaround.
Neither party is liable for damage that it could not foresee when this agreement was made.
Changes of this agreement are valid only if both parties have signed them in writing.
The documentation describes the interfaces, the requirements of the operating system and the limits of use.
Personal data is processed only on documented instructions and is erased when the term has ended.
If a provision is invalid, the remaining provisions stay in force and the parties agree upon a substitute.""",
    "de": """Die Lizenzgeberin räumt der Lizenznehmerin ein nicht ausschließliches Nutzungsrecht an der Software ein.
Die Lizenznehmerin zahlt sämtliche Nutzungsentgelte innerhalb von dreißig Tagen nach Rechnungseingang.
Jede Vertragspartei kann aus wichtigem Grund kündigen, insbesondere bei der Verletzung wesentlicher Vertragspflichten.
Vertrauliche Informationen werden nur Beschäftigten zugänglich gemacht, die zur Verschwiegenheit verpflichtet sind.
Die Gewährleistungsansprüche wegen Sachmängeln verjähren zwölf Monate nach der Bereitstellung der Software.
Die Haftung für nicht vorhersehbare Schäden ist bei leichter Fahrlässigkeit ausgeschlossen.
Änderungen und Ergänzungen dieser Vereinbarung bedürfen der Schriftform.
Die Dokumentation beschreibt die Schnittstellen, die Betriebssystemvoraussetzungen und die Nutzungsbeschränkungen.
Personenbezogene Daten werden nur auf dokumentierte Weisung verarbeitet und nach Vertragsende gelöscht.
Ist eine Bestimmung unwirksam, so bleiben die übrigen Bestimmungen unberührt.""",
    "ar": """يمنح المرخِّص للمرخَّص له حقاً غير حصري في استخدام البرنامج لأغراض أعماله الخاصة.
يدفع المرخَّص له جميع الرسوم خلال ثلاثين يوماً من تاريخ استلام الفاتورة.
يجوز لأي من الطرفين إنهاء هذه الاتفاقية لسبب وجيه، ولا سيما إذا أخل الطرف الآخر بالتزام جوهري.
لا يُفصح عن المعلومات السرية إلا للموظفين الذين يحتاجون إليها والملتزمين بالسرية.
يعالج المرخِّص العيوب خلال مدة معقولة بالتصحيح أو الاستبدال أو بحل بديل.
لا يُسأل أي من الطرفين عن ضرر لم يكن في وسعه توقعه عند إبرام هذه الاتفاقية.
لا تسري تعديلات هذه الاتفاقية إلا إذا وقّع عليها الطرفان كتابةً.
تصف الوثائق الواجهات ومتطلبات نظام التشغيل وحدود الاستخدام.
لا تُعالج البيانات الشخصية إلا بناءً على تعليمات موثقة وتُمحى عند انتهاء المدة.
إذا بطل حكم من الأحكام بقيت الأحكام الأخرى نافذة واتفق الطرفان على بديل له.""",
}
WORDS = {
    "en": "Licence|Contents|Clause|Schedule|item|between|and|Software|Prices|Support|Terms|Signatures",
    "de": "Lizenzvertrag|Inhalt|Ziffer|Anlage|Position|zwischen|und|Software|Preise|Pflege|Bedingungen|Unterschriften",
    "ar": "ترخيص|المحتويات|البند|الملحق|الصف|بين|و|البرنامج|الأسعار|الدعم|الشروط|التوقيعات",
}
ADDRESS = (
    "{{Contract.licensor_legal_name}}, {{Contract.licensor_address}}, {{Contract.licensor_email}}, {{Contract.number}}"
)


class Licence:
    """The template in a language; the same in every run."""

    def __init__(self, language):
        self.language = language
        self.chance = random.Random(7)
        self.sentences = SENTENCES[language].splitlines()
        self.words = WORDS[language].split("|")

    def document(self):
        """The Document, with every tag filled."""
        direction = "rtl" if self.language == "ar" else "ltr"
        values = {**SAMPLES, "locale": {"currency": "EUR", "locale": self.language, "direction": direction}}
        footers = {
            "footer_left": f"{ADDRESS}, {ADDRESS}",
            "footer_center": "{{page}} / {{pages}}",
            "footer_right": ADDRESS,
        }
        assert merge.check(self.content(), footers) == []
        made = merge.resolve(merge.sanitize(self.content()), footers, values)
        assert made.unresolved_tags == []
        margins = {"header_left": self.words[0], **made.margins}
        return Document(self.words[0], self.language, made.content, direction=direction, logo=picture(), **margins)

    def text(self, most):
        """Up to so many sentences."""
        return " ".join(self.chance.choices(self.sentences, k=self.chance.randint(1, most)))

    def content(self):
        """The template's HTML."""
        self.chance.seed(7)
        count = 24 if self.language == "ar" else 19
        title, contents, clause, schedule, item, between, joined, software, prices, support, terms, signed = self.words
        return f"""<h1 class="title">{title}</h1>
<p>{between} {{{{Contract.licensor_legal_name}}}}, {{{{Contract.licensor_address | inline}}}} {joined}
{{{{Licensee.legal_name}}}}, {{{{Licensee.street}}}}, {{{{Licensee.postal_code}}}} {{{{Licensee.city}}}},
{{{{Licensee.country}}}}: {self.text(3)}</p><p><strong>{contents}</strong></p><p>{{{{Contract.table_of_contents}}}}</p>
<p>{clause} <a data-ref="fees">2</a>, <a data-ref="late">2.3(a)</a>, {schedule} <a data-ref="prices">1</a>, {item}
<a data-ref="training">3</a>: {{{{Contract.effective_date | date: "long"}}}}, {{{{Quote.total | currency}}}}.</p>
<ol class="clauses">{"".join(self.clause(f"{software} {number}", number) for number in range(1, count + 1))}</ol>
<h2>{signed}</h2><p>{{{{Contract.signature_block}}}}</p>
<div class="schedule" id="prices"><h1>{schedule} <a data-ref="prices">1</a>: {prices}</h1><p>{self.text(3)}</p>
{self.table()}<p data-if="Quote.total > 100000">{self.text(2)}</p><p data-else>{self.text(4)}</p>
<p>{{{{Quote.lines_table}}}}</p></div>
<div class="schedule" data-if="Deal.features has none"><h1>{schedule} 9</h1></div>
<div class="schedule"><h1 id="support">{schedule} <a data-ref="support">2</a>: {support}</h1>
<ul><li data-each="Deal.features">{{{{Line.position}}}}: {{{{Line.name}}}}</li></ul>
<ol type="a" start="3"><li>{self.text(2)}</li><li>{self.text(3)}</li></ol><blockquote>{self.text(4)}</blockquote>
<h3>{terms}</h3>{"".join(f"<p>{self.text(6)}</p>" for _ in range(6))}
<p lang="fr" dir="ltr">Le présent contrat est régi par le droit applicable au siège du concédant.</p></div>"""

    def clause(self, heading, number):
        """A clause with sub-clauses of three further levels."""
        late = ' id="late"' if number == 2 else ""
        letters = f"<ol><li{late}>{self.text(2)}</li><li>{self.text(1)}<ol><li>{self.text(1)}</li></ol></li></ol>"
        others = "".join(f"<li>{self.text(3)}</li>" for _ in range(self.chance.randint(1, 4)))
        last = f'<li><span class="definition">{heading}</span>: {self.text(2)}{letters if number % 3 else ""}</li>'
        fees = ' id="fees"' if number == 2 else ""
        return f"<li{fees}><h2>{heading}</h2><ol>{others}{last}</ol></li>"

    def table(self):
        """A table of prices: merged cells, repeated lines, a row with an id."""
        return f"""<table><thead><tr><th rowspan="2">#</th><th colspan="2">{self.words[8]}</th></tr>
<tr><th>{self.words[7]}</th><th>EUR</th></tr></thead><tbody>
<tr data-each="Quote.lines"><td>{{{{Line.position}}}}</td><td>{{{{Line.name}}}}, {self.text(2)}</td>
<td class="money">{{{{Line.net | currency}}}}</td></tr>
<tr id="training"><td><a data-ref="training">3</a></td><td>LIC-SRV-000-ENTERPRISE {self.text(2)}</td>
<td class="money">1.00</td></tr></tbody></table>"""
