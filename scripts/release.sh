#!/usr/bin/env bash
# Checks all that a release promises and packs it; with --publish, publishes what was packed, with a proof of where it was built.
# Needs the package registry that npm is set up with, for the audit. Leaves the tarball, its bill of materials and their sums in a folder.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=${1:---check}
if [[ $mode != --check && $mode != --publish ]]; then
  echo "usage: scripts/release.sh [--check | --publish]" >&2
  exit 2
fi
version=$(node -p 'require("./package.json").version')
out=${RELEASE_DIR:-$(mktemp -d)}
mkdir -p "$out"
# npm takes a path like out/x.tgz for a repository of GitHub's.
out=$(cd "$out" && pwd)
step() { printf '\n== %s\n' "$*"; }

if [[ $mode == --publish ]]; then
  step "the tree is what the tag v$version says"
  [[ -z $(git status --porcelain) ]] || { echo "there are changes that are not committed" >&2; exit 1; }
  [[ $(git rev-parse HEAD) == "$(git rev-parse "v$version^{commit}")" ]] || { echo "HEAD is not v$version" >&2; exit 1; }
  grep -q "^## $version" CHANGELOG.md || { echo "CHANGELOG.md does not tell of $version" >&2; exit 1; }
fi

step "no known weakness, in what is bundled neither"
npm audit --package-lock-only --audit-level=low

step "what is locked is installed, and nothing of it runs a script; every package is signed by its registry"
npm ci --ignore-scripts
npm audit signatures

step "checks and soak"
npm run check
npm run soak

step "the bill of materials and the tarball"
node scripts/sbom.js "$out/calctl-$version.cdx.json"
npm pack --ignore-scripts --pack-destination "$out"
(cd "$out" && sha256sum ./*.tgz ./*.json >SHA256SUMS)

if [[ $mode == --publish ]]; then
  step "publish"
  npm publish "$out/calctl-$version.tgz" --provenance --access public --ignore-scripts
fi
printf '\n%s is ready in %s\n' "$version" "$out"
