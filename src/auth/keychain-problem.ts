// What is wrong with the keychain, in words that say what to do: each fault of real systems has its own.
import { CalError } from "../errors.ts";

/** Where a call failed: keytar did not load, the call was refused, nothing was answered in time, or the process died. */
export type KeychainStage = "load" | "call" | "silent" | "crashed";

interface KeychainFault {
  readonly code: string;
  readonly pattern: RegExp;
  readonly message: string;
  readonly hint: string;
}

const keychainFaults: readonly KeychainFault[] = [
  {
    code: "keychain-locked",
    pattern: /locked|dismissed|cancel/i,
    message: "the keychain is locked",
    hint: "unlock it (log in to the desktop, or: gnome-keyring-daemon --unlock)",
  },
  {
    code: "keychain-no-service",
    pattern: /org\.freedesktop\.secrets|ServiceUnknown|NameHasNoOwner/i,
    message: "no program on this machine offers a keychain (org.freedesktop.secrets)",
    hint: "install and start one, such as gnome-keyring or KeePassXC",
  },
  {
    code: "keychain-no-bus",
    pattern: /d-?bus|could not connect|connection is closed/i,
    message: "there is no D-Bus session, which the keychain is reached through; that is usual over SSH, in containers and in cron",
    hint: "run cal inside one (dbus-run-session)",
  },
];

/** The ways out that work with every fault. */
const alternativesHint =
  "or keep the login in a file only you can read: cal auth login --insecure-storage; or give it in the environment: " +
  "CAL_USERNAME and CAL_PASSWORD at a site that runs The Events Calendar, elsewhere CAL_TOKEN";

/** The error for a keychain that can't be used (exit 4). */
export function keychainError(stage: KeychainStage, message: string): CalError {
  const { code, message: says, hint } = findKeychainFault(stage, message);
  return new CalError("unauthenticated", says, { code, hint: `${hint}; ${alternativesHint}` });
}

/** Whether an error says that the keychain can't be used. */
export function isKeychainError(error: unknown): error is CalError {
  return error instanceof CalError && (error.details.code ?? "").startsWith("keychain-");
}

function findKeychainFault(stage: KeychainStage, message: string): { code: string; message: string; hint: string } {
  if (stage === "silent") {
    return {
      code: "keychain-silent",
      message: "the keychain does not answer",
      hint: "restart its service (on Linux often gnome-keyring-daemon)",
    };
  }
  if (stage === "crashed") {
    return { code: "keychain-crashed", message: "the program that speaks to the keychain ended without an answer", hint: "try again" };
  }
  if (stage === "load") return findLoadFault(message);
  const known = keychainFaults.find((fault) => fault.pattern.test(message));
  if (known !== undefined) return known;
  const words = message.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, 160);
  return { code: "keychain-refused", message: `the keychain refused: ${words}`, hint: "look into its own program" };
}

function findLoadFault(message: string): { code: string; message: string; hint: string } {
  if (/cannot find (?:package|module)/i.test(message)) {
    return {
      code: "keychain-not-installed",
      message: "the optional package keytar is not installed",
      hint: "install cal again without --omit=optional",
    };
  }
  return {
    code: "keychain-no-library",
    message: "the keychain's library could not be loaded; on Linux that is libsecret, and Alpine and 32-bit ARM have none that fits",
    hint: "apt-get install libsecret-1-0, or dnf install libsecret",
  };
}
