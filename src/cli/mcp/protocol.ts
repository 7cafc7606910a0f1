// The Model Context Protocol over two streams. The only importer of its library.
import { Readable, Writable } from "node:stream";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import type { DataRecord } from "../../data-record.ts";
import { isRecord } from "../../data-record.ts";
import type { CallOptions, CallResult } from "./call.ts";
import type { JsonSchema, Tool } from "./tools.ts";

/** A text that clients can read. */
export interface TextResource {
  readonly name: string;
  readonly uri: string;
  readonly description: string;
  readonly read: () => string;
}

export interface ServerOptions {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly resources: readonly TextResource[];
  readonly call: (tool: Tool, values: DataRecord, options: CallOptions) => Promise<CallResult>;
  readonly input: AsyncIterable<Uint8Array>;
  readonly write: (text: string) => Promise<void>;
  /** Gets what is wrong with messages that can't be answered. */
  readonly report: (problem: string) => void;
}

/** Longer messages end the connection. An import of 1 MB fits, also with every character escaped. */
const maxMessageBytes = 8_000_000;

/** Serves the versions of the protocol that the library knows; the first message of the client says which. Resolves when the input has ended. */
export async function serve(options: ServerOptions): Promise<void> {
  const input = Readable.from(options.input, { objectMode: false });
  const output = new Writable({
    decodeStrings: false,
    write: (text, _encoding, done) => void options.write(String(text)).then(() => done(), done),
  });
  const closed = new Promise<void>((resolve) => {
    input.once("close", resolve);
  });
  serveStdio(() => createServer(options), {
    transport: new StdioServerTransport(input, output, { maxBufferSize: maxMessageBytes }),
    onerror: ({ message }) => options.report(message),
  });
  await closed;
}

function createServer({ version, instructions, tools, resources, call, report }: ServerOptions): McpServer {
  const server = new McpServer({ name: "cal", title: "cal", version }, { instructions });
  server.server.onerror = ({ message }) => report(message);
  for (const tool of tools) {
    const { name, description, annotations, inputSchema, outputSchema } = tool;
    server.registerTool(
      name,
      { description, annotations, inputSchema: toStandardSchema(inputSchema), outputSchema: toStandardSchema(outputSchema) },
      async (values, context): Promise<CallToolResult | InputRequiredResult> => {
        const { signal, inputResponses } = context.mcpReq;
        const response = inputResponse(inputResponses, questionKey);
        const answer = response.kind === "elicit" ? response.action === "accept" && response.content?.[answerKey] === true : undefined;
        const result = await call(tool, isRecord(values) ? values : {}, { signal, canAsk: canElicit(server, context), answer });
        if (result.question === undefined)
          return {
            content: [{ type: "text", text: JSON.stringify(result.content) }],
            structuredContent: result.content,
            isError: result.isError,
          };
        return inputRequired({ inputRequests: { [questionKey]: inputRequired.elicit(createQuestion(result.question)) } });
      },
    );
  }
  for (const { name, uri, description, read } of resources)
    server.registerResource(name, uri, { description, mimeType: "text/plain" }, async () => ({
      contents: [{ uri, mimeType: "text/plain", text: read() }],
    }));
  return server;
}

const questionKey = "carry_out";
const answerKey = "carry_out";

function createQuestion(message: string) {
  const answer = { type: "boolean", title: "Carry it out", description: "Yes writes to the site", default: false } as const;
  return { message, requestedSchema: { type: "object" as const, properties: { [answerKey]: answer }, required: [answerKey] } };
}

/** Newer clients say with each request what they can do, older ones when they connect. */
function canElicit(server: McpServer, { mcpReq: { envelope } }: ServerContext): boolean {
  const ofRequest = isRecord(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
  const capabilities: unknown = ofRequest ?? server.server.getClientCapabilities();
  const elicitation = isRecord(capabilities) ? capabilities["elicitation"] : undefined;
  return isRecord(elicitation) && (elicitation["form"] !== undefined || Object.keys(elicitation).length === 0);
}

/** A schema for the lists of tools. The arguments are checked by the call itself, which answers as it does to other problems. */
function toStandardSchema(schema: JsonSchema): StandardSchemaWithJSON<unknown> {
  const toJson = () => ({ ...schema });
  return { "~standard": { version: 1, vendor: "cal", validate: (value) => ({ value }), jsonSchema: { input: toJson, output: toJson } } };
}

/** What is wrong with values by their schema; undefined where nothing is. */
export function createSchemaCheck(): (schema: JsonSchema, values: DataRecord) => string | undefined {
  const validator = new AjvJsonSchemaValidator();
  const checks = new Map<JsonSchema, (values: unknown) => { readonly errorMessage: string | undefined }>();
  return (schema, values) => {
    const check = checks.get(schema) ?? validator.getValidator(schema);
    checks.set(schema, check);
    return check(values).errorMessage;
  };
}
