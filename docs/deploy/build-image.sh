#!/bin/sh
# What the image holds, put into a folder: `sh docs/deploy/build-image.sh /image` in a clone after `npm ci`.
# The Dockerfile runs it, and so does `npm run release:check` where there is no Docker.
set -eu
to=$1
npm run build
npm prune --omit=dev --ignore-scripts
# The runtime of models comes with the binaries of all platforms.
here=$(node -p 'process.platform + "/" + process.arch')
for binaries in node_modules/onnxruntime-node/bin/napi-v*/*/*; do
  case $binaries in
    */"$here") ;;
    *) rm -r "$binaries" ;;
  esac
done
mkdir -p "$to"
# Links to the packages of the clone, which dist holds.
rm -r node_modules/@agonhq
cp -r package.json LICENSE NOTICES.md assets bin dist models node_modules policies precedents "$to"
