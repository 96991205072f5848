"""Rewrites function definitions for Citus, as text."""

import re

CONTEXT = "nullif(current_setting('app.organization_id', true), '')::bigint"
# Citus cannot route a sub-select.
_ONE_IS_THERE = re.compile(r"select exists \(\s*select (from .*)\)", re.DOTALL)
_BEGINS = re.compile(r"(?:(?P<declared>\bdeclare\b)|(?=\bbegin\b))", re.IGNORECASE)


def routed(definition: str) -> str:
    """Reads the context's organization once, so that Citus finds the shard."""
    head, mark, body = definition.partition("AS $function$")
    declared = f"declare v_routed bigint := {CONTEXT};\n"
    return head + mark + _BEGINS.sub(lambda _: declared, body.replace(CONTEXT, "v_routed"), count=1)


def of_any_row(definition: str, table: str) -> str:
    """A row function for any row: a shard's rows have its own type."""
    head, returns, body = definition.replace(f" {table})", " anyelement)", 1).partition("\nRETURN ")
    if not returns:
        return head
    head = head.replace("LANGUAGE sql", "LANGUAGE plpgsql")
    return f"{head}\nAS $function$\nbegin\nreturn {body};\nend\n$function$"


def in_plpgsql(definition: str, source: str, returned: str, is_set: bool) -> str:
    """A SQL function in PL/pgSQL."""
    *first, last = [part for part in re.split(r";\s*(?:\n|$)", re.sub(r"--[^\n]*", "", source)) if part.strip()]
    lines = [f"{part};" for part in first]
    if asked := _ONE_IS_THERE.fullmatch(last.strip()):
        lines.append(f"perform {asked[1]};\nreturn found;")
    elif is_set:
        lines.append(f"return query {last};")
    elif returned != "void":
        lines.append(f"{last} into v_result; return v_result;")
    else:
        lines.append(re.sub(r"^\s*select\b", "perform", last) + ";")
    declared = "" if is_set or returned == "void" else f"declare v_result {returned};\n"
    head = definition.split("AS $function$", 1)[0].replace("LANGUAGE sql", "LANGUAGE plpgsql")
    body = "\n".join(lines)
    return f"{head}AS $function$\n#variable_conflict use_column\n{declared}begin\n{body}\nend\n$function$"


def row_by_row(definition: str) -> str:
    """A trigger function that writes row by row.

    Citus cannot read a transition table and write in one statement.
    """

    def inserted(match: re.Match[str]) -> str:
        table, columns, rows = match[1], [name.strip() for name in match[2].split(",")], match[3]
        values = ", ".join(f"v_row.{name}" for name in columns)
        return (
            f"for v_row in select * from ({rows}) as read ({', '.join(columns)}) loop\n"
            f"insert into {table} ({', '.join(columns)}) values ({values});\nend loop;"
        )

    def changed(match: re.Match[str]) -> str:
        statement = re.sub(" (from|using) changed\n", "\n", match[0]).replace("changed.", "v_row.")
        return f"for v_row in select * from changed loop\n{statement}\nend loop;"

    text = re.sub(r"insert into (\S+) \(([^)]*)\)\s*(select .*?);", inserted, definition, flags=re.DOTALL)
    text = re.sub(r"(?:update|delete from) \S+_changes as change .*?;", changed, text, flags=re.DOTALL)
    text, joined = re.subn(r"        join app\.quotes quote on [^\n]*\n", "", text)
    if joined:
        kept = "exists (select from app.quotes q where q.organization_id = v_quote.organization_id"
        text = text.replace("    loop\n", f"    loop\ncontinue when not {kept} and q.id = v_quote.quote_id);\n", 1)
    if "declare\n" in text:
        return text.replace("declare\n", "declare\n    v_row record;\n", 1)
    return re.sub(r"(AS \$function\$\s*)begin", r"\1declare v_row record;\nbegin", text, count=1)


_SET_NULL = re.compile(
    r"FOREIGN KEY \(organization_id, (?P<column>\w+)\) REFERENCES (?P<table>\S+)\(organization_id, (?P<key>\w+)\)"
    r" ON DELETE SET NULL \(\w+\)"
)


def without_set_null(table: str, name: str, definition: str) -> tuple[str, str | None]:
    """(foreign key without ON DELETE SET NULL, trigger or None)."""
    found = _SET_NULL.fullmatch(definition)
    if found is None:
        return definition, None
    arguments = f"'{table.removeprefix('app.')}', '{found['column']}', '{found['key']}'"
    trigger = (
        f"create trigger gone_{name} before delete on {found['table']} for each row "
        f"execute function app.reference_gone({arguments})"
    )
    return definition.partition(" ON DELETE")[0], trigger


def shard_by_shard(definition: str, source: str, arguments: list[str]) -> str:
    """A function over all organizations, for each shard on its server."""
    text = re.sub(r"--[^\n]*", "", source)
    for number, name in enumerate(arguments, 1):
        text = re.sub(rf"\b{name}\b", f"${number}", text)
    text = re.sub(r"\bapp\.(\w+)\b(?!\()", r"app.{\1}", text)
    using = f" using {', '.join(arguments)}" if arguments else ""
    counted = "get diagnostics v_rows = row_count; p_limit := p_limit - v_rows; exit when p_limit <= 0;"
    head = definition.split("AS $function$", 1)[0].replace("LANGUAGE sql", "LANGUAGE plpgsql")
    return (
        f"{head} SET citus.enable_manual_changes_to_shards TO 'on'\nAS $function$\n"
        "declare\nv_text text;\nv_rows bigint;\nbegin\n"
        f"for v_text in select shard from app.each_shard($text${text}$text$) as shard loop\n"
        f"return query execute v_text{using};\n{counted if 'p_limit' in arguments else ''}\nend loop;\nend\n$function$"
    )
