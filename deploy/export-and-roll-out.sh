#!/bin/sh
# Starts a static export, waits until it is complete, downloads the bundle, checks its size and SHA-256, and rolls it out: to a
# release of the Helm chart, or to a folder that a web server serves. Needs curl, tar, and sha256sum or shasum.
set -eu

usage() {
  cat <<'EOF'
Usage: export-and-roll-out.sh --domain SITE [options] [-- arguments for helm]

  --url ADDRESS        the platform (DOCENT_URL)
  --domain SITE        the site's identifier, or one of its hostnames
  --version LABEL      only the pages of this version; pins the release to it
  --path PAGE          only this page; repeatable
  --base-path PATH     where the site will be served, for example /docs
  --out FILE           save the archive to this file
  --folder FOLDER      roll out by replacing this folder with the bundle
  --helm RELEASE       roll out by upgrading this release
  --chart CHART        the chart of that release: a folder, an archive or an oci:// address
  --namespace NAME     the namespace of that release
  --idempotency-key K  reuse the job that was started with this key
  --poll-seconds N     how often to ask (5)
  --timeout-seconds N  how long the export may take (1800)

The key is read from DOCENT_API_KEY: an admin key that may write exports. Progress goes to the standard error, the result
(job-id, bundle-url, sha256, size-bytes, expires-at, archive) to the standard output, one "name=value" in a line.
EOF
}

log() { printf '%s\n' "$*" >&2; }
fail() { log "export-and-roll-out: $*"; exit 1; }
refuse() { log "export-and-roll-out: $*"; exit 2; }

# Quotes a text for JSON.
json_text() {
  case $1 in *[[:cntrl:]]*) refuse "a value may hold no control characters" ;; esac
  printf '"%s"' "$(printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g')"
}

# Read a text and an integer from the last response by name.
text_of() { tr -d '\r\n' <"$work/answer" | sed -n 's/.*"'"$1"'" *: *"\([^"]*\)".*/\1/p'; }
number_of() { tr -d '\r\n' <"$work/answer" | sed -n 's/.*"'"$1"'" *: *\([0-9][0-9]*\).*/\1/p'; }

# Calls the platform: method, path, further arguments of curl. The key is in a file, so that the list of processes does not show it.
ask() {
  ask_method=$1
  ask_path=$2
  shift 2
  status=$(curl --silent --show-error --retry 5 --retry-delay 1 --retry-connrefused --max-time 60 --config "$work/curl" \
    --request "$ask_method" --output "$work/answer" --write-out '%{http_code}' "$@" "$url$ask_path") \
    || fail "$url cannot be reached"
  case $status in 2??) return ;; esac
  fail "$ask_method $ask_path answered $status: $(text_of detail)"
}

sha256_of() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

start_job() {
  body="{\"domain\":$(json_text "$domain")"
  [ -z "$version" ] || body="$body,\"version\":$(json_text "$version")"
  [ -z "$paths" ] || body="$body,\"paths\":[$paths]"
  [ -z "$base_path" ] || body="$body,\"basePath\":$(json_text "$base_path")"
  printf '%s}' "$body" >"$work/body"
  ask POST /v1/static-export/jobs --header 'Content-Type: application/json' --header "Idempotency-Key: $idempotency_key" \
    --data-binary "@$work/body"
  job=$(text_of jobId)
  case $job in '' | *[!A-Za-z0-9_-]*) fail "the platform named no job" ;; esac
  log "Export $job started."
}

wait_for_job() {
  waited=0
  while :; do
    ask GET "/v1/static-export/jobs/$job"
    state=$(text_of status)
    log "$state, $(number_of pageCount) pages"
    case $state in
      completed) return ;;
      queued | running) ;;
      *) fail "the export $job ended as $state: $(text_of error)" ;;
    esac
    [ "$waited" -lt "$timeout_seconds" ] || fail "the export $job took longer than $timeout_seconds seconds"
    sleep "$poll_seconds"
    waited=$((waited + (poll_seconds > 0 ? poll_seconds : 1)))
  done
}

fetch_bundle() {
  ask POST "/v1/static-export/jobs/$job/bundle"
  bundle_url=$(text_of bundleUrl)
  sha256=$(text_of sha256)
  size_bytes=$(number_of sizeBytes)
  expires_at=$(text_of expiresAt)
  [ -n "$bundle_url" ] || fail "the platform gave no link to the bundle"
  # The link needs no key, and other servers must not see ours.
  curl --silent --show-error --fail --location --retry 5 --retry-delay 1 --output "$archive" "$bundle_url" \
    || fail "the bundle cannot be fetched"
  got_bytes=$(($(wc -c <"$archive")))
  [ "$got_bytes" = "$size_bytes" ] || fail "the bundle has $got_bytes bytes instead of $size_bytes"
  got_sha256=$(sha256_of "$archive")
  [ "$got_sha256" = "$sha256" ] || fail "the bundle has the SHA-256 $got_sha256 instead of $sha256"
  log "Bundle checked: $size_bytes bytes, SHA-256 $sha256."
}

# The new folder is complete before it replaces the old one, which is restored if that fails.
roll_out_folder() {
  next=$folder.next.$$
  old=$folder.old.$$
  mkdir -p "$next"
  tar -xzf "$archive" -C "$next" || { rm -rf "$next"; fail "the bundle cannot be unpacked"; }
  [ -f "$next/manifest.json" ] || { rm -rf "$next"; fail "the bundle has no manifest.json"; }
  if [ -e "$folder" ]; then mv "$folder" "$old"; fi
  if ! mv "$next" "$folder"; then
    [ ! -e "$old" ] || mv "$old" "$folder"
    fail "$folder cannot be replaced"
  fi
  rm -rf "$old"
  log "Rolled out to $folder."
}

# Values in a file: a link may contain characters that --set misinterprets, and the list of processes does not show it.
roll_out_helm() {
  {
    printf 'staticExport:\n  enabled: true\n  bundleUrl: %s\n  sha256: %s\n' "$(json_text "$bundle_url")" "$(json_text "$sha256")"
    [ -z "$version" ] || printf '  version: %s\n' "$(json_text "$version")"
    [ -z "$base_path" ] || printf '  basePath: %s\n' "$(json_text "$base_path")"
  } >"$work/values.yaml"
  [ -z "$namespace" ] || set -- --namespace "$namespace" --create-namespace "$@"
  helm upgrade --install "$release" "$chart" --wait --values "$work/values.yaml" "$@" >&2 || fail "helm did not roll it out"
  log "Rolled out to the release $release."
}

url=${DOCENT_URL:-}
domain='' version='' paths='' base_path='' out='' folder='' release='' chart='' namespace='' idempotency_key=''
poll_seconds=5
timeout_seconds=1800
while [ $# -gt 0 ]; do
  case $1 in
    --help) usage; exit 0 ;;
    --) shift; break ;;
    --*) [ $# -ge 2 ] || refuse "$1 needs a value" ;;
    *) refuse "$1 is not an option; see --help" ;;
  esac
  case $1 in
    --url) url=$2 ;;
    --domain) domain=$2 ;;
    --version) version=$2 ;;
    --path) paths="$paths${paths:+,}$(json_text "$2")" ;;
    --base-path) base_path=$2 ;;
    --out) out=$2 ;;
    --folder) folder=${2%/} ;;
    --helm) release=$2 ;;
    --chart) chart=$2 ;;
    --namespace) namespace=$2 ;;
    --idempotency-key) idempotency_key=$2 ;;
    --poll-seconds) poll_seconds=$2 ;;
    --timeout-seconds) timeout_seconds=$2 ;;
    *) refuse "$1 is not an option; see --help" ;;
  esac
  shift 2
done
url=${url%/}
case $url in http://?* | https://?*) ;; *) refuse "set --url or DOCENT_URL to the address of the platform" ;; esac
[ -n "$domain" ] || refuse "name the site with --domain"
[ -n "${DOCENT_API_KEY:-}" ] || refuse "set DOCENT_API_KEY to an admin key"
case $DOCENT_API_KEY in *[!A-Za-z0-9_.-]*) refuse "DOCENT_API_KEY is not a key" ;; esac
case $poll_seconds$timeout_seconds in *[!0-9]*) refuse "--poll-seconds and --timeout-seconds take whole numbers" ;; esac
case $idempotency_key in *[!A-Za-z0-9_.:-]*) refuse "--idempotency-key takes letters, digits and _ . : -" ;; esac
[ -z "$release" ] || [ -n "$chart" ] || refuse "--helm needs --chart"
[ -z "$release" ] || command -v helm >/dev/null 2>&1 || refuse "there is no helm on the PATH"

umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
archive=${out:-$work/bundle.tar.gz}
# A start that is retried after a lost response finds its own job.
idempotency_key=${idempotency_key:-roll-out-$(basename "$work")-$$}
printf 'header = "Authorization: Bearer %s"\n' "$DOCENT_API_KEY" >"$work/curl"

start_job
wait_for_job
fetch_bundle
umask 022
[ -z "$folder" ] || roll_out_folder
[ -z "$release" ] || roll_out_helm "$@"
printf 'job-id=%s\nbundle-url=%s\nsha256=%s\nsize-bytes=%s\nexpires-at=%s\n' "$job" "$bundle_url" "$sha256" "$size_bytes" "$expires_at"
[ -z "$out" ] || printf 'archive=%s\n' "$out"
