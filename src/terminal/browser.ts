// Starts the person's browser. The only importer of `open`; itself loaded only when there is something to show.
import open from "open";

/** Opens an address; false where no browser could be started. What is opened can be read by others in the list of processes: give it nothing secret. */
export async function openBrowser(url: string): Promise<boolean> {
  try {
    const child = await open(url);
    child.on("error", () => undefined);
    return true;
  } catch {
    return false;
  }
}
