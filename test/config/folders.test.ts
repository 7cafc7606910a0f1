// The folders of the program's files, by platform and variable.

import { describe, expect, it } from "vitest";
import { findFolders } from "../../src/config/folders.ts";

const xdg = { XDG_CONFIG_HOME: "/x/config", XDG_STATE_HOME: "/x/state", XDG_CACHE_HOME: "/x/cache" };
const own = { CAL_CONFIG_DIR: "/own/config", CAL_STATE_DIR: "/own/state", CAL_CACHE_DIR: "/own/cache" };

describe("findFolders", () => {
  it.each([
    ["linux", {}, { config: "/home/ann/.config/cal", state: "/home/ann/.local/state/cal", cache: "/home/ann/.cache/cal" }],
    ["linux", xdg, { config: "/x/config/cal", state: "/x/state/cal", cache: "/x/cache/cal" }],
    ["linux", { ...xdg, ...own }, { config: "/own/config", state: "/own/state", cache: "/own/cache" }],
    [
      "linux",
      { XDG_CONFIG_HOME: "rel", CAL_STATE_DIR: "" },
      { config: "/home/ann/.config/cal", state: "/home/ann/.local/state/cal", cache: "/home/ann/.cache/cal" },
    ],
    [
      "darwin",
      xdg,
      {
        config: "/home/ann/Library/Preferences/cal",
        state: "/home/ann/Library/Application Support/cal",
        cache: "/home/ann/Library/Caches/cal",
      },
    ],
  ])("%s with %o", (platform, env, folders) => {
    expect(findFolders({ env, platform, home: "/home/ann" })).toEqual(folders);
  });

  it("win32", () => {
    const env = { APPDATA: "C:\\Users\\ann\\AppData\\Roaming", LOCALAPPDATA: "D:\\Local" };
    expect(findFolders({ env, platform: "win32", home: "C:\\Users\\ann" })).toEqual({
      config: "C:\\Users\\ann\\AppData\\Roaming\\cal\\Config",
      state: "D:\\Local\\cal\\State",
      cache: "D:\\Local\\cal\\Cache",
    });
  });

  it("refuses a folder that would depend on the working folder, all at once", () => {
    expect(() => findFolders({ env: { CAL_CONFIG_DIR: "~/cal", CAL_CACHE_DIR: "tmp" }, platform: "linux", home: "/home/ann" })).toThrow(
      expect.objectContaining({
        kind: "usage",
        message: 'CAL_CONFIG_DIR must be an absolute path, and "~/cal" is not\nCAL_CACHE_DIR must be an absolute path, and "tmp" is not',
      }),
    );
  });
});

it.each(["", "relative", "."])("a home that is no absolute path (%j) leads to no file of the working folder", (home) => {
  const refused = expect.objectContaining({ kind: "usage", message: expect.stringContaining("home folder") });
  expect(() => findFolders({ env: {}, home, platform: "linux" })).toThrow(refused);
  const env = { CAL_CONFIG_DIR: "/c", CAL_STATE_DIR: "/s", CAL_CACHE_DIR: "/k" };
  expect(findFolders({ env, home, platform: "linux" })).toEqual({ config: "/c", state: "/s", cache: "/k" });
});
