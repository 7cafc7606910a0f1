#!/usr/bin/env bash
# Checks and packs a release. With --publish, it also publishes the tarball, with npm provenance.
# The audit needs the npm registry. The output folder contains the tarball, the software bill of materials (SBOM) and SHA256SUMS.
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
# npm reads a relative path such as out/x.tgz as a GitHub repository.
out=$(cd "$out" && pwd)
step() { printf '\n== %s\n' "$*"; }

if [[ $mode == --publish ]]; then
  step "the working tree is the tag v$version"
  [[ -z $(git status --porcelain) ]] || { echo "there are changes that are not committed" >&2; exit 1; }
  [[ $(git rev-parse HEAD) == "$(git rev-parse "v$version^{commit}")" ]] || { echo "HEAD is not v$version" >&2; exit 1; }
  grep -q "^## $version" CHANGELOG.md || { echo "CHANGELOG.md does not tell of $version" >&2; exit 1; }
fi

step "no known vulnerabilities, bundled packages included"
npm audit --package-lock-only --audit-level=low

step "what is locked is installed, without install scripts; the registry signatures are valid"
npm ci --ignore-scripts
npm audit signatures

step "checks and soak"
npm run check
npm run soak

step "software bill of materials and tarball"
node scripts/sbom.js "$out/calctl-$version.cdx.json"
npm pack --ignore-scripts --pack-destination "$out"
(cd "$out" && sha256sum ./*.tgz ./*.json >SHA256SUMS)

if [[ $mode == --publish ]]; then
  step "publish"
  npm publish "$out/calctl-$version.tgz" --provenance --access public --ignore-scripts
fi
printf '\n%s is ready in %s\n' "$version" "$out"
