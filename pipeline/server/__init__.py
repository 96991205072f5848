"""The web server of production: a thread runs the application, and nothing else ever holds one.

A request that is still arriving and an answer that is still leaving are entries in a table, wherever their client
takes its time: no thread reads from or writes to a socket that is not ready. `docs/server.md` says why it is our own.
"""
