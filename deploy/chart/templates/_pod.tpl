{{- define "platform.podTemplate" -}}
{{- $admin := dict "name" "admin" "secret" "tenant-platform-admin" -}}
{{- $license := dict "name" "license" "secret" (.Values.licenseSecret | default "tenant-platform-license") -}}
{{- $authority := dict "name" "authority" "secret" "tenant-platform-authority" -}}
{{- $certificate := dict "name" "certificate" "secret" .Values.tlsSecret -}}
{{- $secrets := list $admin $license (empty .Values.tlsSecret | ternary $authority $certificate) -}}
{{- if .Values.encryption -}}
{{- $secrets = append $secrets (dict "name" "encryption" "secret" "tenant-platform-encryption") -}}
{{- end -}}
{{- with .Values.etcdSecret -}}
{{- $secrets = append $secrets (dict "name" "etcd" "secret" .) -}}
{{- end -}}
metadata:
  labels:
    {{- include "platform.podLabels" . | nindent 4 }}
spec:
  serviceAccountName: {{ include "platform.name" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: 30
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . | quote }}
    {{- end }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- if gt (include "platform.replicas" . | int) 1 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "platform.podLabels" . | nindent 10 }}
  {{- end }}
  containers:
    - name: platform
      image: {{ include "platform.image" . | quote }}
      command: [tenant, platform, serve]
      args:
        {{- include "platform.serveArguments" . | nindent 8 }}
      {{- $asksForAddresses := and .Values.etcdSecret (not .Values.store) }}
      {{- $hasReplicas := gt (include "platform.replicas" . | int) 1 }}
      {{- if or $asksForAddresses $hasReplicas }}
      env:
        {{- if $asksForAddresses }}
        - name: ETCD_ENDPOINTS
          valueFrom:
            secretKeyRef:
              name: {{ .Values.etcdSecret | quote }}
              key: endpoints
        {{- end }}
        {{- if $hasReplicas }}
        - name: TENANT_SHUTDOWN_DELAY
          value: 5s
        {{- end }}
      {{- end }}
      ports:
        - name: https
          containerPort: 8443
          protocol: TCP
      readinessProbe:
        httpGet: { path: /readyz, port: https, scheme: HTTPS }
        periodSeconds: 2
        failureThreshold: 3
      livenessProbe:
        httpGet: { path: /livez, port: https, scheme: HTTPS }
        initialDelaySeconds: 30
        periodSeconds: 10
        failureThreshold: 6
      resources:
        requests:
          {{- /* Not by merge: for it, a 0 is no value. */}}
          {{- $requests := dict "cpu" "100m" "memory" "256Mi" }}
          {{- range $name, $amount := .Values.requests }}
          {{- $_ := set $requests $name $amount }}
          {{- end }}
          {{- range $name, $amount := $requests }}
          {{ $name }}: {{ $amount | quote }}
          {{- end }}
        {{- with .Values.limits }}
        limits:
          {{- range $name, $amount := . }}
          {{ $name }}: {{ $amount | quote }}
          {{- end }}
        {{- end }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      terminationMessagePolicy: FallbackToLogsOnError
      volumeMounts:
        {{- range $secrets }}
        - name: {{ .name }}
          mountPath: /etc/tenant-platform/{{ .name }}
          readOnly: true
        {{- end }}
        - name: data
          mountPath: /var/lib/tenant
        - name: temporary
          mountPath: /tmp
  volumes:
    {{- range $secrets }}
    - name: {{ .name }}
      secret:
        secretName: {{ .secret | quote }}
        # 0440
        defaultMode: 288
    {{- end }}
    - name: temporary
      emptyDir:
        sizeLimit: 100Mi
    {{- if include "platform.onEtcd" . }}
    - name: data
      emptyDir:
        sizeLimit: 1Gi
    {{- end }}
{{- end }}
