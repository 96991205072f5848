import createClient from "openapi-fetch";
import { Webhook } from "standardwebhooks";

export function connect(url, token) {
  const client = createClient({ baseUrl: url, headers: token ? { Authorization: `Bearer ${token}` } : {} });
  client.use({ onResponse: ({ response, options }) => (options.parseAs === "json" ? readable(response) : undefined) });
  return client;
}

/** A response of a file or a text whose `json` gives a Blob or a string; undefined for JSON and for failures. */
async function readable(response) {
  const type = response.headers.get("Content-Type") ?? "";
  if (!response.ok || response.status === 204 || /[/+]json\b/.test(type)) return undefined;
  const content = await response.blob();
  const headers = new Headers(response.headers);
  headers.set("Content-Length", String(content.size));
  const read = new Response(content, { status: response.status, statusText: response.statusText, headers });
  read.json = async () => (type.startsWith("text/") ? content.text() : content);
  return read;
}

export function verify(secret, body, headers) {
  return new Webhook(secret).verify(body, Object.fromEntries(new Headers(headers)));
}
