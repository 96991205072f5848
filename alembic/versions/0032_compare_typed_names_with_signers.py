"""Compare typed names with those of the signers.

Release: the release before calls none of the functions.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0032"
down_revision = "0031"


def upgrade():
    """Apply the revision."""
    migrations.owned(r"""
create function app.unlike_words(words text[], other text[]) returns text[]
    language sql immutable strict parallel safe as $$
    select array(
        select word from unnest(words) as word
        where word <> all(other)
          and (length(word) > 1 or word ~ '[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]')
          and not exists (
              select from unnest(other) as initial where length(initial) = 1 and starts_with(word, initial)))
$$;
comment on function app.unlike_words is
    'The words of a name that another name has neither in full nor as an initial. An initial is like any name.';

create function app.names_same(one text, other text) returns boolean
    language sql immutable strict parallel safe as $$
    select replace(app.shortened(app.folded(one, ' ')), ' ', '')
            = replace(app.shortened(app.folded(other, ' ')), ' ', '')
        or app.unlike_words(app.name_words(one), app.name_words(other)) = '{}'
        and app.unlike_words(app.name_words(other), app.name_words(one)) = '{}'
        and exists (select from unnest(app.name_words(one)) as word
                    where octet_length(word) > 1 and word = any(app.name_words(other)))
$$;
comment on function app.names_same is
    'Whether a typed name is a person''s, apart from case, accents, punctuation, order and initials.';
grant execute on function app.unlike_words, app.names_same to pipeline_public;
""")
