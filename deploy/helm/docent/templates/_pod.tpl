{{/*
The template of a Docent pod.
Takes root, component, args, resources, data (a volume without its name), and optionally
claimed (the volume comes from a claim template), probes (it listens), restartPolicy, annotations.
*/}}
{{- define "docent.pod" -}}
{{- $values := .root.Values -}}
{{- $shared := and (eq (include "docent.mode" .root) "scaled") (ne .component "migrate") (not $values.storage.s3.bucket) -}}
metadata:
  labels:
    {{- include "docent.labels" . | nindent 4 }}
    {{- with $values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with merge dict (.annotations | default dict) ($values.podAnnotations | default dict) }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- if ne .component "migrate" }}
  serviceAccountName: {{ include "docent.serviceAccountName" .root }}
  {{- end }}
  automountServiceAccountToken: false
  # Otherwise a service named "docent" would overwrite DOCENT_PORT.
  enableServiceLinks: false
  {{- with $values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .restartPolicy }}
  restartPolicy: {{ . }}
  {{- end }}
  terminationGracePeriodSeconds: {{ add (int $values.drainSeconds) 30 }}
  securityContext:
    {{- toYaml $values.podSecurityContext | nindent 4 }}
  {{- with $values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if not (has .component (list "single" "migrate")) }}
  topologySpreadConstraints:
    {{- if $values.topologySpreadConstraints }}
    {{- toYaml $values.topologySpreadConstraints | nindent 4 }}
    {{- else }}
    {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ $key }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "docent.selectorLabels" $ | nindent 10 }}
    {{- end }}
    {{- end }}
  {{- end }}
  containers:
    - name: docent
      image: {{ include "docent.image" .root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: {{ toJson .args }}
      env:
        {{- include "docent.env" . | nindent 8 }}
      {{- with $values.extraEnvFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if .probes }}
      ports:
        - name: http
          containerPort: 3000
      # It listens once its database is up to date, or immediately if it serves a bundle.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 3
        timeoutSeconds: 5
        failureThreshold: 2
      {{- end }}
      resources:
        {{- toYaml .resources | nindent 8 }}
      securityContext:
        {{- toYaml $values.securityContext | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /var/lib/docent
        - name: tmp
          mountPath: /tmp
        {{- if $shared }}
        - name: shared
          mountPath: /var/lib/docent-shared
        {{- end }}
        {{- with $values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    {{- if not .claimed }}
    - name: data
      {{- toYaml .data | nindent 6 }}
    {{- end }}
    - name: tmp
      emptyDir: {}
    {{- if $shared }}
    - name: shared
      persistentVolumeClaim:
        claimName: {{ default (printf "%s-shared" (include "docent.fullname" .root)) $values.storage.sharedVolume.existingClaim }}
    {{- end }}
    {{- with $values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{/* A claim's spec. Takes size, storageClass, mode. */}}
{{- define "docent.claimSpec" -}}
accessModes: [{{ .mode }}]
{{- with .storageClass }}
storageClassName: {{ . | quote }}
{{- end }}
resources:
  requests:
    storage: {{ .size }}
{{- end -}}
