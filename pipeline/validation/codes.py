"""All violation codes."""

from typing import Any, NamedTuple


class Rule(NamedTuple):
    """The texts of a code."""

    message: str
    meaning: str
    cure: str


# Codes are part of the API: never rename one.
CODES = {
    "required": Rule("Is required.", "The value is missing, null or empty.", "Send a value."),
    "wrong_type": Rule("Must be {wanted}.", "The value has the wrong JSON type.", "Send the type in the message."),
    "unknown_field": Rule("Is not a field of this request.", "The request has an unknown field.", "Omit the field."),
    "unknown_parameter": Rule(
        "Is not a parameter of this request.", "The query has an unknown parameter.", "Omit the parameter."
    ),
    "read_only": Rule(
        "Cannot be changed here, and differs from the present value.",
        "The field is read-only, and the request has another value than the record.",
        "Omit the field, or read the record again and send its value.",
    ),
    "repeated": Rule("Occurs more than once.", "The same value or name occurs more than once.", "Send it once."),
    "duplicate_key": Rule('"{key}" occurs twice.', "Two elements have the same key.", "Rename or remove one of them."),
    "conflict": Rule("{one} excludes {other}.", "Two fields contradict each other.", "Omit one of them."),
    "invalid_characters": Rule(
        "Must not contain NUL characters or lone surrogates.",
        "The text has characters that cannot be stored. Single-line texts also exclude line breaks, control "
        "characters and bidirectional controls (U+202A to U+202E, U+2066 to U+2069), which can disguise a "
        "name.",
        "Remove control characters, bidirectional controls and line breaks.",
    ),
    "too_long": Rule(
        "Must have at most {most} {of}.",
        "The text has too many characters, or the list has too many items.",
        "Shorten it.",
    ),
    "too_short": Rule("Must have at least {least} characters.", "The text has too few characters.", "Write more."),
    "too_large": Rule("Must be at most {most}.", "The content is too large.", "Split or shorten it."),
    "too_deep": Rule(
        "Must be nested at most {most} levels deep.", "The value has too many levels of nesting.", "Flatten it."
    ),
    "too_many_words": Rule(
        "Must have at most {most} different words.", "The search has too many words.", "Use fewer words."
    ),
    "invalid_format": Rule("Has the wrong format.", "The text has the wrong format.", "Use the format in the message."),
    "invalid_email": Rule(
        "Must be an email address.", "The text is not an email address.", "Use the form name@example.com."
    ),
    "unsupported_address": Rule(
        "Must have only ASCII characters before the @.",
        "Users log in with this address. Other characters could be confused with ASCII characters.",
        "Use an address of ASCII letters, digits and signs.",
    ),
    "invalid_phone": Rule("Must be a phone number.", "The text is not a phone number.", "Write 6 to 15 digits."),
    "invalid_url": Rule(
        "Must be {wanted}.", "The text is not a valid URL of this kind.", "Use the form https://example.com."
    ),
    "insufficient_scope": Rule(
        "{event} needs the scope {scope}.",
        "The API key lacks the scope to read records of this event.",
        "Add the scope to the API key.",
    ),
    "unreachable_host": Rule(
        "The host was not found.",
        "The host name does not resolve to a public IP address.",
        "Use a host name in public DNS with a public IP address.",
    ),
    "invalid_date": Rule("Must be a date that exists.", "The date or time does not exist.", "Correct the date."),
    "invalid_pattern": Rule(
        "Must be a regular expression in RE2 syntax.",
        "The text is not a regular expression in RE2 syntax.",
        "Correct the syntax. Look-around is not supported.",
    ),
    "offset_missing": Rule(
        "Must have an offset, such as Z or +02:00.", "A time without a UTC offset is ambiguous.", "Add Z or an offset."
    ),
    "invalid_choice": Rule(
        "Must be one of {choices}.", "The value is not one of the allowed values.", "Use an allowed value."
    ),
    "out_of_range": Rule(
        "Must be from {least} to {most}.", "The number is too small or too large.", "Use a number in the range."
    ),
    "too_precise": Rule(
        "Must have at most {most} decimals{of}.", "The amount has more decimals than its currency.", "Round the amount."
    ),
    "not_an_integer": Rule("Must be a whole number.", "The number has a fraction.", "Send an integer."),
    "ambiguous_number": Rule(
        "The comma or dot can stand for thousands or decimals.",
        "A typed number has two readings.",
        "Write thousands without a sign.",
    ),
    "not_a_number": Rule("Must be a number.", "The text is not a number.", "Use digits."),
    "in_the_past": Rule("Must lie in the future.", "The time has passed.", "Send a later time."),
    "unknown_currency": Rule(
        "Must be a currency code of ISO 4217 such as EUR.", "No current currency has this code.", "Correct the code."
    ),
    "unknown_time_zone": Rule(
        "Must be a time zone such as Europe/Berlin.",
        "The time zone does not exist.",
        "Use a name of the IANA time zone database.",
    ),
    "unknown_locale": Rule("Must be a locale such as en or de-CH.", "The locale does not exist.", "Use a BCP 47 tag."),
    "low_contrast": Rule(
        "Text on background has a contrast of {ratio}:1; {least}:1 is the least.",
        "Some people cannot read text with this contrast (WCAG 2.2 AA).",
        "Choose a darker or lighter color.",
    ),
    "unknown_reference": Rule(
        "There is no such record.", "The record does not exist in the organization.", "Correct the id."
    ),
    "unknown_key": Rule("{owner} has no such {what}.", "The record has no such key.", "Use one of its keys."),
    "not_confirmed": Rule(
        "Must be the lead's email address, or its name when it has none.",
        "An erasure cannot be undone, so it needs a confirmation.",
        "Read the lead, and send its email address.",
    ),
    "lead_has_no_company": Rule(
        "The lead has no company name.", "The lead's `company` is empty.", "Set the lead's `company`, or send false."
    ),
    # Uniqueness.
    "slug_taken": Rule("Is in use.", "Another record has this slug.", "Choose another slug."),
    "key_taken": Rule("Is in use.", "Another record has this key.", "Choose another key."),
    "quote_number_taken": Rule("Is in use.", "Another quote has this number.", "Choose another number, or omit it."),
    "in_use": Rule("Other records refer to it.", "The record is referred to.", "Delete or change those records first."),
    "external_id_taken": Rule(
        "Is in use.", "Another record of this kind has this external id.", "Change that record, or use another id."
    ),
    "seat_taken": Rule("Is in use.", "The user already has a seat or an invitation.", "Change the existing seat."),
    "configuration_exists": Rule(
        "Is in use.", "The invite already has a configuration.", "Change the existing configuration."
    ),
    # Passwords and files.
    "wrong_password": Rule("Is not your password.", "The current password is wrong.", "Send the current password."),
    "weak_password": Rule(
        "Is easy to guess.", "The password can be guessed with few attempts.", "Follow the suggestions."
    ),
    "unsupported_file": Rule(
        "Must be of a supported file type.", "The file type is not supported.", "Convert the file."
    ),
    "unsupported_encoding": Rule(
        "Has an unsupported encoding.",
        "The file is neither UTF-8 nor UTF-16 with a byte order mark.",
        "Save the file as UTF-8.",
    ),
    "invalid_csv": Rule(
        "Cannot be read as CSV.", "The file is not a table of leads.", "Compare the file with the template."
    ),
    "missing_column": Rule("Has no column {column}.", "The file lacks a required column.", "Add the column."),
    "too_many_rows": Rule("Has too many rows.", "The file exceeds the row limit of an import.", "Split the file."),
    "too_many_cells": Rule(
        "Has more cells than the header.", "A text with a delimiter is not quoted.", "Quote the text."
    ),
    # Interview templates.
    "unknown_question": Rule('Question "{key}" is not defined.', "No question has this key.", "Correct the key."),
    "question_on_two_pages": Rule(
        'Question "{key}" is on a page already.', "A question can be on only one page.", "Remove it from one page."
    ),
    "too_many_controls": Rule(
        "Has {count} controls; a page may have {most}.",
        "The page has too many controls. Each field, box, option, matrix cell and scale step counts as one.",
        "Split the page.",
    ),
    "too_many_marks": Rule(
        "The texts have {count} marks of Markdown; a language of a template may have {most}.",
        "Each asterisk, square bracket, backslash and line end in a Markdown text counts as a mark.",
        "Shorten the texts, or split the template.",
    ),
    "unknown_text": Rule(
        'There is no text "{path}".', "The template has no text at this path.", "Correct the path, or omit it."
    ),
    "question_on_no_page": Rule(
        'Question "{key}" is on no page.', "A question on no page is never shown.", "Add its key to a page."
    ),
    "not_earlier_question": Rule(
        'Question "{key}" does not come earlier.',
        "Conditions and tags can use only earlier questions.",
        "Move one of the questions.",
    ),
    "wrong_question_type": Rule(
        "{reason}", "The answers of this question type do not fit.", "Use another question, or a map."
    ),
    "operator_misfit": Rule(
        'Operator "{operator}" does not fit a question of type {type}.',
        "The condition would never hold.",
        "Use another operator.",
    ),
    "duplicate_option": Rule("{reason}", "The option occurs more than once.", "Use it once."),
    "reserved": Rule(
        'With allow_other the value "other" is taken.',
        "The value is reserved for the option with free text.",
        "Use another value.",
    ),
    "min_above_max": Rule(
        "Must not be above {max}.",
        "No value can be above the minimum and below the maximum.",
        "Correct the minimum or the maximum.",
    ),
    "needs_email": Rule(
        "Needs send_email.",
        "Reminders are sent only after an invite email.",
        "Set `send_email` to true, or omit the reminders.",
    ),
    # Answers.
    "uploaded_only": Rule(
        "Upload files before the answer.",
        "The answer has files that were not uploaded.",
        "Upload them with the endpoint for files.",
    ),
    "too_many_files": Rule(
        "Takes at most {most} files.", "The question has the maximum number of files.", "Delete a file first."
    ),
    "not_offered": Rule(
        "This form does not offer it.", "The template's `thank_you` disables this field.", "Omit the field."
    ),
    "must_be_true": Rule("Please give your consent.", "The consent is required.", "Answer true."),
    "invalid_postal_code": Rule(
        "Must be a postal code such as {example}.",
        "The address's country does not use postal codes of this form.",
        "Use the form of the example, or correct the country.",
    ),
    "exclusive_option": Rule(
        "This option cannot be combined with others.",
        "The option excludes all other options.",
        "Select this option alone, or only the others.",
    ),
    "too_few": Rule("Select at least {least}.", "The answer has too few items.", "Add more."),
    "too_many": Rule("Select at most {most}.", "The answer has too many options.", "Select fewer options."),
    # Contract templates.
    "malformed_html": Rule("{reason}", "The HTML is not well-formed.", "Correct the nesting of the elements."),
    "malformed_tag": Rule("{reason}", "The braces do not form a valid tag.", "Correct the tag as in the message."),
    "unknown_tag": Rule("{reason}", "The tag does not exist.", "Use a tag from the list of tags."),
    "misplaced_tag": Rule("{reason}", "The tag cannot be used in this place.", "Move the tag as in the message."),
    "unknown_filter": Rule("{reason}", "The filter does not exist.", "Use a filter from the list of filters."),
    "filter_misfit": Rule("{reason}", "The filter does not fit the type of the tag.", "Use another filter."),
    "invalid_filter_argument": Rule(
        "{reason}", "The argument of the filter is invalid.", "Correct the argument as in the message."
    ),
    "not_a_list": Rule("{reason}", "Only lists can be repeated.", "Use a list."),
    "unknown_clause": Rule("{reason}", "No clause has the key.", "Use the key of a clause."),
    "misplaced_clause": Rule("{reason}", "A clause cannot stand in this place.", "Move the element as in the message."),
    "unknown_target": Rule("{reason}", "No element has the id in the reference.", "Add the id to a clause."),
    "misplaced_target": Rule(
        "{reason}", "The reference points to an element without a number.", "Move the id to a numbered clause."
    ),
    "unknown_attribute": Rule(
        "{reason}", "The attribute is not supported.", "Use data-if, data-else, data-each or data-ref."
    ),
    "malformed_condition": Rule(
        "{reason}", "The condition has a syntax error.", "Correct the condition as in the message."
    ),
    "condition_misfit": Rule(
        "{reason}", "The tag does not support this comparison.", "Correct the condition as in the message."
    ),
    "misplaced_repeat": Rule("{reason}", "Repeated elements cannot be nested.", "Move one element out of the other."),
    "not_printable": Rule("{reason}", "The document cannot be rendered.", "Correct the template as in the message."),
}


def sentence(code: str, **values: Any) -> str:
    """Returns the message of a code with its values."""
    return CODES[code].message.format_map(values)
