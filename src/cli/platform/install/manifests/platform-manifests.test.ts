import { describe, expect, it } from 'vitest'
import { toYaml } from '../../../../base/json/to-yaml.ts'
import type { Manifest } from '../../../host/manifest.ts'
import { type InstallChoices, isEmbedded, settingsOf, usualFacts } from '../settings.ts'
import { platformManifests, platformNamespace } from './all.ts'

const every: readonly (readonly [string, InstallChoices])[] = [
  ['by default', {}],
  ['on etcd', { store: 'etcd:http://etcd:2379', replicas: 3 }],
  ['on an etcd of a Secret', { etcdSecret: 'platform-etcd' }],
  ['behind an Ingress', { expose: 'ingress', address: 'platform.example.com', ingressClass: 'nginx' }],
  ['behind a load balancer', { expose: 'load-balancer', foundAddress: '192.0.2.7' }],
  ['without encryption', { encryption: false }],
  [
    'with what the operator has',
    { tlsSecret: 'own-tls', licenseSecret: 'bought', serviceMonitor: true, prometheusRule: true },
  ],
]

function manifests(choices: InstallChoices = {}): readonly Manifest[] {
  return platformManifests(settingsOf('platform', choices, usualFacts))
}

function found(kind: string, choices: InstallChoices = {}) {
  const object = manifests(choices).find((each) => each.kind === kind)
  return object === undefined ? undefined : JSON.parse(JSON.stringify(object))
}

function podOf(choices: InstallChoices) {
  const workload = found('StatefulSet', choices) ?? found('Deployment', choices)
  return workload.spec.template.spec
}

describe.each(every)('a platform %s', (_name, choices) => {
  it('has no rights in its cluster, and no token', () => {
    const kinds = manifests(choices).map(({ kind }) => kind)
    expect(kinds.filter((kind) => /Role|Binding/.test(kind))).toEqual([])
    expect(found('ServiceAccount', choices)).toMatchObject({ automountServiceAccountToken: false })
    expect(podOf(choices)).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
  })

  it('has Pods that the restricted level of Pod Security allows', () => {
    const pod = podOf(choices)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(pod.securityContext.runAsUser).toBeGreaterThan(0)
    for (const container of pod.containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
    expect(pod).not.toHaveProperty('hostNetwork')
    expect(pod.volumes.every((volume: object) => 'secret' in volume || 'emptyDir' in volume)).toBe(true)
    expect(platformNamespace('platform').metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    })
  })

  it('mounts every Secret that its arguments name, and reads only mounted files', () => {
    const [container] = podOf(choices).containers
    const mounted: readonly string[] = container.volumeMounts.map((each: { mountPath: string }) => each.mountPath)
    const files: readonly string[] = container.args.flatMap((arg: string) => /=(?:file:)?(\/.*)$/.exec(arg)?.[1] ?? [])
    expect(files.length).toBeGreaterThan(4)
    expect(files.filter((file) => !mounted.some((place) => `${file}/`.startsWith(`${place}/`)))).toEqual([])
    const names: readonly string[] = podOf(choices).volumes.map((each: { name: string }) => each.name)
    const claims = isEmbedded(choices) ? ['data'] : []
    expect(container.volumeMounts.map((each: { name: string }) => each.name).sort()).toEqual(
      [...names, ...claims].sort(),
    )
  })

  it('contains no secret, and is reproducible', () => {
    const [once, again] = [manifests(choices), manifests(choices)].map((list) => list.map(toYaml).join('---\n'))
    expect(once).toBe(again)
    expect(manifests(choices).some(({ kind }) => kind === 'Secret')).toBe(false)
    expect(once).not.toContain('PRIVATE KEY')
  })

  it('allows clients at one port, and no egress to the metadata service of a cloud', () => {
    const { spec } = found('NetworkPolicy', choices)
    expect(spec.ingress).toEqual([{ ports: [{ port: 8443, protocol: 'TCP' }] }])
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
    const blocks = spec.egress.flatMap((rule: { to?: { ipBlock: object }[] }) => rule.to ?? [])
    const except = ['169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32']
    expect(blocks).toContainEqual({ ipBlock: { cidr: '0.0.0.0/0', except } })
    expect(spec.podSelector).toEqual({ matchLabels: found('Service', choices).spec.selector })
  })
})

describe('the workload of the platform', () => {
  it('is reachable before it is ready only if it has a single Pod', () => {
    expect(found('Service').spec).toMatchObject({ publishNotReadyAddresses: true })
    for (const replicas of [1, 3]) {
      const service = found('Service', { store: 'etcd:http://etcd:2379', replicas })
      expect(service.spec).toMatchObject({ publishNotReadyAddresses: false })
    }
  })

  it('is a StatefulSet with a volume if the store is embedded', () => {
    const set = found('StatefulSet', { storageSize: '20Gi', storageClass: 'fast' })
    expect(set.spec).toMatchObject({ replicas: 1, serviceName: 'tenant-platform' })
    expect(set.spec.volumeClaimTemplates).toMatchObject([
      { spec: { storageClassName: 'fast', resources: { requests: { storage: '20Gi' } } } },
    ])
    expect(set.spec.template.spec.containers[0].args).toContain('--store=file:/var/lib/tenant/store')
    expect(found('PodDisruptionBudget')).toBeUndefined()
  })

  it('is a Deployment with a PodDisruptionBudget if replicas share an etcd', () => {
    const choices = { store: 'etcd:http://etcd:2379' }
    const { spec } = found('Deployment', choices)
    expect(spec).toMatchObject({ replicas: 2, strategy: { rollingUpdate: { maxUnavailable: 0 } } })
    expect(spec.template.spec.topologySpreadConstraints).toHaveLength(1)
    expect(found('PodDisruptionBudget', choices)).toMatchObject({
      apiVersion: 'policy/v1',
      spec: { maxUnavailable: 1, selector: spec.selector },
    })
  })

  it('reads the certificates for etcd from a Secret, and the addresses too unless they are set', () => {
    const [container] = podOf({ etcdSecret: 'platform-etcd' }).containers
    const files = ['cafile=/etc/tenant-platform/etcd/ca.crt', 'certfile=/etc/tenant-platform/etcd/tls.crt']
    const settings = [...files, 'keyfile=/etc/tenant-platform/etcd/tls.key'].join('&')
    expect(container.args).toContain(`--store=etcd:$(ETCD_ENDPOINTS)?${settings}`)
    const secretKeyRef = { name: 'platform-etcd', key: 'endpoints' }
    expect(container.env).toContainEqual({ name: 'ETCD_ENDPOINTS', valueFrom: { secretKeyRef } })
    // There are two replicas: a stopping one serves requests until no more are sent to it.
    expect(container.env).toContainEqual({ name: 'TENANT_SHUTDOWN_DELAY', value: '5s' })
    const chosen = podOf({ etcdSecret: 'platform-etcd', store: 'etcd:https://a:2379?prefix=/a' }).containers[0]
    expect(chosen.args).toContain(`--store=etcd:https://a:2379?prefix=/a&${settings}`)
    expect(chosen.env).toEqual([{ name: 'TENANT_SHUTDOWN_DELAY', value: '5s' }])
    expect(podOf({}).containers[0]).not.toHaveProperty('env')
    expect(found('Deployment', { etcdSecret: 'platform-etcd' }).spec.replicas).toBe(2)
  })

  it('serves a certificate for its names, or the given one', () => {
    const [own] = podOf({ address: 'platform.example.com' }).containers
    expect(own.args).toEqual(
      expect.arrayContaining([
        '--tls-ca-key=/etc/tenant-platform/authority/tls.key',
        '--tls-name=tenant-platform.platform.svc',
        '--tls-name=platform.example.com',
      ]),
    )
    const [given] = podOf({ tlsSecret: 'own-tls' }).containers
    expect(given.args).toContain('--tls-cert=/etc/tenant-platform/certificate/tls.crt')
    expect(given.args.join()).not.toContain('--tls-ca')
    expect(podOf({ tlsSecret: 'own-tls' }).volumes).toContainEqual({
      name: 'certificate',
      secret: { secretName: 'own-tls', defaultMode: 0o440 },
    })
  })

  it('encrypts its store with the keys of a Secret by default', () => {
    const argument = '--encryption-keys=/etc/tenant-platform/encryption/keys'
    expect(podOf({}).containers[0].args).toContain(argument)
    expect(podOf({ encryption: false }).containers[0].args).not.toContain(argument)
    expect(podOf({ encryption: false }).volumes).toHaveLength(podOf({}).volumes.length - 1)
  })

  it('restarts when the key of the administrator changes, and only then', () => {
    const template = (choices: InstallChoices) => found('StatefulSet', choices).spec.template
    expect(template({ adminKeyMark: 'a' })).not.toEqual(template({ adminKeyMark: 'b' }))
    expect(template({}).metadata).not.toHaveProperty('annotations')
  })
})

describe('how clients reach the platform', () => {
  it.each([
    [{}, 'ClusterIP'],
    [{ expose: 'node-port', address: '192.0.2.1', nodePort: 30443 }, 'NodePort'],
    [{ expose: 'load-balancer' }, 'LoadBalancer'],
    [{ expose: 'ingress', address: 'a.example.com' }, 'ClusterIP'],
  ] as const)('%j is a Service of type %s', (choices, type) => {
    expect(found('Service', choices).spec).toMatchObject({ type, ports: [{ port: 443, targetPort: 'https' }] })
  })

  it('an Ingress speaks TLS to the platform, by an annotation for its controller', () => {
    const address = 'platform.example.com'
    const choices: InstallChoices = { expose: 'ingress', address, ingressClass: 'nginx', tlsSecret: 'own-tls' }
    const ingress = found('Ingress', { ...choices, ingressAnnotations: { team: 'blue' } })
    expect(ingress.metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS',
      team: 'blue',
    })
    expect(ingress.spec).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ hosts: [address], secretName: 'own-tls' }],
      rules: [{ host: address }],
    })
    expect(found('Ingress', { ...choices, ingressClass: 'traefik' }).metadata.annotations).toEqual({})
    expect(found('Ingress')).toBeUndefined()
  })

  it('a ServiceMonitor is created if its kind is served, or on request', () => {
    expect(found('ServiceMonitor')).toBeUndefined()
    const served = settingsOf('platform', {}, { ...usualFacts, hasServiceMonitors: true })
    expect(platformManifests(served).map(({ kind }) => kind)).toContain('ServiceMonitor')
    expect(found('ServiceMonitor', { serviceMonitor: true }).spec.endpoints[0]).toMatchObject({
      scheme: 'https',
      authorization: { credentials: { name: 'tenant-platform-metrics', key: 'accessKey' } },
      tlsConfig: { serverName: 'tenant-platform.platform.svc' },
    })
  })

  it('a PrometheusRule is created if its kind is served, or on request', () => {
    expect(found('PrometheusRule')).toBeUndefined()
    const served = settingsOf('platform', {}, { ...usualFacts, hasPrometheusRules: true })
    expect(platformManifests(served).map(({ kind }) => kind)).toContain('PrometheusRule')
    expect(found('PrometheusRule', { prometheusRule: true }).spec.groups[0].rules[0]).toMatchObject({
      alert: expect.stringMatching(/^[A-Z]\w+$/),
      labels: { severity: 'warning' },
    })
  })
})
