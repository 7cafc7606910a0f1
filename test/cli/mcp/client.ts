// The real client of the protocol at `cal mcp` in this process: the streams of the program are pipes in memory.
import { PassThrough } from "node:stream";
import { Client, ReadBuffer, serializeMessage } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { createSession, type Session, type SessionOptions } from "../../helpers/session.ts";

export type Answer = Readonly<Record<string, unknown>>;

interface Call {
  readonly isError: boolean;
  readonly data: ReturnType<typeof JSON.parse>;
}

export interface Assistant {
  readonly client: Client;
  readonly cal: Session;
  /** Questions that the user was asked. */
  readonly questions: string[];
  call(name: string, values?: Answer): Promise<Call>;
  /** The plan of a write, and then the write. */
  write(name: string, values: Answer): Promise<Call>;
  /** Closes stdin and resolves with the exit code of the program. */
  end(): Promise<number>;
  readonly stderr: () => Promise<string>;
}

interface AssistantOptions extends SessionOptions {
  readonly flags?: string;
  readonly mode?: "legacy" | "auto";
  /** What the user says to a question; absent is a client that can't ask. */
  readonly says?: boolean;
}

/** Starts `cal mcp` on a sandbox of its own, and connects. */
export async function connect({ flags = "", mode = "legacy", says, ...options }: AssistantOptions = {}): Promise<Assistant> {
  const [toProgram, fromProgram] = [new PassThrough(), new PassThrough()];
  const cal = createSession(options);
  const served = cal.runStreams(["mcp", ...flags.split(" ").filter((word) => word !== "")], toProgram, fromProgram);
  const buffer = new ReadBuffer();
  const transport: Parameters<Client["connect"]>[0] = {
    start: async () => {
      fromProgram.on("data", (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) transport.onmessage?.(message);
      });
      void served.then(() => transport.onclose?.());
    },
    send: async (message) => void toProgram.write(serializeMessage(message)),
    close: async () => void toProgram.end(),
  };
  const capabilities = says === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode } });
  const questions: string[] = [];
  if (says !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      questions.push(params.message);
      return { action: "accept", content: { carry_out: says } };
    });
  await client.connect(transport);
  const end = async () => {
    toProgram.end();
    return (await served).code;
  };
  onTestFinished(async () => void (await end()));
  const call = async (name: string, values: Answer = {}): Promise<Call> => {
    const { isError = false, structuredContent } = await client.callTool({ name, arguments: { ...values } });
    return { isError, data: structuredContent };
  };
  return {
    client,
    cal,
    questions,
    call,
    write: async (name, values) => {
      const { isError, data } = await call(name, values);
      return isError ? { isError, data } : call(name, { ...values, confirm: data.confirm });
    },
    end,
    stderr: async () => (await served).stderr,
  };
}
