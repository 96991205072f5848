import createClient from "openapi-fetch";
import { Webhook } from "standardwebhooks";

export function connect(url, token) {
  return createClient({ baseUrl: url, headers: token ? { Authorization: `Bearer ${token}` } : {} });
}

export function verify(secret, body, headers) {
  return new Webhook(secret).verify(body, Object.fromEntries(new Headers(headers)));
}
