"""Teams of seats."""

from pipeline.api.declared import Records
from pipeline.http.security import ADMIN
from pipeline.validation import Body, Name, required


class Team(Body):
    """A team."""

    name = required(Name())


teams = Records("/teams", "team", write=ADMIN, body=Team())
teams.list("list_teams")
teams.create("create_team")
teams.get("get_team")
teams.update("update_team", "patch_team")
teams.delete("delete_team")
