"""Slow and silent clients: connections that cost the attacker nothing."""

from tests.fair.attacks.swarm import swarm
from tests.fair.http import HOST

REFRESH = f"POST /api/auth/refresh HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\nContent-Length: "
LARGEST = 1_000_000
PIPELINED = 50


def silent_bodies(number):
    """An attack of so many connections that announce a body of 200 bytes and send one: nobody need be logged in."""
    return lambda field: swarm(field, number, lambda _index: f"{REFRESH}200\r\n\r\n{{".encode())


def idle(field):
    """1,100 connections that say nothing at all."""
    swarm(field, 1_100, lambda _index: b"")


def dribbled_headers(field):
    """1,000 connections whose headers arrive byte by byte."""
    swarm(field, 1_000, lambda _index: f"GET /healthz HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: ".encode(), b"x")


def dribbled_bodies(field):
    """1,000 connections whose body arrives byte by byte."""
    swarm(field, 1_000, lambda _index: f"{REFRESH}{LARGEST}\r\n\r\n".encode(), b" ")


def unread(path):
    """An attack of 1,000 connections that ask for something large and read none of it."""

    def attack(field):
        tokens = field.spec["tokens"]

        def first(index):
            token = tokens[index % len(tokens)]
            where = path.format(**field.spec)
            return f"GET {where} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {token}\r\n\r\n".encode()

        swarm(field, 1_000, first, deaf=True)

    return attack


def unread_pipelines(field):
    """1,000 connections that send fifty requests each in one go and read no answer."""
    request = f"GET /openapi.json HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
    swarm(field, 1_000, lambda _index: request * PIPELINED, deaf=True)


ATTACKS = {
    "silent bodies, 12": silent_bodies(12),
    "silent bodies, 200": silent_bodies(200),
    "idle connections": idle,
    "dribbled headers": dribbled_headers,
    "dribbled bodies": dribbled_bodies,
    "unread copies": unread("/api/contracts/{signed[0]}/executed"),
    "unread exports": unread("/api/leads/export"),
    "unread pipelines": unread_pipelines,
}
