{{/* The pod's spec. */}}
{{- define "pentad.pod" -}}
serviceAccountName: {{ include "pentad.name" . }}
automountServiceAccountToken: false
# The variables that Services put into pods begin with PENTAD_, as settings do.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  {{- if .Values.store.file.enabled }}
  # Lets the server write to its volume.
  fsGroup: 65532
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
topologySpreadConstraints:
  {{- range list (list "topology.kubernetes.io/zone" .Values.spread.zones) (list "kubernetes.io/hostname" .Values.spread.nodes) }}
  - topologyKey: {{ index . 0 }}
    maxSkew: 1
    whenUnsatisfiable: {{ index . 1 }}
    labelSelector:
      matchLabels:
        {{- include "pentad.selector" $ | nindent 8 }}
    matchLabelKeys: [{{ ternary "controller-revision-hash" "pod-template-hash" $.Values.store.file.enabled }}]
  {{- end }}
{{- with include "pentad.initContainers" . }}
initContainers:
  {{- . | nindent 2 }}
{{- end }}
containers:
  - name: pentad
    {{- include "pentad.program" . | nindent 4 }}
    ports:
      - {name: grpc, containerPort: 50051}
      - {name: http, containerPort: 8080}
      - {name: admin, containerPort: 9090}
    # Loading takes well under a second; a slow disk may take longer. Not /readyz: a
    # server that lacks a required game stays, so that /plugins can be read.
    startupProbe:
      httpGet: {path: /healthz, port: admin}
      periodSeconds: 1
      failureThreshold: 60
    # Fails until every required game is served, while draining, and when every rule
    # set is down.
    readinessProbe:
      grpc: {port: 9090}
      periodSeconds: 3
      failureThreshold: 2
    # Checks the process only: a drain must not fail it.
    livenessProbe:
      httpGet: {path: /healthz, port: admin}
      periodSeconds: 10
      timeoutSeconds: 3
      failureThreshold: 6
    lifecycle:
      preStop:
        # Endpoints are removed at the same time as this starts.
        sleep: {seconds: 3}
volumes:
  {{- include "pentad.volumes" . | nindent 2 }}
{{- end -}}

{{/* What the server and its preflight share: image, settings, limits, files. */}}
{{- define "pentad.program" -}}
image: {{ include "pentad.image" . }}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
# Settings as variables; they override the file's.
envFrom:
  - configMapRef:
      name: {{ include "pentad.name" . }}-env
{{- with .Values.extraEnv }}
env:
  {{- toYaml . | nindent 2 }}
{{- end }}
resources:
  {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  {{- include "pentad.confined" . | nindent 2 }}
volumeMounts:
  - {name: config, mountPath: /etc/pentad, readOnly: true}
  {{- if .Values.access.tokens.secret }}
  - {name: tokens, mountPath: /etc/pentad-tokens, readOnly: true}
  {{- end }}
  {{- if .Values.tls.secret }}
  - {name: tls, mountPath: /etc/pentad-tls, readOnly: true}
  {{- end }}
  {{- if .Values.tls.clientCaSecret }}
  - {name: client-ca, mountPath: /etc/pentad-client-ca, readOnly: true}
  {{- end }}
  {{- if .Values.store.shared.enabled }}
  - {name: store-secret, mountPath: /etc/pentad-store, readOnly: true}
  {{- end }}
  {{- if .Values.store.file.enabled }}
  - {name: answers, mountPath: /var/lib/pentad}
  {{- end }}
  {{- range .Values.rulesets }}
  - name: ruleset-{{ .name }}
    mountPath: /srv/rulesets/{{ .name }}
    readOnly: true
    {{- if and (ne .mount "init-container") (ne (dir .file) "/") }}
    subPath: {{ trimPrefix "/" (dir .file) }}
    {{- end }}
  {{- end }}
  {{- if .Values.rulesets }}
  - {name: allowed, mountPath: /etc/pentad-allowed, readOnly: true}
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "pentad.confined" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "pentad.initContainers" -}}
{{- range .Values.rulesets }}
{{- if eq .mount "init-container" }}
- name: ruleset-{{ .name }}
  # Any image with `cp` that holds the library.
  image: {{ .image }}
  command: [cp, {{ .file }}, /brought/]
  resources:
    requests: {cpu: 10m, memory: 16Mi}
    limits: {memory: 64Mi}
  securityContext:
    {{- include "pentad.confined" $ | nindent 4 }}
  volumeMounts:
    - {name: ruleset-{{ .name }}, mountPath: /brought}
{{- end }}
{{- end }}
{{- if .Values.preflight.enabled }}
- name: preflight
  args: [preflight]
  {{- include "pentad.program" . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "pentad.volumes" -}}
- name: config
  configMap:
    name: {{ include "pentad.name" . }}
{{- with .Values.access.tokens.secret }}
- name: tokens
  secret: {secretName: {{ . }}}
{{- end }}
{{- with .Values.tls.secret }}
- name: tls
  secret: {secretName: {{ . }}}
{{- end }}
{{- with .Values.tls.clientCaSecret }}
- name: client-ca
  secret: {secretName: {{ . }}}
{{- end }}
{{- if .Values.store.shared.enabled }}
- name: store-secret
  secret: {secretName: {{ .Values.store.shared.secret }}}
{{- end }}
{{- range .Values.rulesets }}
- name: ruleset-{{ .name }}
  {{- if eq .mount "init-container" }}
  emptyDir: {sizeLimit: 64Mi}
  {{- else }}
  image:
    reference: {{ .image }}
    pullPolicy: IfNotPresent
  {{- end }}
{{- end }}
{{- if .Values.rulesets }}
- name: allowed
  configMap:
    name: {{ include "pentad.name" . }}-allowed
{{- end }}
{{- with .Values.extraVolumes }}
{{- toYaml . | nindent 0 }}
{{- end }}
{{- end -}}
