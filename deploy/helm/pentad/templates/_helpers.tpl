{{/* Name of all objects. */}}
{{- define "pentad.name" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains "pentad" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-pentad" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that select the servers' pods. */}}
{{- define "pentad.selector" -}}
app.kubernetes.io/name: pentad
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Labels of all objects. */}}
{{- define "pentad.labels" -}}
{{ include "pentad.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Name, namespace and labels of an object, from a list of the root and the end of the name. */}}
{{- define "pentad.metadata" -}}
{{- $root := index . 0 -}}
name: {{ include "pentad.name" $root }}{{ index . 1 }}
namespace: {{ $root.Release.Namespace }}
labels:
  {{- include "pentad.labels" $root | nindent 2 }}
{{- end -}}

{{- define "pentad.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "pentad.kind" -}}
{{ ternary "StatefulSet" "Deployment" .Values.store.file.enabled }}
{{- end -}}

{{/* Where the store of answers is, nearest first. */}}
{{- define "pentad.stores" -}}
{{- $stores := list -}}
{{- with .Values.store -}}
{{- if .file.enabled }}{{ $stores = append $stores "/var/lib/pentad/answers" }}{{ end -}}
{{- if .shared.enabled }}{{ $stores = append $stores (.shared.url | default (printf "redis://%s-store:6379" (include "pentad.name" $))) }}{{ end -}}
{{- end -}}
{{ join "," $stores }}
{{- end -}}

{{/* Settings as variables: those that other values imply, then `settings`. */}}
{{- define "pentad.variables" -}}
{{- $env := dict "PENTAD_CONFIG" "/etc/pentad/pentad.toml" -}}
{{- with .Values.access -}}
{{- if .insecure }}{{ $_ := set $env "PENTAD_INSECURE" "true" }}{{ end -}}
{{- with .tokens -}}{{- if .secret }}{{ $_ := set $env "PENTAD_TOKENS" (printf "/etc/pentad-tokens/%s" .key) }}{{ end -}}{{- end -}}
{{- if .anonymousCpuMsPerSecond }}{{ $_ := set $env "PENTAD_ANONYMOUS_CPU_MS_PER_SECOND" (toString (int64 .anonymousCpuMsPerSecond)) }}{{ end -}}
{{- with .oidc -}}
{{- if .jwks -}}
{{- $_ := set $env "PENTAD_OIDC_ISSUER" .issuer -}}
{{- $_ := set $env "PENTAD_OIDC_AUDIENCE" .audience -}}
{{- $_ := set $env "PENTAD_OIDC_JWKS" .jwks -}}
{{- if .cpuMsPerSecond }}{{ $_ := set $env "PENTAD_OIDC_CPU_MS_PER_SECOND" (toString (int64 .cpuMsPerSecond)) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with .Values.tls -}}
{{- if .secret -}}
{{- $_ := set $env "PENTAD_TLS_CERT" "/etc/pentad-tls/tls.crt" -}}
{{- $_ := set $env "PENTAD_TLS_KEY" "/etc/pentad-tls/tls.key" -}}
{{- $_ := set $env "PENTAD_WATCH" "true" -}}
{{- end -}}
{{- if .clientCaSecret }}{{ $_ := set $env "PENTAD_TLS_CLIENT_CA" "/etc/pentad-client-ca/ca.crt" }}{{ end -}}
{{- end -}}
{{- if .Values.rulesets -}}
{{- $dirs := list "bundled" -}}
{{- range .Values.rulesets }}{{ $dirs = append $dirs (printf "/srv/rulesets/%s" .name) }}{{ end -}}
{{- $_ := set $env "PENTAD_RULESETS" (join ":" $dirs) -}}
{{- $_ := set $env "PENTAD_ALLOW_LIST" "/opt/pentad/rulesets.sha256,/etc/pentad-allowed/rulesets.sha256" -}}
{{- end -}}
{{- with include "pentad.stores" . }}{{ $_ := set $env "PENTAD_STORE" . }}{{ end -}}
{{- if .Values.store.file.enabled }}{{ $_ := set $env "PENTAD_STORE_MIB" (toString (int64 .Values.store.file.mib)) }}{{ end -}}
{{- if .Values.store.shared.enabled }}{{ $_ := set $env "PENTAD_STORE_SECRET" (printf "/etc/pentad-store/%s" .Values.store.shared.key) }}{{ end -}}
{{- range $key, $value := .Values.settings -}}
{{- if kindIs "slice" $value }}{{ $value = join "," $value }}{{ end -}}
{{- if kindIs "float64" $value }}{{ $value = int64 $value }}{{ end -}}
{{- $_ := set $env (printf "PENTAD_%s" (upper $key)) (toString $value) -}}
{{- end -}}
{{ toYaml $env }}
{{- end -}}

{{/* Fails unless something restricts the callers: the server would not start. */}}
{{- define "pentad.check" -}}
{{- with .Values -}}
{{- if not (or .access.insecure .access.tokens.secret .access.oidc.jwks .access.anonymousCpuMsPerSecond .tls.clientCaSecret .settings.insecure .settings.tokens .settings.anonymous_cpu_ms_per_second) -}}
{{- fail "anyone could call, and the server would not start. Set one of access.tokens.secret, access.oidc, access.anonymousCpuMsPerSecond and tls.clientCaSecret, or access.insecure=true if the network restricts the callers (networkPolicy.enabled=true)" -}}
{{- end -}}
{{- if and .tls.clientCaSecret (not .tls.secret) }}{{ fail "tls.clientCaSecret needs tls.secret" }}{{ end -}}
{{- with .access.oidc -}}
{{- if and (or .issuer .audience .jwks) (not (and .issuer .audience .jwks)) }}{{ fail "access.oidc: set issuer, audience and jwks" }}{{ end -}}
{{- end -}}
{{- if and .store.file.enabled (eq .autoscaling.kind "keda") (eq (int .autoscaling.minReplicas) 0) }}{{ fail "autoscaling.minReplicas is 0" }}{{ end -}}
{{- end -}}
{{- end -}}

{{- define "pentad.storeSelector" -}}
app.kubernetes.io/name: pentad-store
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "pentad.storeLabels" -}}
{{ include "pentad.storeSelector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}
