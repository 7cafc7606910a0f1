// The jobs of the guide for CI: bash runs the commands of each step, with its variables, on a site that runs The Events Calendar.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { startSandbox } from "../../src/sandbox/server.ts";
import { startProgram } from "../helpers/processes.ts";
import { projectRoot } from "../project/sources.ts";

const root = mkdtempSync(join(tmpdir(), "cal-ci-"));
const checkout = join(root, "checkout");
const site = await startSandbox({
  file: ":memory:",
  day: new Date().toISOString().slice(0, 10),
  now: () => Date.now(),
  serverProfile: "the-events-calendar",
});
const password = site.users.find(({ username }) => username === "admin")?.applicationPassword ?? "";

type Variables = Readonly<Record<string, string>>;

const readJobs = (name: string): unknown => {
  const guide = readFileSync(join(projectRoot, "docs/guide.md"), "utf8");
  const [, text = ""] = new RegExp(`\`\`\`yaml\\n# ${name.replaceAll(".", "\\.")}\\n(.*?)\n\`\`\`\n`, "s").exec(guide) ?? [];
  return parse(text);
};

/** Runs a step as the services do: each with a shell that ends at the first error. */
async function bash(script: string, env: Variables) {
  const { text, ended } = startProgram("bash", ["-e", "-o", "pipefail", "-c", script], {
    cwd: checkout,
    env: { PATH: [join(root, "bin"), process.env["PATH"]].join(delimiter), HOME: root, ...env },
  });
  const { code } = await ended;
  return { code, ...text };
}

const read = (name: string) => readFileSync(join(checkout, name), "utf8");

/** Adds an event, and changes none. */
const addFile = (name: string, title: string) =>
  writeFileSync(
    join(checkout, `calendar/events/${name}.yaml`),
    `title: ${title}\nstart_date: 2031-03-05 19:30\nend_date: 2031-03-05 22:00\ntimezone: Europe/Paris\n`,
  );

const countEvents = async () =>
  (await bash("cal events list --month 2031-03 --format count", { CAL_BASE_URL: site.baseUrl, CAL_NAMESPACE: "tribe/events/v1" })).stdout;

const shared = { CAL_BASE_URL: site.baseUrl, CAL_NAMESPACE: "tribe/events/v1", CAL_TZ: "Europe/Paris", CAL_NO_INPUT: "1" };
const login = { CAL_USERNAME: "admin", CAL_PASSWORD: password };

beforeAll(async () => {
  mkdirSync(join(root, "bin"));
  mkdirSync(checkout);
  const program = (name: string, text: string) => writeFileSync(join(root, "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  program("cal", `exec "${process.execPath}" "${projectRoot}/bin/cal.js" "$@"`);
  // The programs of the services write down how they were called.
  for (const name of ["gh", "curl"]) program(name, `printf '%s\\n' "$@" > "${root}/${name}.txt"`);
  const setup = [
    `git init --quiet --bare --initial-branch main "${root}/origin.git"`,
    "git init --quiet --initial-branch main",
    `git remote add origin "${root}/origin.git"`,
    "git config user.name ci && git config user.email ci@example.org && git config push.default current",
    "cal pull calendar --resources events,venues --from today --until today+60d",
    "git add calendar && git commit --quiet --message 'Calendar' && git push --quiet origin main",
  ];
  expect(await bash(setup.join("\n"), { ...shared, ...login })).toMatchObject({ code: 0 });
});
beforeEach(() => rmSync(join(checkout, "plan.txt"), { force: true }));
afterAll(async () => {
  await site.close();
  rmSync(root, { recursive: true, force: true });
});

/** What both services must do with these scripts. */
async function expectJobs(validate: string, plan: () => Promise<string>, apply: () => Promise<void>, name: string): Promise<void> {
  const before = await countEvents();
  addFile(name, `Open \`Stage\` ${name}`);
  expect(await bash(validate, shared)).toMatchObject({ code: 0 });
  const comment = await plan();
  expect(comment).toMatch(/^```text\n/);
  expect(comment).toContain(`Open 'Stage' ${name}`);
  expect(comment.match(/```/g)).toHaveLength(2);
  expect(await countEvents()).toBe(before);
  await apply();
  expect(Number(await countEvents())).toBe(Number(before) + 1);
  expect((await bash("git status --short; git diff origin/main", shared)).stdout).not.toContain("ledger");
  expect((await bash("git show origin/main:calendar/.calendar/ledger.ndjson", shared)).stdout).toContain(`events/${name}`);
  await apply();
  expect(Number(await countEvents())).toBe(Number(before) + 1);
  addFile("bad", "Bad\nnonsense: 1");
  expect((await bash(validate, shared)).code).toBe(2);
  rmSync(join(checkout, "calendar/events/bad.yaml"));
}

interface Step {
  readonly run?: string;
  readonly env?: Variables;
}

describe("GitHub Actions", () => {
  const { jobs, env } = readJobs(".github/workflows/calendar.yaml") as {
    env: Variables;
    jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
  };
  const values: Variables = {
    "vars.CAL_BASE_URL": site.baseUrl,
    "vars.CAL_USERNAME": "admin",
    "secrets.CAL_PASSWORD": password,
    "github.token": "token",
    "github.event.number": "7",
  };
  const fill = (variables: Variables = {}) =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        value.replace(/\$\{\{ (.*?) \}\}/g, (_all, key: string) => values[key] ?? ""),
      ]),
    );
  const runJob = async (name: string) => {
    const steps = (jobs[name]?.steps ?? []).filter(({ run = "npm " }) => !run.startsWith("npm "));
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      const { code, stderr } = await bash(step.run ?? "", { ...fill(env), ...fill(step.env) });
      expect(code, `${step.run}\n${stderr}`).toBe(0);
    }
  };

  test("check, post the plan, apply, and keep the ledger", async () => {
    const validate = jobs["validate"]?.steps.at(-1)?.run ?? "";
    const plan = async () => {
      await runJob("plan");
      expect(readFileSync(join(root, "gh.txt"), "utf8")).toBe("pr\ncomment\n7\n--body-file\ncomment.md\n");
      return read("comment.md");
    };
    await expectJobs(validate, plan, () => runJob("apply"), "github");
  });
});

describe("GitLab", () => {
  const { variables, ...jobs } = readJobs(".gitlab-ci.yml") as {
    variables: Variables;
  } & Readonly<Record<string, { readonly script: readonly string[]; readonly after_script?: readonly string[] }>>;
  const env = {
    ...variables,
    ...{ CAL_BASE_URL: site.baseUrl, ...login },
    ...{ CAL_PLAN_USERNAME: "admin", CAL_PLAN_PASSWORD: password, COMMENT_TOKEN: "token", PUSH_TOKEN: "token" },
    ...{ CI_API_V4_URL: "https://gitlab.example/api/v4", CI_PROJECT_ID: "3", CI_MERGE_REQUEST_IID: "9", CI_DEFAULT_BRANCH: "main" },
    ...{ CI_SERVER_HOST: "gitlab.example", CI_PROJECT_PATH: "us/calendar" },
    // The address of the project is the repository of this test.
    ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: `url.${root}/origin.git.insteadOf` },
    GIT_CONFIG_VALUE_0: "https://calendar:token@gitlab.example/us/calendar.git",
  };
  const run = async (lines: readonly string[] = []) => {
    const { code, stderr } = await bash(lines.join("\n"), env);
    expect(code, stderr).toBe(0);
  };

  test("check, post the plan, apply, and keep the ledger", async () => {
    await bash("git config receive.denyCurrentBranch ignore; git -C ../origin.git config receive.advertisePushOptions true", env);
    const plan = async () => {
      await run(jobs["plan"]?.script);
      expect(readFileSync(join(root, "curl.txt"), "utf8")).toContain("https://gitlab.example/api/v4/projects/3/merge_requests/9/notes\n");
      return read("comment.md");
    };
    const apply = async () => {
      await run(jobs["apply"]?.script);
      await run(jobs["apply"]?.after_script);
      await bash("git fetch --quiet origin", env);
    };
    await expectJobs((jobs["validate"]?.script ?? []).join("\n"), plan, apply, "gitlab");
  });

  test("a plan that fails ends the job with its exit code, after it was posted", async () => {
    rmSync(join(root, "curl.txt"), { force: true });
    const { code } = await bash((jobs["plan"]?.script ?? []).join("\n"), { ...env, CAL_PLAN_PASSWORD: "wrong" });
    expect(code).toBe(4);
    expect(readFileSync(join(root, "curl.txt"), "utf8")).toContain("notes");
  });
});
