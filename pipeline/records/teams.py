"""Teams of seats."""

from pipeline.http.declared import record
from pipeline.http.security import ADMIN
from pipeline.validation import Body, Text, required


class Team(Body):
    """A team."""

    name = required(Text())


teams, team = record("/teams", "team", "teams", write=ADMIN, body=Team())
