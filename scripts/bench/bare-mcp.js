// A server of the Model Context Protocol with nothing in it: what the library itself costs.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(() => new McpServer({ name: "bare", version: "1" }, { capabilities: { tools: {} } }));
