{{- define "docent.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "docent.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains (include "docent.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "docent.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels for selectors, which never change. Takes root and component. */}}
{{- define "docent.selectorLabels" -}}
app.kubernetes.io/name: {{ include "docent.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "docent.labels" -}}
{{ include "docent.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The metadata of an object. Takes root, component, and suffix of the name. */}}
{{- define "docent.metadata" -}}
metadata:
  name: {{ include "docent.fullname" .root }}{{ .suffix }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "docent.labels" . | nindent 4 }}
    {{- with .labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with merge dict (.annotations | default dict) (.root.Values.commonAnnotations | default dict) }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "docent.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "docent.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* A value as text; integers, which Helm reads as fractions, are written in full. */}}
{{- define "docent.text" -}}
{{ if kindIs "float64" . }}{{ printf "%.0f" . }}{{ else }}{{ toString . }}{{ end }}
{{- end -}}

{{- define "docent.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ include "docent.text" (default $.Chart.AppVersion .tag) }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The mode of the release: static, scaled, or single. */}}
{{- define "docent.mode" -}}
{{- if .Values.staticExport.enabled -}}
static
{{- else if or .Values.database.external.secretName .Values.database.bundled.enabled -}}
scaled
{{- else -}}
single
{{- end -}}
{{- end -}}

{{/* The component whose pods serve readers. */}}
{{- define "docent.servingComponent" -}}
{{- get (dict "static" "static" "scaled" "web" "single" "single") (include "docent.mode" .) -}}
{{- end -}}

{{- define "docent.publicUrl" -}}
{{- if .Values.publicUrl -}}
{{- .Values.publicUrl | trimSuffix "/" -}}
{{- else if and .Values.ingress.enabled .Values.ingress.hosts -}}
{{- $host := first .Values.ingress.hosts -}}
{{- ternary "https" "http" (not (empty .Values.ingress.tls)) }}://{{ $host | trimPrefix "*." -}}
{{- end -}}
{{- end -}}

{{- define "docent.databaseSecretName" -}}
{{- with .Values.database -}}
{{- if .external.secretName -}}
{{- .external.secretName -}}
{{- else -}}
{{- default (printf "%s-postgresql" (include "docent.fullname" $)) .bundled.existingSecret -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "docent.signingSecretName" -}}
{{- default (printf "%s-signing" (include "docent.fullname" .)) .Values.signingSecret.name -}}
{{- end -}}

{{- define "docent.redisSecretName" -}}
{{- with .Values.redis -}}
{{- if .external.secretName -}}
{{- .external.secretName -}}
{{- else -}}
{{- default (printf "%s-valkey" (include "docent.fullname" $)) .bundled.existingSecret -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "docent.hasRedis" -}}
{{- if or .Values.redis.external.secretName .Values.redis.bundled.enabled -}}true{{- end -}}
{{- end -}}

{{/* A random text that upgrades keep: the value in the existing secret, or a new one. Takes root, name, key. */}}
{{- define "docent.keptText" -}}
{{- $found := lookup "v1" "Secret" .root.Release.Namespace .name -}}
{{- $kept := dig "data" .key "" ($found | default dict) -}}
{{- if $kept -}}{{- b64dec $kept -}}{{- else -}}{{- randAlphaNum 32 -}}{{- end -}}
{{- end -}}

{{/* A quantity of memory, such as 2Gi or 1500M, in whole MiB. */}}
{{- define "docent.megabytes" -}}
{{- $text := toString . -}}
{{- $bytes := dict "" 1 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $unit := regexFind "[A-Za-z]*$" $text -}}
{{- divf (mulf (float64 (trimSuffix $unit $text)) (float64 (default 1 (index $bytes $unit)))) 1048576.0 | floor | int64 -}}
{{- end -}}
