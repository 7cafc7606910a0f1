// Faults before a byte of the request is sent: no connection, no trust, no way through the proxy.
import { createResponseAction, okResponse } from "./acts.ts";
import { createCommand, getCommand } from "./lines.ts";
import type { FaultGroup } from "./row.ts";

const refused = { closed: true } as const;
const far = "https://calendar.example";

/** No connection. */
export const connectionFaults: FaultGroup = {
  title: "No connection",
  rows: [
    {
      fault: "nothing listens",
      target: refused,
      commandLine: getCommand,
      exitCode: 7,
      expectedOutput: ["the connection was refused", "is the server running? check the address in CAL_BASE_URL"],
      requestCount: 0,
      retryCount: 3,
    },
    {
      fault: "nothing listens, for a create",
      target: refused,
      commandLine: createCommand,
      exitCode: 7,
      expectedOutput: ["the connection was refused"],
      requestCount: 0,
      retryCount: 3,
    },
    {
      fault: "nothing listens, without retries",
      target: refused,
      commandLine: `${getCommand} --retries 0`,
      exitCode: 7,
      expectedOutput: ["the connection was refused"],
      requestCount: 0,
      retryCount: 0,
    },
    {
      fault: "every connection is reset",
      target: { atConnect: "reset" },
      commandLine: `${getCommand} --retries 1`,
      exitCode: 7,
      expectedOutput: ["GET https://127.0.0.1"],
      requestCount: 0,
      retryCount: 1,
    },
    {
      fault: "the connection stalls before it is secure",
      target: { atConnect: "silence" },
      commandLine: `${createCommand} --timeout 300ms --retries 1`,
      exitCode: 7,
      expectedOutput: ["no connection was made within 0.3 s", "--timeout 2m"],
      requestCount: 0,
      retryCount: 1,
    },
    {
      fault: "https:// of a server that speaks http",
      target: { acts: [createResponseAction(400, "{}")], scheme: "https" },
      commandLine: getCommand,
      exitCode: 7,
      expectedOutput: ["the server does not speak TLS here", "is it http:// rather than https://?"],
      requestCount: 0,
      retryCount: 0,
    },
    {
      fault: "http:// of a server that speaks https",
      target: { acts: [okResponse], tls: "here", scheme: "http" },
      commandLine: `${getCommand} --retries 0`,
      exitCode: 7,
      expectedOutput: ["the server closed the connection"],
      requestCount: 0,
      retryCount: 0,
    },
    {
      fault: "IPv6 only",
      target: { acts: [okResponse], host: "::1" },
      commandLine: getCommand,
      exitCode: 0,
      expectedOutput: ["free"],
      requestCount: 1,
      retryCount: 0,
    },
  ],
  separateTests: [
    {
      fault: "the name is not known, the network or the host can't be reached, the lookup fails",
      outcome: "7",
      test: "test/faults/unreachable.test.ts",
      searchText: "EHOSTUNREACH",
    },
  ],
};

/** Certificates. */
export const certificateFaults: FaultGroup = {
  title: "Certificates",
  rows: [
    {
      fault: "an unknown issuer",
      target: { acts: [okResponse], tls: "here" },
      commandLine: getCommand,
      exitCode: 7,
      expectedOutput: ["issuer", "--ca-file ca.pem"],
      requestCount: 0,
      retryCount: 0,
    },
    {
      fault: "an unknown issuer, whose certificate is given",
      target: { acts: [okResponse], tls: "here" },
      commandLine: `${getCommand} --ca-file {authority}`,
      exitCode: 0,
      expectedOutput: ["free"],
      requestCount: 1,
      retryCount: 0,
    },
    {
      fault: "an unknown issuer, and --insecure",
      target: { acts: [okResponse], tls: "here" },
      commandLine: `${getCommand} --insecure`,
      exitCode: 0,
      expectedOutput: ["free"],
      requestCount: 1,
      retryCount: 0,
    },
    {
      fault: "it has expired",
      target: { acts: [okResponse], tls: "expired" },
      commandLine: `${getCommand} --ca-file {authority}`,
      exitCode: 7,
      expectedOutput: ["the certificate has expired"],
      requestCount: 0,
      retryCount: 0,
    },
    {
      fault: "it is for another name",
      target: { acts: [okResponse], tls: "elsewhere" },
      commandLine: `${getCommand} --ca-file {authority}`,
      exitCode: 7,
      expectedOutput: ["the certificate is for another name"],
      requestCount: 0,
      retryCount: 0,
    },
  ],
  separateTests: [],
};

const proxied = (...acts: Parameters<typeof createResponseAction>[]) => ({
  acts: acts.map((act) => createResponseAction(...act)),
  proxies: far,
});

/** Proxies. */
export const proxyFaults: FaultGroup = {
  title: "Proxies",
  rows: [
    {
      fault: "nothing listens at the proxy",
      target: { closed: true, proxies: far },
      commandLine: `${getCommand} --retries 0`,
      exitCode: 7,
      expectedOutput: ["the proxy 127.0.0.1:", "made no connection: the connection was refused", "HTTPS_PROXY"],
      requestCount: 0,
      retryCount: 0,
    },
    {
      fault: "the proxy refuses the site",
      target: proxied([403, "{}"]),
      commandLine: createCommand,
      exitCode: 7,
      expectedOutput: ["the proxy 127.0.0.1:{port} made no connection: it answered 403"],
      requestCount: 1,
      retryCount: 0,
    },
    {
      fault: "the proxy wants a password",
      target: proxied([407, "{}"]),
      commandLine: getCommand,
      exitCode: 7,
      expectedOutput: ["it wants a user name and a password"],
      requestCount: 1,
      retryCount: 0,
    },
    {
      fault: "the address of the proxy is not valid",
      target: { url: `${far}/wp-json` },
      env: { HTTPS_PROXY: "http://" },
      commandLine: getCommand,
      exitCode: 10,
      expectedOutput: ["HTTPS_PROXY is not the address of a proxy"],
      requestCount: 0,
      retryCount: 0,
    },
    {
      fault: "a proxy for http is asked for the answer itself",
      target: { acts: [okResponse], proxies: "http://calendar.example" },
      commandLine: getCommand,
      exitCode: 0,
      expectedOutput: ["free"],
      requestCount: 1,
      retryCount: 0,
    },
    {
      fault: "this machine is never asked through a proxy",
      target: { acts: [okResponse] },
      env: { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" },
      commandLine: getCommand,
      exitCode: 0,
      expectedOutput: ["free"],
      requestCount: 1,
      retryCount: 0,
    },
  ],
  separateTests: [
    {
      fault: "a proxy that speaks TLS, with a certificate of an own authority and `--ca-file`, `NODE_EXTRA_CA_CERTS` or `--insecure`",
      outcome: "0",
      test: "test/dist/proxy.test.ts",
      searchText: "%s holds for it too",
    },
    {
      fault: "a proxy that speaks TLS, with a certificate that is not trusted, has expired or is for another name",
      outcome: "7, the proxy is named",
      test: "test/dist/proxy.test.ts",
      searchText: "its certificate %s: the proxy is named",
    },
  ],
};
