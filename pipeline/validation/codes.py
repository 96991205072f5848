"""All violation codes."""

from typing import Any, NamedTuple


class CodeTexts(NamedTuple):
    message: str
    meaning: str
    cure: str


# Codes are part of the API: never rename one.
CODES = {
    "required": CodeTexts("Is required.", "The value is missing, null or empty.", "Send a value."),
    "wrong_type": CodeTexts("Must be {wanted}.", "The value has the wrong JSON type.", "Send the type in the message."),
    "unknown_field": CodeTexts(
        "Is not a field of this request.", "The request has an unknown field.", "Omit the field."
    ),
    "unknown_parameter": CodeTexts(
        "Is not a parameter of this request.", "The query has an unknown parameter.", "Omit the parameter."
    ),
    "repeated": CodeTexts("Occurs more than once.", "The same value or name occurs more than once.", "Send it once."),
    "duplicate_key": CodeTexts(
        '"{key}" occurs twice.', "Two elements have the same key.", "Rename or remove one of them."
    ),
    "conflict": CodeTexts("{one} excludes {other}.", "Two fields contradict each other.", "Omit one of them."),
    "invalid_characters": CodeTexts(
        "Must not contain NUL characters or lone surrogates.",
        "The text has characters that cannot be stored. Single-line texts also exclude line breaks, control "
        "characters and bidirectional controls (U+202A to U+202E, U+2066 to U+2069), which can disguise a "
        "name.",
        "Remove control characters, bidirectional controls and line breaks.",
    ),
    "too_long": CodeTexts(
        "Must have at most {most} {of}.",
        "The text has too many characters, or the list has too many items.",
        "Shorten it.",
    ),
    "too_short": CodeTexts("Must have at least {least} characters.", "The text has too few characters.", "Write more."),
    "too_large": CodeTexts("Must be at most {most}.", "The content is too large.", "Split or shorten it."),
    "too_deep": CodeTexts(
        "Must be nested at most {most} levels deep.", "The value has too many levels of nesting.", "Flatten it."
    ),
    "too_many_words": CodeTexts(
        "Must have at most {most} different words.", "The search has too many words.", "Use fewer words."
    ),
    "invalid_format": CodeTexts(
        "Has the wrong format.", "The text has the wrong format.", "Use the format in the message."
    ),
    "invalid_email": CodeTexts(
        "Must be an email address.", "The text is not an email address.", "Use the form name@example.com."
    ),
    "unsupported_address": CodeTexts(
        "Must have only ASCII characters before the @.",
        "Users log in with this address. Other characters could be confused with ASCII characters.",
        "Use an address of ASCII letters, digits and signs.",
    ),
    "invalid_phone": CodeTexts("Must be a phone number.", "The text is not a phone number.", "Write 6 to 15 digits."),
    "invalid_url": CodeTexts(
        "Must be {wanted}.", "The text is not a valid URL of this kind.", "Use the form https://example.com."
    ),
    "insufficient_scope": CodeTexts(
        "{event} needs the scope {scope}.",
        "The API key lacks the scope to read records of this event.",
        "Add the scope to the API key.",
    ),
    "unreachable_host": CodeTexts(
        "The host was not found.",
        "The host name does not resolve to a public IP address.",
        "Use a host name in public DNS with a public IP address.",
    ),
    "invalid_date": CodeTexts("Must be a date that exists.", "The date or time does not exist.", "Correct the date."),
    "invalid_pattern": CodeTexts(
        "Must be a regular expression in RE2 syntax.",
        "The text is not a regular expression in RE2 syntax.",
        "Correct the syntax. Look-around is not supported.",
    ),
    "offset_missing": CodeTexts(
        "Must have an offset, such as Z or +02:00.", "A time without a UTC offset is ambiguous.", "Add Z or an offset."
    ),
    "invalid_choice": CodeTexts(
        "Must be one of {choices}.", "The value is not one of the allowed values.", "Use an allowed value."
    ),
    "out_of_range": CodeTexts(
        "Must be from {least} to {most}.", "The number is too small or too large.", "Use a number in the range."
    ),
    "too_precise": CodeTexts(
        "Must have at most {most} decimals{of}.", "The amount has more decimals than its currency.", "Round the amount."
    ),
    "not_an_integer": CodeTexts("Must be a whole number.", "The number has a fraction.", "Send an integer."),
    "ambiguous_number": CodeTexts(
        "The comma or dot can stand for thousands or decimals.",
        "A typed number has two readings.",
        "Write thousands without a sign.",
    ),
    "not_a_number": CodeTexts("Must be a number.", "The text is not a number.", "Use digits."),
    "in_the_past": CodeTexts("Must lie in the future.", "The time has passed.", "Send a later time."),
    "unknown_currency": CodeTexts(
        "Must be a currency code of ISO 4217 such as EUR.", "No current currency has this code.", "Correct the code."
    ),
    "unknown_time_zone": CodeTexts(
        "Must be a time zone such as Europe/Berlin.",
        "The time zone does not exist.",
        "Use a name of the IANA time zone database.",
    ),
    "unknown_locale": CodeTexts(
        "Must be a locale such as en or de-CH.", "The locale does not exist.", "Use a BCP 47 tag."
    ),
    "low_contrast": CodeTexts(
        "Text on background has a contrast of {ratio}:1; {least}:1 is the least.",
        "Some people cannot read text with this contrast (WCAG 2.2 AA).",
        "Choose a darker or lighter color.",
    ),
    "unknown_reference": CodeTexts(
        "There is no such record.", "The record does not exist in the organization.", "Correct the id."
    ),
    "unknown_key": CodeTexts("{owner} has no such {what}.", "The record has no such key.", "Use one of its keys."),
    "not_confirmed": CodeTexts(
        "Must be the lead's email address, or its name when it has none.",
        "An erasure cannot be undone, so it needs a confirmation.",
        "Read the lead, and send its email address.",
    ),
    "lead_has_no_company": CodeTexts(
        "The lead has no company name.", "The lead's `company` is empty.", "Set the lead's `company`, or send false."
    ),
    # Uniqueness.
    "slug_taken": CodeTexts("Is in use.", "Another record has this slug.", "Choose another slug."),
    "key_taken": CodeTexts("Is in use.", "Another record has this key.", "Choose another key."),
    "quote_number_taken": CodeTexts(
        "Is in use.", "Another quote has this number.", "Choose another number, or omit it."
    ),
    "in_use": CodeTexts(
        "Other records refer to it.", "The record is referred to.", "Delete or change those records first."
    ),
    "external_id_taken": CodeTexts(
        "Is in use.", "Another record of this kind has this external id.", "Change that record, or use another id."
    ),
    "seat_taken": CodeTexts("Is in use.", "The user already has a seat or an invitation.", "Change the existing seat."),
    "configuration_exists": CodeTexts(
        "Is in use.", "The invite already has a configuration.", "Change the existing configuration."
    ),
    # Passwords and files.
    "wrong_password": CodeTexts(
        "Is not your password.", "The current password is wrong.", "Send the current password."
    ),
    "weak_password": CodeTexts(
        "Is easy to guess.", "The password can be guessed with few attempts.", "Follow the suggestions."
    ),
    "unsupported_file": CodeTexts(
        "Must be of a supported file type.", "The file type is not supported.", "Convert the file."
    ),
    "other_name": CodeTexts(
        "Is not the name of the signer.",
        "The signer typed another name than the request has.",
        "Type the name of the request, or send the same name once more.",
    ),
    "signer_mismatch": CodeTexts(
        "Is not “{name}”, whom the contract prints in this line.",
        "The contract's line prints the name of another person.",
        'Name that person, change the contract, or send `"confirm": ["signer"]`.',
    ),
    "unsupported_encoding": CodeTexts(
        "Has an unsupported encoding.",
        "The file is neither UTF-8 nor UTF-16 with a byte order mark.",
        "Save the file as UTF-8.",
    ),
    "invalid_csv": CodeTexts(
        "Cannot be read as CSV.", "The file is not a table of leads.", "Compare the file with the template."
    ),
    "missing_column": CodeTexts("Has no column {column}.", "The file lacks a required column.", "Add the column."),
    "too_many_rows": CodeTexts("Has too many rows.", "The file exceeds the row limit of an import.", "Split the file."),
    "too_many_cells": CodeTexts(
        "Has more cells than the header.", "A text with a delimiter is not quoted.", "Quote the text."
    ),
    # Interview templates.
    "unknown_question": CodeTexts('Question "{key}" is not defined.', "No question has this key.", "Correct the key."),
    "question_on_two_pages": CodeTexts(
        'Question "{key}" is on a page already.', "A question can be on only one page.", "Remove it from one page."
    ),
    "too_many_controls": CodeTexts(
        "Has {count} controls; a page may have {most}.",
        "The page has too many controls. Each field, box, option, matrix cell and scale step counts as one.",
        "Split the page.",
    ),
    "too_many_marks": CodeTexts(
        "The texts have {count} marks of Markdown; a language of a template may have {most}.",
        "Each asterisk, square bracket, backslash and line end in a Markdown text counts as a mark.",
        "Shorten the texts, or split the template.",
    ),
    "unknown_text": CodeTexts(
        'There is no text "{path}".', "The template has no text at this path.", "Correct the path, or omit it."
    ),
    "question_on_no_page": CodeTexts(
        'Question "{key}" is on no page.', "A question on no page is never shown.", "Add its key to a page."
    ),
    "not_earlier_question": CodeTexts(
        'Question "{key}" does not come earlier.',
        "Conditions and tags can use only earlier questions.",
        "Move one of the questions.",
    ),
    "wrong_question_type": CodeTexts(
        "{reason}", "The answers of this question type do not fit.", "Use another question, or a map."
    ),
    "operator_misfit": CodeTexts(
        'Operator "{operator}" does not fit a question of type {type}.',
        "The condition would never hold.",
        "Use another operator.",
    ),
    "duplicate_option": CodeTexts("{reason}", "The option occurs more than once.", "Use it once."),
    "reserved": CodeTexts(
        'With allow_other the value "other" is taken.',
        "The value is reserved for the option with free text.",
        "Use another value.",
    ),
    "min_above_max": CodeTexts(
        "Must not be above {max}.",
        "No value can be above the minimum and below the maximum.",
        "Correct the minimum or the maximum.",
    ),
    "needs_email": CodeTexts(
        "Needs send_email.",
        "Reminders are sent only after an invite email.",
        "Set `send_email` to true, or omit the reminders.",
    ),
    # Answers.
    "uploaded_only": CodeTexts(
        "Upload files before the answer.",
        "The answer has files that were not uploaded.",
        "Upload them with the endpoint for files.",
    ),
    "too_many_files": CodeTexts(
        "Takes at most {most} files.", "The question has the maximum number of files.", "Delete a file first."
    ),
    "not_offered": CodeTexts(
        "This form does not offer it.", "The template's `thank_you` disables this field.", "Omit the field."
    ),
    "must_be_true": CodeTexts("Please give your consent.", "The consent is required.", "Answer true."),
    "exclusive_option": CodeTexts(
        "This option cannot be combined with others.",
        "The option excludes all other options.",
        "Select this option alone, or only the others.",
    ),
    "too_few": CodeTexts("Select at least {least}.", "The answer has too few items.", "Add more."),
    "too_many": CodeTexts("Select at most {most}.", "The answer has too many options.", "Select fewer options."),
    # Contract templates.
    "malformed_html": CodeTexts("{reason}", "The HTML is not well-formed.", "Correct the nesting of the elements."),
    "open_revisions": CodeTexts(
        "{reason}",
        "The content has insertions or deletions that nobody has accepted.",
        "Accept or reject them in the program that wrote them, or send `revisions=accept`.",
    ),
    "malformed_tag": CodeTexts("{reason}", "The braces do not form a valid tag.", "Correct the tag as in the message."),
    "unknown_tag": CodeTexts("{reason}", "The tag does not exist.", "Use a tag from the list of tags."),
    "misplaced_tag": CodeTexts("{reason}", "The tag cannot be used in this place.", "Move the tag as in the message."),
    "unknown_filter": CodeTexts("{reason}", "The filter does not exist.", "Use a filter from the list of filters."),
    "filter_misfit": CodeTexts("{reason}", "The filter does not fit the type of the tag.", "Use another filter."),
    "invalid_filter_argument": CodeTexts(
        "{reason}", "The argument of the filter is invalid.", "Correct the argument as in the message."
    ),
    "not_a_list": CodeTexts("{reason}", "Only lists can be repeated.", "Use a list."),
    "unknown_clause": CodeTexts("{reason}", "No clause has the key.", "Use the key of a clause."),
    "misplaced_clause": CodeTexts(
        "{reason}", "A clause cannot stand in this place.", "Move the element as in the message."
    ),
    "unknown_target": CodeTexts("{reason}", "No element has the id in the reference.", "Add the id to a clause."),
    "misplaced_target": CodeTexts(
        "{reason}", "The reference points to an element without a number.", "Move the id to a numbered clause."
    ),
    "unknown_attribute": CodeTexts(
        "{reason}", "The attribute is not supported.", "Use data-if, data-else, data-each or data-ref."
    ),
    "malformed_condition": CodeTexts(
        "{reason}", "The condition has a syntax error.", "Correct the condition as in the message."
    ),
    "condition_misfit": CodeTexts(
        "{reason}", "The tag does not support this comparison.", "Correct the condition as in the message."
    ),
    "misplaced_repeat": CodeTexts(
        "{reason}", "Repeated elements cannot be nested.", "Move one element out of the other."
    ),
    "not_printable": CodeTexts(
        "{reason}", "The document cannot be rendered.", "Correct the template as in the message."
    ),
}


def sentence(code: str, **values: Any) -> str:
    """Returns the message of a code with its values."""
    return CODES[code].message.format_map(values)
