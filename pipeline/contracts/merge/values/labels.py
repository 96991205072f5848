"""The words of ready blocks per language."""

_WORDS = (
    "item",
    "quantity",
    "unit_price",
    "discount",
    "net",
    "subtotal",
    "tax",
    "total",
    "for_licensor",
    "for_licensee",
    "signature",
    "name",
    "title",
    "date",
    "yes",
    "no",
)
# The texts are in the order of `_WORDS`.
_LANGUAGES = {
    "en": "Item|Quantity|Unit price|Discount|Net|Subtotal|Tax|Total|"
    "For the Licensor|For the Licensee|Signature|Name|Title|Date|Yes|No",
    "de": "Position|Menge|Einzelpreis|Rabatt|Netto|Zwischensumme|Steuer|Gesamt|"
    "Für den Lizenzgeber|Für den Lizenznehmer|Unterschrift|Name|Funktion|Datum|Ja|Nein",
    "fr": "Article|Quantité|Prix unitaire|Remise|Net|Sous-total|Taxe|Total|"
    "Pour le concédant|Pour le licencié|Signature|Nom|Fonction|Date|Oui|Non",
    "es": "Artículo|Cantidad|Precio unitario|Descuento|Neto|Subtotal|Impuesto|Total|"
    "Por el licenciante|Por el licenciatario|Firma|Nombre|Cargo|Fecha|Sí|No",
    "it": "Voce|Quantità|Prezzo unitario|Sconto|Netto|Subtotale|Imposta|Totale|"
    "Per il licenziante|Per il licenziatario|Firma|Nome|Qualifica|Data|Sì|No",
    "pt": "Item|Quantidade|Preço unitário|Desconto|Líquido|Subtotal|Imposto|Total|"
    "Pelo licenciante|Pelo licenciado|Assinatura|Nome|Cargo|Data|Sim|Não",
    "nl": "Artikel|Aantal|Prijs per stuk|Korting|Netto|Subtotaal|Belasting|Totaal|"
    "Voor de licentiegever|Voor de licentienemer|Handtekening|Naam|Functie|Datum|Ja|Nee",
    "ar": "البند|الكمية|سعر الوحدة|الخصم|الصافي|المجموع الفرعي|الضريبة|الإجمالي|"
    "عن المرخِّص|عن المرخَّص له|التوقيع|الاسم|المسمى الوظيفي|التاريخ|نعم|لا",
    "he": "פריט|כמות|מחיר ליחידה|הנחה|נטו|סכום ביניים|מס|סה״כ|"
    "בשם מעניק הרישיון|בשם מקבל הרישיון|חתימה|שם|תפקיד|תאריך|כן|לא",
}
_TEXTS = {language: dict(zip(_WORDS, texts.split("|"), strict=True)) for language, texts in _LANGUAGES.items()}


def words_of(language: str) -> dict[str, str]:
    """{word: text} of a language code (default English)."""
    return _TEXTS.get(language, _TEXTS["en"])
