"""Teams of seats."""

from pipeline.http.declared import record
from pipeline.schema import Body, Text, required
from pipeline.security import ADMIN


class Team(Body):
    """A team of seats."""

    name = required(Text())


teams, team = record("/teams", "team", "teams", write=ADMIN, body=Team())
