"""Functions of the schema in the words that Citus understands: text in, text out."""

import re


def in_plpgsql(definition, source, returned, is_set):
    """A function in SQL as one in PL/pgSQL that does the same."""
    *first, last = [part for part in re.split(r";\s*(?:\n|$)", re.sub(r"--[^\n]*", "", source)) if part.strip()]
    lines = [f"{part};" for part in first]
    if is_set:
        lines.append(f"return query {last};")
    elif returned != "void":
        lines.append(f"{last} into v_result; return v_result;")
    else:
        lines.append(re.sub(r"^\s*select\b", "perform", last) + ";")
    declared = "" if is_set or returned == "void" else f"declare v_result {returned};\n"
    head = definition.split("AS $function$", 1)[0].replace("LANGUAGE sql", "LANGUAGE plpgsql")
    body = "\n".join(lines)
    return f"{head}AS $function$\n#variable_conflict use_column\n{declared}begin\n{body}\nend\n$function$"


def row_by_row(definition):
    """A trigger's function that reads its transition table by itself, and writes its rows one by one.

    A statement of Citus does not find the transition tables, so none may read one and write a table.
    """

    def inserted(match):
        table, columns, rows = match[1], [name.strip() for name in match[2].split(",")], match[3]
        values = ", ".join(f"v_row.{name}" for name in columns)
        return (
            f"for v_row in select * from ({rows}) as read ({', '.join(columns)}) loop\n"
            f"insert into {table} ({', '.join(columns)}) values ({values});\nend loop;"
        )

    def changed(match):
        statement = re.sub(" (from|using) changed\n", "\n", match[0]).replace("changed.", "v_row.")
        return f"for v_row in select * from changed loop\n{statement}\nend loop;"

    text = re.sub(r"insert into (\S+) \(([^)]*)\)\s*(select .*?);", inserted, definition, flags=re.DOTALL)
    text = re.sub(r"(?:update|delete from) \S+_changes as change .*?;", changed, text, flags=re.DOTALL)
    seat = (
        r"exists \(\s*select from app\.organization_users s where s\.organization_id = (\S+) and s\.user_id = (\S+?)\)"
    )
    text = re.sub(seat, r"app.is_seated(\1, \2)", text)
    text, joined = re.subn(r"        join app\.quotes quote on [^\n]*\n", "", text)
    if joined:
        kept = "exists (select from app.quotes q where q.organization_id = v_quote.organization_id"
        text = text.replace("    loop\n", f"    loop\ncontinue when not {kept} and q.id = v_quote.quote_id);\n", 1)
    if "declare\n" in text:
        return text.replace("declare\n", "declare\n    v_row record;\n", 1)
    return re.sub(r"(AS \$function\$\s*)begin", r"\1declare v_row record;\nbegin", text, count=1)
