"""Bodies of the account endpoints."""

from pipeline.schema import Body, Id, Text, required


class Login(Body):
    """Credentials. Nothing is said about their form: a wrong address is a wrong credential."""

    email = required(Text(max_length=254))
    password = required(Text(max_length=1024, trim=False))


class RefreshToken(Body):
    """A refresh token as it was issued."""

    refresh_token = required(Text(max_length=255))


class CurrentOrganization(Body):
    """The organization to switch to."""

    organization_id = required(Id())
