// Faults before a byte of the request is sent: no connection, no trust, no way through the proxy.
import { answer, fine } from "./acts.ts";
import { create, get } from "./lines.ts";
import type { Group } from "./row.ts";

const refused = { closed: true } as const;
const far = "https://calendar.example";

/** No connection. */
export const connection: Group = {
  title: "No connection",
  rows: [
    {
      fault: "nothing listens",
      at: refused,
      line: get,
      code: 7,
      says: ["the connection was refused", "is the server running? check the address in CAL_BASE_URL"],
      sent: 0,
      again: 3,
    },
    { fault: "nothing listens, for a create", at: refused, line: create, code: 7, says: ["the connection was refused"], sent: 0, again: 3 },
    {
      fault: "nothing listens, without retries",
      at: refused,
      line: `${get} --retries 0`,
      code: 7,
      says: ["the connection was refused"],
      sent: 0,
      again: 0,
    },
    {
      fault: "every connection is reset",
      at: { atConnect: "reset" },
      line: `${get} --retries 1`,
      code: 7,
      says: ["GET https://127.0.0.1"],
      sent: 0,
      again: 1,
    },
    {
      fault: "the connection stalls before it is secure",
      at: { atConnect: "silence" },
      line: `${create} --timeout 300ms --retries 1`,
      code: 7,
      says: ["no connection was made within 0.3 s", "--timeout 2m"],
      sent: 0,
      again: 1,
    },
    {
      fault: "https:// of a server that speaks http",
      at: { acts: [answer(400, "{}")], scheme: "https" },
      line: get,
      code: 7,
      says: ["the server does not speak TLS here", "is it http:// rather than https://?"],
      sent: 0,
      again: 0,
    },
    {
      fault: "http:// of a server that speaks https",
      at: { acts: [fine], tls: "here", scheme: "http" },
      line: `${get} --retries 0`,
      code: 7,
      says: ["the server closed the connection"],
      sent: 0,
      again: 0,
    },
    { fault: "IPv6 only", at: { acts: [fine], host: "::1" }, line: get, code: 0, says: ["free"], sent: 1, again: 0 },
  ],
  proven: [
    {
      fault: "the name is not known, the network or the host can't be reached, the lookup fails",
      outcome: "7",
      test: "test/faults/unreachable.test.ts",
      words: "EHOSTUNREACH",
    },
  ],
};

/** Certificates. */
export const certificates: Group = {
  title: "Certificates",
  rows: [
    {
      fault: "an unknown issuer",
      at: { acts: [fine], tls: "here" },
      line: get,
      code: 7,
      says: ["issuer", "--ca-file ca.pem"],
      sent: 0,
      again: 0,
    },
    {
      fault: "an unknown issuer, whose certificate is given",
      at: { acts: [fine], tls: "here" },
      line: `${get} --ca-file {authority}`,
      code: 0,
      says: ["free"],
      sent: 1,
      again: 0,
    },
    {
      fault: "an unknown issuer, and --insecure",
      at: { acts: [fine], tls: "here" },
      line: `${get} --insecure`,
      code: 0,
      says: ["free"],
      sent: 1,
      again: 0,
    },
    {
      fault: "it has expired",
      at: { acts: [fine], tls: "expired" },
      line: `${get} --ca-file {authority}`,
      code: 7,
      says: ["the certificate has expired"],
      sent: 0,
      again: 0,
    },
    {
      fault: "it is for another name",
      at: { acts: [fine], tls: "elsewhere" },
      line: `${get} --ca-file {authority}`,
      code: 7,
      says: ["the certificate is for another name"],
      sent: 0,
      again: 0,
    },
  ],
  proven: [],
};

const proxied = (...acts: Parameters<typeof answer>[]) => ({ acts: acts.map((act) => answer(...act)), proxies: far });

/** Proxies. */
export const proxies: Group = {
  title: "Proxies",
  rows: [
    {
      fault: "nothing listens at the proxy",
      at: { closed: true, proxies: far },
      line: `${get} --retries 0`,
      code: 7,
      says: ["the proxy 127.0.0.1:", "made no connection: the connection was refused", "HTTPS_PROXY"],
      sent: 0,
      again: 0,
    },
    {
      fault: "the proxy refuses the site",
      at: proxied([403, "{}"]),
      line: create,
      code: 7,
      says: ["the proxy 127.0.0.1:{port} made no connection: it answered 403"],
      sent: 1,
      again: 0,
    },
    {
      fault: "the proxy wants a password",
      at: proxied([407, "{}"]),
      line: get,
      code: 7,
      says: ["it wants a user name and a password"],
      sent: 1,
      again: 0,
    },
    {
      fault: "the address of the proxy is none",
      at: { url: `${far}/wp-json` },
      env: { HTTPS_PROXY: "http://" },
      line: get,
      code: 10,
      says: ["HTTPS_PROXY is no address of a proxy"],
      sent: 0,
      again: 0,
    },
    {
      fault: "a proxy for http is asked for the answer itself",
      at: { acts: [fine], proxies: "http://calendar.example" },
      line: get,
      code: 0,
      says: ["free"],
      sent: 1,
      again: 0,
    },
    {
      fault: "this machine is never asked through a proxy",
      at: { acts: [fine] },
      env: { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" },
      line: get,
      code: 0,
      says: ["free"],
      sent: 1,
      again: 0,
    },
  ],
  proven: [
    {
      fault: "a proxy that speaks TLS, with a certificate of an own authority and `--ca-file`, `NODE_EXTRA_CA_CERTS` or `--insecure`",
      outcome: "0",
      test: "test/dist/proxy.test.ts",
      words: "%s holds for it too",
    },
    {
      fault: "a proxy that speaks TLS, with a certificate that is not trusted, has expired or is for another name",
      outcome: "7, the proxy is named",
      test: "test/dist/proxy.test.ts",
      words: "its certificate %s: the proxy is named",
    },
  ],
};
