export const namespace = 'kinds'
export const deploymentsPath = `/apis/apps/v1/namespaces/${namespace}/deployments`

const labels = {
  'app.kubernetes.io/name': 'checkout',
  'app.kubernetes.io/part-of': 'shop',
  'app.kubernetes.io/managed-by': 'pipeline',
}

/**
 * A typical Deployment: an application, a proxy and a log shipper beside it, and two init containers. About 10 KB as
 * sent.
 */
export function deployment(name: string): string {
  return JSON.stringify(deploymentOf(name))
}

export function deploymentOf(name: string) {
  const own = { ...labels, 'app.kubernetes.io/instance': name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { ...own, created: 'now' }, annotations: annotationsOf(name) },
    spec: {
      replicas: 3,
      revisionHistoryLimit: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
      selector: { matchLabels: { 'app.kubernetes.io/instance': name } },
      template: { metadata: { labels: own, annotations: annotationsOf(name) }, spec: podSpec(name) },
    },
  }
}

function annotationsOf(name: string) {
  return {
    'example.com/owner': `team-${name.length % 7}@example.com`,
    'example.com/runbook': `https://runbooks.example.com/shop/${name}/what-to-do-when-it-is-slow`,
    'example.com/scrape': 'true',
    'example.com/scrape-port': '9090',
    'example.com/config-checksum': '3f0a1f6dd3c6cbb4a3b5b9be8fb0e2f41d0d8a61c88b15c2a3e2fd6f5f0b6c11',
  }
}

function podSpec(name: string) {
  return {
    serviceAccountName: 'default',
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 45,
    securityContext: { runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001, seccompProfile },
    affinity: affinityOf(name),
    topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: { 'app.kubernetes.io/instance': name } },
    })),
    tolerations: [{ key: 'example.com/pool', operator: 'Equal', value: 'general', effect: 'NoSchedule' }],
    initContainers: ['migrate', 'warm-up'].map((each) => container(each, 2)),
    containers: [container('app', 12), container('proxy', 5), container('log-shipper', 3)],
    volumes: volumesOf(name),
  }
}

const seccompProfile = { type: 'RuntimeDefault' }

function affinityOf(name: string) {
  const expression = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] }
  const labelSelector = { matchLabels: { 'app.kubernetes.io/instance': name } }
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [expression] }] },
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 100, podAffinityTerm: { labelSelector, topologyKey: 'kubernetes.io/hostname' } },
      ],
    },
  }
}

function container(name: string, settings: number) {
  const isServing = name === 'app' || name === 'proxy'
  const port = name === 'app' ? 8080 : 15_000
  return {
    name,
    image: `images.example.com/shop/${name}:2.41.7`,
    imagePullPolicy: 'IfNotPresent',
    args: ['--config', `/etc/${name}/config.yaml`, '--log-format', 'json', '--shutdown-delay', '10s'],
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'DATABASE_PASSWORD', valueFrom: { secretKeyRef: { name: 'database', key: 'password' } } },
      ...Array.from({ length: settings }, (_, index) => setting(name, index)),
    ],
    resources: {
      requests: { cpu: '250m', memory: '256Mi', 'ephemeral-storage': '1Gi' },
      limits: { cpu: '1', memory: '512Mi', 'ephemeral-storage': '2Gi' },
    },
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    volumeMounts: [
      { name: 'config', mountPath: `/etc/${name}`, readOnly: true },
      { name: 'scratch', mountPath: '/tmp' },
    ],
    ...(isServing && { ports: portsOf(port), ...probesOf(port) }),
  }
}

function setting(container: string, index: number) {
  const value = `https://service-${index}.shop.svc.cluster.local:8443/api/v1?timeout=30s`
  return { name: `${container.toUpperCase().replaceAll('-', '_')}_SETTING_${index}`, value }
}

function portsOf(containerPort: number) {
  return [
    { name: `http-${containerPort}`, containerPort, protocol: 'TCP' },
    { name: `metrics-${containerPort}`, containerPort: containerPort + 1, protocol: 'TCP' },
  ]
}

function probesOf(port: number) {
  const probe = (path: string) => ({
    httpGet: { path, port },
    periodSeconds: 10,
    timeoutSeconds: 2,
    failureThreshold: 3,
  })
  return { readinessProbe: probe('/readyz'), livenessProbe: probe('/livez'), startupProbe: probe('/startedz') }
}

function volumesOf(name: string) {
  return [
    { name: 'config', configMap: { name: `${name}-config`, defaultMode: 420 } },
    { name: 'scratch', emptyDir: { sizeLimit: '1Gi' } },
    { name: 'certificates', secret: { secretName: `${name}-tls`, items: [{ key: 'tls.crt', path: 'server.crt' }] } },
  ]
}
