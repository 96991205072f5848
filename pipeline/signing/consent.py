"""The consent to sign electronically. A signature keeps the text and its language."""

from pipeline.mail.languages import language_of

# Identifies the wording; change it with any text.
CONSENT = "2026-12"
TEXTS = {
    "en": "I agree to sign this contract electronically. I have read it, and my electronic signature binds me like a "
    "handwritten one. My name, email address, network address, browser and the time are recorded with it.",
    "de": "Ich stimme zu, diesen Vertrag elektronisch zu unterschreiben. Ich habe ihn gelesen, und meine elektronische "
    "Unterschrift bindet mich wie eine handschriftliche. Mein Name, meine E-Mail-Adresse, meine Netzwerkadresse, mein "
    "Browser und der Zeitpunkt werden dazu gespeichert.",
    "fr": "J’accepte de signer ce contrat par voie électronique. Je l’ai lu, et ma signature électronique m’engage "
    "comme une signature manuscrite. Mon nom, mon adresse e-mail, mon adresse réseau, mon navigateur et l’heure sont "
    "enregistrés avec elle.",
    "es": "Acepto firmar este contrato electrónicamente. Lo he leído y mi firma electrónica me obliga como una firma "
    "manuscrita. Con ella se registran mi nombre, mi correo electrónico, mi dirección de red, mi navegador y la hora.",
    "it": "Accetto di firmare questo contratto elettronicamente. L’ho letto e la mia firma elettronica mi vincola come "
    "una firma autografa. Con essa vengono registrati il mio nome, il mio indirizzo e-mail, il mio indirizzo di rete, "
    "il mio browser e l’ora.",
    "nl": "Ik ga ermee akkoord dit contract elektronisch te ondertekenen. Ik heb het gelezen en mijn elektronische "
    "handtekening bindt mij zoals een handgeschreven handtekening. Mijn naam, e-mailadres, netwerkadres, browser en "
    "het tijdstip worden erbij vastgelegd.",
    "ar": "أوافق على توقيع هذا العقد إلكترونيًا. لقد قرأته، وتوقيعي الإلكتروني ملزم لي كالتوقيع بخط اليد. يُسجَّل معه "
    "اسمي وعنوان بريدي الإلكتروني وعنوان الشبكة والمتصفح والوقت.",
}


def consent_text(language: str) -> tuple[str, str]:
    """(language, text) for a request's language."""
    known = language_of(language)
    return known, TEXTS[known]
