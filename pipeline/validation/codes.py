"""All violation codes."""

from typing import Any, NamedTuple


class Rule(NamedTuple):
    """The texts of a code."""

    message: str
    meaning: str
    cure: str


# Codes are part of the API: never rename one.
CODES = {
    "required": Rule("Is required.", "A value is missing, null or empty.", "Send a value."),
    "wrong_type": Rule("Must be {wanted}.", "The JSON type is another one.", "Send the type that is asked for."),
    "unknown_field": Rule("Is not a field of this request.", "Nothing is known by this name.", "Leave the field out."),
    "unknown_parameter": Rule(
        "Is not a parameter of this request.", "The query has an unknown parameter.", "Leave the parameter out."
    ),
    "unchangeable": Rule(
        "Cannot be changed.", "It is chosen when the record is made, and stays.", "Leave it out, or make a new record."
    ),
    "repeated": Rule("Occurs more than once.", "The same value or name is given twice.", "Send it once."),
    "duplicate_key": Rule('"{key}" is there already.', "Two have the same name.", "Rename or remove one of them."),
    "conflict": Rule("{one} excludes {other}.", "Two fields contradict each other.", "Leave one of them out."),
    "invalid_characters": Rule(
        "Must not hold NUL characters or lone surrogates.",
        "The text holds characters that cannot be stored, or a single line has line breaks, control characters or "
        "controls of direction (U+202A to U+202E, U+2066 to U+2069), by which a name reads as another one.",
        "Remove control characters, controls of direction and line breaks.",
    ),
    "too_long": Rule("Must have at most {most} {of}.", "There are too many characters or items.", "Shorten it."),
    "too_short": Rule("Must have at least {least} characters.", "There are too few characters.", "Write more."),
    "too_large": Rule("Must be at most {most}.", "The content takes too much room.", "Divide or shorten it."),
    "too_deep": Rule("Must be nested at most {most} levels deep.", "Too much stands inside each other.", "Flatten it."),
    "too_many_words": Rule("Must have at most {most} different words.", "A search is too long.", "Use fewer words."),
    "invalid_format": Rule("Has the wrong form.", "The text is not written as it must be.", "Follow the message."),
    "invalid_email": Rule("Must be an email address.", "This is no email address.", "Write name@example.com."),
    "unsupported_address": Rule(
        "Must have ASCII characters alone before the @.",
        "An account is signed in to by its address, and other characters can be mistaken for one another.",
        "Use an address of the letters a to z, digits and signs.",
    ),
    "invalid_phone": Rule("Must be a phone number.", "This is no phone number.", "Write 6 to 15 digits."),
    "invalid_url": Rule("Must be {wanted}.", "This is no such web address.", "Write https://example.com."),
    "insufficient_scope": Rule(
        "{event} needs the scope {scope}.", "The key may not read what it asks to be told.", "Add the scope to the key."
    ),
    "unreachable_host": Rule(
        "The host was not found.",
        "The host of the address was not found, or is not one of the public internet.",
        "Give a host that the internet's name servers know, at a public address.",
    ),
    "invalid_date": Rule("Is no day of the calendar.", "There is no such day or moment.", "Correct the date."),
    "invalid_pattern": Rule(
        "Is no regular expression in RE2 syntax.", "The expression cannot be used.", "Use no look-around."
    ),
    "offset_missing": Rule(
        "Must have an offset, such as Z or +02:00.", "A moment without an offset means nothing.", "Add Z or an offset."
    ),
    "invalid_choice": Rule("Must be one of {choices}.", "The value is none of those allowed.", "Use one of them."),
    "out_of_range": Rule("Must be from {least} to {most}.", "It is too small or too large.", "Stay in the range."),
    "too_precise": Rule(
        "Must have at most {most} decimals{of}.",
        "The amount has a fraction of its currency's smallest unit.",
        "Round it.",
    ),
    "not_an_integer": Rule("Must be a whole number.", "The number has a fraction.", "Send a whole number."),
    "not_a_number": Rule("Is no number.", "The text is not a number.", "Write digits."),
    "in_the_past": Rule("Must lie in the future.", "The moment is over.", "Send a later one."),
    "unknown_currency": Rule(
        "Must be a currency code of ISO 4217 such as EUR.", "No currency in use has this code.", "Correct the code."
    ),
    "unknown_time_zone": Rule(
        "Must be a time zone such as Europe/Berlin.", "There is no such time zone.", "Use a name of the IANA database."
    ),
    "unknown_locale": Rule("Must be a locale such as en or de-CH.", "There is no such locale.", "Use a BCP 47 tag."),
    "low_contrast": Rule(
        "Text on background has a contrast of {ratio}:1; {least}:1 is the least.",
        "The text could not be read by everyone (WCAG 2.2 AA).",
        "Choose a darker or lighter colour.",
    ),
    "unknown_reference": Rule("There is no such record.", "The record does not exist here.", "Correct the id."),
    "unknown_key": Rule("{owner} has no such {what}.", "The record referred to lacks it.", "Use one that it has."),
    "not_confirmed": Rule(
        "Must be the lead's email address, or its name when it has none.",
        "What is lost for good is confirmed by a word of its own.",
        "Look at the record, and send its email address.",
    ),
    "lead_has_no_company": Rule(
        "The lead names no company that could be created.", "The lead's `company` is empty.", "Fill it, or send false."
    ),
    # Uniqueness.
    "slug_taken": Rule("Is in use.", "Another record has this slug.", "Choose another one."),
    "quote_number_taken": Rule("Is in use.", "Another quote has this number.", "Choose another one, or none."),
    "seat_taken": Rule("Is in use.", "The person has a seat, or is invited.", "Change that seat."),
    "configuration_exists": Rule("Is in use.", "The invite has a configuration.", "Change that one."),
    # Passwords and files.
    "wrong_password": Rule("Is not your password.", "The current password is another one.", "Send the current one."),
    "weak_password": Rule("Is easy to guess.", "The password would soon be guessed.", "Follow the advice."),
    "unsupported_file": Rule("Is no supported file.", "The content is of no supported type.", "Convert the file."),
    "unsupported_encoding": Rule("Is in no supported encoding.", "The file is not UTF-8.", "Save it as UTF-8."),
    "invalid_csv": Rule("Cannot be read as CSV.", "The file is no table of leads.", "Compare it with the template."),
    "missing_column": Rule("Has no column {column}.", "The file lacks what each row needs.", "Add the column."),
    "too_many_rows": Rule("Has too many rows.", "The file is longer than one import may be.", "Divide the file."),
    "too_many_cells": Rule("Has more cells than the header.", "A text with a delimiter is not quoted.", "Quote it."),
    # Interview templates.
    "unknown_question": Rule('Question "{key}" is not defined.', "No question has this key.", "Correct the key."),
    "question_on_two_pages": Rule(
        'Question "{key}" is on a page already.', "A question stands on one page.", "Remove it from one of them."
    ),
    "too_many_controls": Rule(
        "Has {count} controls; a page may have {most}.",
        "Each field, box, radio button and option of a list counts, each cell of a matrix and step of a scale.",
        "Divide the page.",
    ),
    "too_many_marks": Rule(
        "With this text there are {count} marks of Markdown; a language of a template may have {most}.",
        "Each asterisk, square bracket, backslash and line end in a text that is Markdown counts.",
        "Shorten the texts, or divide the template.",
    ),
    "unknown_text": Rule(
        'There is no text "{path}".', "The template has no text in this place.", "Correct the place, or leave it out."
    ),
    "question_on_no_page": Rule('Question "{key}" is on no page.', "Nobody would be asked.", "Add its key to a page."),
    "not_earlier_question": Rule(
        'Question "{key}" does not come earlier.', "A condition looks back only.", "Move one of them."
    ),
    "wrong_question_type": Rule("{reason}", "Answers of this type do not fit.", "Use another question, or a map."),
    "operator_misfit": Rule(
        'Operator "{operator}" does not fit a question of type {type}.', "It could never hold.", "Use another operator."
    ),
    "duplicate_option": Rule("{reason}", "An option is named twice.", "Name it once."),
    "reserved": Rule('With allow_other the value "other" is taken.', "The value has a meaning.", "Use another one."),
    "min_above_max": Rule("Must not be above {max}.", "Nothing could satisfy both bounds.", "Correct one of them."),
    "needs_email": Rule("Needs send_email.", "Reminders follow an email that is sent.", "Send true, or no reminders."),
    # Answers.
    "uploaded_only": Rule(
        "Files are uploaded by themselves.", "An answer names files that are not there.", "Use the endpoint for files."
    ),
    "too_many_files": Rule("Takes at most {most} files.", "The question has all its files.", "Remove one first."),
    "not_offered": Rule("This form does not offer it.", "The template's thank_you does not.", "Leave the field out."),
    "must_be_true": Rule("Please give your consent.", "The consent is required.", "Answer true."),
    "exclusive_option": Rule(
        "This option cannot be combined with others.", "The option stands alone.", "Choose it alone, or the others."
    ),
    "too_few": Rule("Select at least {least}.", "Too few are given or chosen.", "Add more."),
    "too_many": Rule("Select at most {most}.", "Too many options are chosen.", "Choose fewer."),
    # Contract templates.
    "malformed_html": Rule("{reason}", "The HTML cannot be read.", "Nest elements as HTML asks for."),
    "malformed_tag": Rule("{reason}", "Braces stand where no tag is.", "Write the tag as the message says."),
    "unknown_tag": Rule("{reason}", "There is no such tag.", "See the list of tags."),
    "misplaced_tag": Rule("{reason}", "The tag means nothing in this place.", "Move it as the message says."),
    "unknown_filter": Rule("{reason}", "There is no such filter.", "See the list of filters."),
    "filter_misfit": Rule("{reason}", "The filter does not fit the tag.", "Use another filter."),
    "invalid_filter_argument": Rule("{reason}", "The filter takes another argument.", "Follow the message."),
    "not_a_list": Rule("{reason}", "Only lists can be repeated.", "Repeat a list."),
    "unknown_target": Rule("{reason}", "The reference names an id that no element has.", "Give the clause that id."),
    "misplaced_target": Rule("{reason}", "The reference names what has no number.", "Put the id on a numbered clause."),
    "unknown_attribute": Rule(
        "{reason}", "Templates have no such attribute.", "Use data-if, data-else, data-each or data-ref."
    ),
    "malformed_condition": Rule("{reason}", "The condition cannot be kept as written.", "Follow the message."),
    "condition_misfit": Rule("{reason}", "The tag cannot be compared in this way.", "Follow the message."),
    "misplaced_repeat": Rule("{reason}", "Repeated elements stand side by side.", "Take one out of the other."),
    "not_printable": Rule("{reason}", "No document can be made of it.", "Follow the message."),
}


def sentence(code: str, **values: Any) -> str:
    """Returns the message of a code with its values."""
    return CODES[code].message.format_map(values)
