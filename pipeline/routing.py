"""Which route a path is for: Pyramid tries all in turn, so it is given only those that begin like the path."""

from pyramid.interfaces import IRoutesMapper
from pyramid.urldispatch import RoutesMapper

_OPEN = ("{", "*", ":")


class Routes(RoutesMapper):
    """Pyramid's mapper, with one for each beginning: the first two segments, where a pattern has them literally."""

    def __init__(self):
        super().__init__()
        self.parts = None

    def connect(self, *args, **options):
        """Add a route."""
        self.parts = None
        return super().connect(*args, **options)

    def __call__(self, request):
        """The route of a request and what its pattern matched; all are asked about a path that begins like none."""
        if self.parts is None:
            self.parts = self._by_beginning()
        part = self.parts.get(_beginning(request.environ.get("PATH_INFO", "")))
        return part(request) if part else super().__call__(request)

    def _by_beginning(self):
        """{beginning: a mapper of its routes, and of those without one, in the order of their registration}."""
        beginnings = [_literal(route.pattern) for route in self.routelist]
        parts = {beginning: RoutesMapper() for beginning in beginnings if beginning}
        for beginning, part in parts.items():
            part.routelist = [
                route for route, own in zip(self.routelist, beginnings, strict=True) if own is None or own == beginning
            ]
        return parts


def _beginning(path):
    return tuple(path.split("/", 3)[1:3])


def _literal(pattern):
    """The beginning of a route's pattern; None when it stands for more than one."""
    beginning = _beginning(pattern)
    return None if any(sign in segment for segment in beginning for sign in _OPEN) else beginning


def includeme(config):
    """Install the mapper, before any route is added."""
    config.registry.registerUtility(Routes(), IRoutesMapper)
