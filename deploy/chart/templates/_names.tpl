{{/* Names are those of `tenant platform install`, whatever the release is called: `tenant platform prepare` makes the Secrets. */}}
{{- define "platform.name" -}}tenant-platform{{- end }}

{{- define "platform.podLabels" -}}
app.kubernetes.io/name: {{ include "platform.name" . }}
app.kubernetes.io/instance: {{ include "platform.name" . }}
{{- end }}

{{- define "platform.metadata" -}}
name: {{ include "platform.name" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "platform.podLabels" . | nindent 2 }}
  app.kubernetes.io/managed-by: {{ .Release.Service }}
  tenant.internal/host-namespace: {{ .Release.Namespace }}
{{- end }}

{{- define "platform.inside" -}}
{{ include "platform.name" . }}.{{ .Release.Namespace }}.svc
{{- end }}
