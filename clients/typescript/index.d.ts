import type { Client } from "openapi-fetch";
import type { components, paths, webhooks } from "./pipeline.js";

export type { components, operations, paths, webhooks } from "./pipeline.js";

/** Records, bodies and problems by name, as in `Schemas["Lead"]`. */
export type Schemas = components["schemas"];

/** The message of any webhook; `type` tells the event. */
export type Message = {
  [event in keyof webhooks]: webhooks[event]["post"]["requestBody"]["content"]["application/json"];
}[keyof webhooks];

/** A client of the service at this URL, with an API key or an access token. */
export function connect(url: string, token?: string): Client<paths>;

/** The message in a request's raw body; throws if the signature is wrong. */
export function verify(
  secret: string,
  body: string,
  headers: Headers | { readonly [name: string]: string | string[] | undefined },
): Message;
