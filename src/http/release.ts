// Memory of an answer that has been read, given back before the garbage of old objects is collected.

/** Frees the bytes, where Node can (20 can't) and nothing else has its own beside them. They can't be read any more. */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && "transfer" in buffer && typeof buffer.transfer === "function")
    buffer.transfer(0);
}
