{{- define "platform.image" -}}
{{ .Values.image | default (printf "localhost/tenant-platform:%s" .Chart.AppVersion) }}
{{- end }}

{{/* Empty: objects are kept on a volume. */}}
{{- define "platform.onEtcd" -}}
{{ if or .Values.store .Values.etcdSecret }}true{{ end }}
{{- end }}

{{- define "platform.replicas" -}}
{{ .Values.replicas | default (ternary 2 1 (eq (include "platform.onEtcd" .) "true")) | int }}
{{- end }}

{{/* Where Kubernetes puts in what a variable of the Pod holds. */}}
{{- define "platform.store" -}}
{{- if .Values.etcdSecret -}}
{{- $address := .Values.store | default "etcd:$(ETCD_ENDPOINTS)" -}}
{{- $directory := "/etc/tenant-platform/etcd" -}}
{{ $address }}{{ contains "?" $address | ternary "&" "?" }}cafile={{ $directory }}/ca.crt&certfile={{ $directory }}/tls.crt&keyfile={{ $directory }}/tls.key
{{- else -}}
{{ .Values.store | default "file:/var/lib/tenant/store" }}
{{- end -}}
{{- end }}

{{/* Fails with what no cluster could make right; the schema of the values has checked each of them alone. */}}
{{- define "platform.check" -}}
{{- if and (ne (include "platform.onEtcd" .) "true") (gt (include "platform.replicas" . | int) 1) }}
{{- fail "replicas: an embedded store has one server; more of them need an etcd, named by store: etcd:URL or etcdSecret" }}
{{- end }}
{{- if and .Values.etcdSecret (regexMatch "^etcd:(.*,)?http:" .Values.store) }}
{{- fail "store: etcdSecret has certificates: write https instead of http" }}
{{- end }}
{{- if and .Values.etcdSecret (regexMatch "[?&](cafile|certfile|keyfile)=" .Values.store) }}
{{- fail "store: etcdSecret has the certificates: leave cafile, certfile and keyfile out" }}
{{- end }}
{{- if and (has .Values.expose (list "ingress" "node-port")) (not .Values.address) }}
{{- fail (printf "address: expose: %s needs the name or address that clients use, such as platform.example.com" .Values.expose) }}
{{- end }}
{{- if and (eq .Values.expose "ingress") (regexMatch "^([0-9.]+|.*:.*)$" .Values.address) }}
{{- fail "address: an Ingress needs a name, not an IP address" }}
{{- end }}
{{- range .Values.serveOptions }}
{{- $name := splitList "=" . | first }}
{{- if has $name (splitList " " (include "platform.ownOptions" $)) }}
{{- fail (printf "serveOptions: %s is set by the chart itself" $name) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "platform.ownOptions" -}}
--store --data-dir --domain --host --port --admin-key-record --license --license-issuer --tls-cert --tls-key --tls-ca --tls-ca-key --tls-name --encryption-keys
{{- end }}

{{/* How `tenant platform serve` is called in a Pod. */}}
{{- define "platform.serveArguments" -}}
- {{ printf "--store=%s" (include "platform.store" .) | quote }}
- --data-dir=/var/lib/tenant
- {{ printf "--domain=%s" .Values.domain | quote }}
- --host=0.0.0.0
- --port=8443
- --admin-key-record=/etc/tenant-platform/admin/admin-key.json
- --license=/etc/tenant-platform/license/license
- --license-issuer=/etc/tenant-platform/license/issuer
{{- if .Values.tlsSecret }}
- --tls-cert=/etc/tenant-platform/certificate/tls.crt
- --tls-key=/etc/tenant-platform/certificate/tls.key
{{- else }}
- --tls-ca=/etc/tenant-platform/authority/tls.crt
- --tls-ca-key=/etc/tenant-platform/authority/tls.key
- --tls-name={{ include "platform.name" . }}.{{ .Release.Namespace }}
- --tls-name={{ include "platform.inside" . }}
- --tls-name={{ include "platform.inside" . }}.cluster.local
{{- with .Values.address }}
- {{ printf "--tls-name=%s" . | quote }}
{{- end }}
{{- end }}
{{- if .Values.encryption }}
- --encryption-keys=/etc/tenant-platform/encryption/keys
{{- end }}
{{- range .Values.serveOptions }}
- {{ . | quote }}
{{- end }}
{{- end }}
