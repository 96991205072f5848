"""Word files of authors as contract templates.

`reading` gives a file's text as HTML with merge tags; `filling` puts the merged HTML's values into the file. lxml alone
does both: docxtpl would evaluate the expressions of an uploaded file. docs/word.md describes the language.
"""
