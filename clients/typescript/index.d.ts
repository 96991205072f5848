import type { MaybeOptionalInit, Middleware, ParseAsResponse } from "openapi-fetch";
import type {
  ErrorResponse,
  HttpMethod,
  MediaType,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from "openapi-typescript-helpers";
import type { components, operations, paths, webhooks } from "./pipeline.js";

export type { components, operations, paths, webhooks } from "./pipeline.js";

/** Records, bodies and problems by name, as in `Schemas["Lead"]`. */
export type Schemas = components["schemas"];

/** The message of any webhook; `type` tells the event. */
export type Message = {
  [event in keyof webhooks]: webhooks[event]["post"]["requestBody"]["content"]["application/json"];
}[keyof webhooks];

/** The body of a response as `data`, or the problem as `error`. */
export type Result<Operation extends Record<string | number, any>, Init> =
  | {
      data: ParseAsResponse<SuccessResponse<ResponseObjectMap<Operation>, MediaType>, Init>;
      error?: never;
      response: Response;
    }
  | { data?: never; error: ErrorResponse<ResponseObjectMap<Operation>, MediaType>; response: Response };

// openapi-fetch has types of its own, which take files and `string & {}` apart.
type Call<Method extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Method>,
  Init extends MaybeOptionalInit<paths[Path], Method & keyof paths[Path]>,
>(
  url: Path,
  ...init: RequiredKeysOf<Init> extends never ? [(Init & Further)?] : [Init & Further]
) => Promise<Result<NonNullable<paths[Path][Method & keyof paths[Path]]>, Init>>;

type Further = { [key: string]: unknown };

/** Calls of the service by method and path. */
export interface Client {
  GET: Call<"get">;
  PUT: Call<"put">;
  POST: Call<"post">;
  PATCH: Call<"patch">;
  DELETE: Call<"delete">;
  use(...middleware: Middleware[]): void;
}

/** A client of the service at this URL, with an API key or an access token. */
export function connect(url: string, token?: string): Client;

/** The message in a request's raw body; throws if the signature is wrong. */
export function verify(
  secret: string,
  body: string,
  headers: Headers | { readonly [name: string]: string | string[] | undefined },
): Message;
