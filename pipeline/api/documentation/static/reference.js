// How the reference is drawn. Nothing of it asks another server: no fonts, no proxy, no counting, no assistant.
// A token that a reader enters stays in the page's memory and is gone with it.
const OTHERS = ["c", "clojure", "csharp", "dart", "fsharp", "go", "http", "java", "julia", "kotlin", "objc", "ocaml", "php",
  "powershell", "r", "ruby", "rust", "swift"];

Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  // Requests go to where this page came from, whatever name that has for its reader.
  servers: [{ url: location.origin }],
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  hiddenClients: {
    ...Object.fromEntries(OTHERS.map((name) => [name, true])),
    js: ["axios", "jquery", "ofetch", "xhr"],
    node: ["axios", "fetch", "ofetch"],
    python: ["aiohttp", "httpx_async", "httpx_sync"],
    shell: ["httpie", "wget"],
  },
  authentication: { preferredSecurityScheme: "bearer" },
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  persistAuth: false,
  documentDownloadType: "none",
});
