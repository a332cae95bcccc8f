#!/bin/sh
# Puts veraPDF's validator into .verapdf/ of the checkout, from Maven Central; quick when it is there already.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$here/../.." && pwd)/.verapdf
if ls "$folder"/greenfield-apps-*.jar >/dev/null 2>&1; then
    exit 0
fi
for tool in java mvn; do
    if ! command -v "$tool" >/dev/null 2>&1; then
        echo "veraPDF's validator needs $tool: install a Java runtime and Maven (apt-get install default-jre-headless maven)" >&2
        exit 1
    fi
done
mkdir -p "$folder"
mvn --batch-mode --quiet --file "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$folder"
