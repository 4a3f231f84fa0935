{{/* A variable with a text value. Takes name and value. */}}
{{- define "docent.envText" -}}
- name: {{ .name }}
  value: {{ include "docent.text" .value | quote }}
{{- end -}}

{{/* A variable from a secret. Takes name, secret, key. */}}
{{- define "docent.envSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{/* The environment of every Docent process. Takes root and component. */}}
{{- define "docent.env" -}}
{{- $values := .root.Values -}}
{{- $mode := include "docent.mode" .root -}}
{{- $config := $values.config | default dict -}}
- name: DOCENT_HOST
  value: "0.0.0.0"
- name: DOCENT_PORT
  value: "3000"
{{- if eq $mode "static" }}
{{ include "docent.staticEnv" .root }}
{{- /* What signs sessions is the same in all pods. */ -}}
{{- if get ($values.secretConfig | default dict) "DOCENT_BUNDLE_ACCESS" }}
{{ include "docent.signingEnv" .root }}
{{- end }}
{{- if and $values.serviceMonitor.enabled (not (hasKey $config "DOCENT_BUNDLE_METRICS")) }}
{{ include "docent.envText" (dict "name" "DOCENT_BUNDLE_METRICS" "value" "true") }}
{{- end }}
{{- else }}
{{ include "docent.platformEnv" . }}
{{- end }}
{{- if has .component (list "web" "single" "static") }}
{{ include "docent.envText" (dict "name" "DOCENT_DRAIN_SECONDS" "value" $values.drainSeconds) }}
{{- end }}
{{- with include "docent.publicUrl" .root }}
{{ include "docent.envText" (dict "name" "DOCENT_PUBLIC_URL" "value" .) }}
{{- end }}
{{- if and $values.sitesDomain (ne .component "static") }}
{{ include "docent.envText" (dict "name" "DOCENT_SITES_DOMAIN" "value" $values.sitesDomain) }}
{{- end }}
{{- if and $values.ingress.enabled (not (hasKey $config "DOCENT_TRUSTED_PROXIES")) }}
{{ include "docent.envText" (dict "name" "DOCENT_TRUSTED_PROXIES" "value" "1") }}
{{- end }}
{{- range $name, $value := $config }}
{{ include "docent.envText" (dict "name" $name "value" $value) }}
{{- end }}
{{- range $name, $from := $values.secretConfig }}
{{ include "docent.envSecret" (dict "name" $name "secret" $from.name "key" $from.key) }}
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "docent.signingEnv" -}}
{{- with .Values.signingSecret -}}
{{ include "docent.envSecret" (dict "name" "DOCENT_SECRET" "secret" (include "docent.signingSecretName" $) "key" (ternary .key "secret" (not (empty .name)))) }}
{{- end -}}
{{- end -}}

{{- define "docent.staticEnv" -}}
{{- with .Values.staticExport -}}
{{- if .bundleUrlSecret.name }}
{{- include "docent.envSecret" (dict "name" "DOCENT_BUNDLE_URL" "secret" .bundleUrlSecret.name "key" .bundleUrlSecret.key) }}
{{- else }}
{{- include "docent.envText" (dict "name" "DOCENT_BUNDLE_URL" "value" .bundleUrl) }}
{{- end }}
- name: DOCENT_BUNDLE_CACHE
  value: /var/lib/docent/bundles
{{- with .version }}
{{ include "docent.envText" (dict "name" "DOCENT_BUNDLE_VERSION" "value" .) }}
{{- end }}
{{- with .sha256 }}
{{ include "docent.envText" (dict "name" "DOCENT_BUNDLE_SHA256" "value" .) }}
{{- end }}
{{- with .publicKey }}
{{ include "docent.envText" (dict "name" "DOCENT_BUNDLE_PUBLIC_KEY" "value" .) }}
{{- end }}
{{- with .signature }}
{{ include "docent.envText" (dict "name" "DOCENT_BUNDLE_SIGNATURE" "value" .) }}
{{- end }}
{{- with .basePath }}
{{ include "docent.envText" (dict "name" "DOCENT_BASE_PATH" "value" .) }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "docent.platformEnv" -}}
{{- $values := .root.Values -}}
- name: DOCENT_DATA
  # A folder in the volume, not the volume itself: Docent removes the access of others, which only a folder's owner may do.
  value: /var/lib/docent/data
{{- if eq (include "docent.mode" .root) "scaled" }}
- name: DOCENT_DATABASE
  value: postgres
{{ include "docent.envSecret" (dict "name" "DOCENT_DATABASE_URL" "secret" (include "docent.databaseSecretName" .root) "key" (ternary $values.database.external.secretKey "url" (not (empty $values.database.external.secretName)))) }}
{{- /* Migrations need only the database, and may run before the rest of the release exists. */ -}}
{{- if ne .component "migrate" }}
{{- if include "docent.hasRedis" .root }}
- name: DOCENT_LIMITER
  value: redis
{{ include "docent.envSecret" (dict "name" "DOCENT_REDIS_URL" "secret" (include "docent.redisSecretName" .root) "key" (ternary $values.redis.external.secretKey "url" (not (empty $values.redis.external.secretName)))) }}
{{- else }}
- name: DOCENT_LIMITER
  value: postgres
{{- end }}
{{ include "docent.signingEnv" .root }}
{{ include "docent.storageEnv" .root }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "docent.storageEnv" -}}
{{- with .Values.storage -}}
{{- if .s3.bucket -}}
- name: DOCENT_BLOBS
  value: s3
{{ include "docent.envText" (dict "name" "DOCENT_S3_BUCKET" "value" .s3.bucket) }}
{{- with .s3.region }}
{{ include "docent.envText" (dict "name" "DOCENT_S3_REGION" "value" .) }}
{{- end }}
{{- with .s3.endpoint }}
{{ include "docent.envText" (dict "name" "DOCENT_S3_ENDPOINT" "value" .) }}
{{- end }}
{{- with .s3.publicEndpoint }}
{{ include "docent.envText" (dict "name" "DOCENT_S3_PUBLIC_ENDPOINT" "value" .) }}
{{- end }}
{{- with .s3.prefix }}
{{ include "docent.envText" (dict "name" "DOCENT_S3_PREFIX" "value" .) }}
{{- end }}
{{- if ne (toString .s3.pathStyle) "auto" }}
{{ include "docent.envText" (dict "name" "DOCENT_S3_FORCE_PATH_STYLE" "value" .s3.pathStyle) }}
{{- end }}
{{- if ne (toString .s3.cacheMb) "auto" }}
{{ include "docent.envText" (dict "name" "DOCENT_S3_CACHE_MB" "value" .s3.cacheMb) }}
{{- end }}
{{- if .s3.secretName }}
{{ include "docent.envSecret" (dict "name" "DOCENT_S3_ACCESS_KEY_ID" "secret" .s3.secretName "key" .s3.accessKeyIdKey) }}
{{ include "docent.envSecret" (dict "name" "DOCENT_S3_SECRET_ACCESS_KEY" "secret" .s3.secretName "key" .s3.secretAccessKeyKey) }}
{{- end }}
{{- else -}}
- name: DOCENT_BLOBS_FOLDER
  value: /var/lib/docent-shared/blobs
{{- end }}
{{- end }}
{{- end -}}
