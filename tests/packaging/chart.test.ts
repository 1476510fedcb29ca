import { Ajv } from 'ajv'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { KubeObject } from '../../src/api/object.ts'
import { packageVersion } from '../../src/base/package-version.ts'
import { platformManifests } from '../../src/cli/platform/install/manifests/all.ts'
import {
  type ClusterFacts,
  type InstallChoices,
  settingsOf,
  usualFacts,
} from '../../src/cli/platform/install/settings.ts'
import { missingRenderer, type Rendered, readChart, renderChart } from './chart/render-chart.ts'

const namespace = 'platform'
const address = 'platform.example.com'
const budgets = 'policy/v1/PodDisruptionBudget'
const monitors = 'monitoring.coreos.com/v1/ServiceMonitor'
const rules = 'monitoring.coreos.com/v1/PrometheusRule'

/** Values of the chart, which are options of an installation. */
const alike: readonly (readonly [string, InstallChoices])[] = [
  ['by default', {}],
  ['on etcd', { store: 'etcd:https://etcd-0:2379,https://etcd-1:2379' }],
  ['on etcd, alone', { store: 'etcd:http://etcd:2379', replicas: 1 }],
  ['on an etcd of a Secret', { etcdSecret: 'platform-etcd', replicas: 3 }],
  ['on etcd with certificates', { store: 'etcd:https://etcd-0:2379?prefix=/a', etcdSecret: 'platform-etcd' }],
  ['with five replicas', { store: 'etcd:http://etcd:2379', replicas: 5, expose: 'load-balancer', address }],
  ['behind a load balancer', { expose: 'load-balancer', address: '2001:db8::7' }],
  ['behind a load balancer without a name', { expose: 'load-balancer' }],
  ['behind an Ingress', { expose: 'ingress', address }],
  [
    'behind ingress-nginx',
    {
      expose: 'ingress',
      address,
      ingressClass: 'nginx',
      tlsSecret: 'own-tls',
      ingressAnnotations: { team: 'blue: "1"', 'nginx.ingress.kubernetes.io/proxy-body-size': '16m' },
    },
  ],
  ['at a port of the nodes', { expose: 'node-port', address: '192.0.2.1', nodePort: 30443 }],
  ['at any port of the nodes', { expose: 'node-port', address: '192.0.2.1' }],
  ['with a port that is not asked for', { nodePort: 30443 }],
  ['with what the operator has', { tlsSecret: 'own-tls', licenseSecret: 'bought', address }],
  ['with another image', { image: 'registry.example.com/platform:1', imagePullSecrets: ['pull-a', 'pull-b'] }],
  ['with another volume', { storageSize: '20Gi', storageClass: 'fast', domain: 'clusters.example.com' }],
  ['with more of its nodes', { requests: { cpu: '500m' }, limits: { memory: '1Gi', cpu: '2' } }],
  ['without encryption', { encryption: false }],
  ['with a ServiceMonitor', { serviceMonitor: true }],
  ['with a ServiceMonitor and its certificate', { serviceMonitor: true, tlsSecret: 'own-tls' }],
  ['with alerts', { prometheusRule: true }],
  ['with further options', { serveOptions: ['--max-key-lifetime=90d', '--audit-log=/tmp/a "b" \\ {{ c }}'] }],
]

const refused: readonly (readonly [InstallChoices, string])[] = [
  [{ replicas: 2 }, 'an embedded store has one server'],
  [{ store: 'etcd:https://a,http://b', etcdSecret: 'a' }, 'https instead of http'],
  [{ store: 'etcd:https://a?cafile=/a', etcdSecret: 'a' }, 'leave cafile'],
  [{ expose: 'ingress' }, 'expose: ingress needs the name'],
  [{ expose: 'node-port' }, 'expose: node-port needs the name'],
  [{ expose: 'ingress', address: '192.0.2.1' }, 'an Ingress needs a name'],
  [{ expose: 'ingress', address: '2001:db8::1' }, 'an Ingress needs a name'],
  [{ serveOptions: ['--tls-ca=/tmp/ca'] }, '--tls-ca is set by the chart itself'],
  [{ serveOptions: ['--encryption-keys=/tmp/keys'] }, '--encryption-keys is set by the chart itself'],
]

/** Values have the names of options; helm marks all its objects as its own. */
function installed(choices: InstallChoices, facts: ClusterFacts = usualFacts): readonly KubeObject[] {
  const objects = platformManifests(settingsOf(namespace, choices, facts))
  return JSON.parse(JSON.stringify(objects).replaceAll('"tenant-cli"', '"Helm"'))
}

const byKind = (objects: readonly KubeObject[]) => Object.fromEntries(objects.map((each) => [each.kind, each]))

const found = (rendered: Rendered | undefined) => {
  if (rendered === undefined || 'error' in rendered) throw new Error(rendered?.error ?? 'nothing was rendered')
  return rendered
}

const missing = missingRenderer()
if (missing !== undefined && process.env.CI === 'true') throw new Error(missing)

describe.skipIf(missing !== undefined)('the chart', () => {
  const rendered = new Map<string, Rendered>()
  beforeAll(async () => {
    const uses = [...alike, ...refused.map(([values]) => [JSON.stringify(values), values] as const)]
    const all = await renderChart(
      uses.map(([, values]) => ({ values: { ...values }, namespace, servedApis: [budgets] })),
    )
    for (const [index, each] of all.entries()) rendered.set(uses[index]?.[0] ?? '', each)
  })

  it.each(alike)('creates the objects of tenant platform install: %s', (name, choices) => {
    const { objects } = found(rendered.get(name))
    expect(byKind(objects)).toEqual(byKind(installed(choices)))
    expect(objects).toHaveLength(installed(choices).length)
  })

  it.each(refused)('refuses %j: %s', (values, message) => {
    expect(rendered.get(JSON.stringify(values))).toMatchObject({ error: expect.stringContaining(message) })
  })

  it('uses a requested amount of 0 and not the default', async () => {
    const [zero] = await renderChart([{ values: { requests: { cpu: 0 } }, namespace, servedApis: [budgets] }])
    expect(byKind(found(zero).objects)).toEqual(byKind(installed({ requests: { cpu: '0' } })))
  })

  it('creates objects of kinds that the cluster serves', async () => {
    const store = 'etcd:http://etcd:2379'
    const uses = [
      { values: { store }, namespace, servedApis: [] },
      { values: {}, namespace, servedApis: [monitors, rules] },
      { values: { serviceMonitor: false, prometheusRule: false }, namespace, servedApis: [monitors, rules] },
    ]
    const [old, monitored, without] = (await renderChart(uses)).map((each) => byKind(found(each).objects))
    expect(old).toEqual(byKind(installed({ store }, { ...usualFacts, disruptionVersion: 'policy/v1beta1' })))
    const facts = { ...usualFacts, hasServiceMonitors: true, hasPrometheusRules: true }
    expect(monitored).toEqual(byKind(installed({}, facts)))
    expect(monitored).toHaveProperty('PrometheusRule')
    expect(without).not.toHaveProperty('ServiceMonitor')
    expect(without).not.toHaveProperty('PrometheusRule')
  })

  it.each([
    ['by default', 'port-forward service/tenant-platform 8443:443'],
    ['by default', 'login https://127.0.0.1:8443 --ca platform-ca.crt'],
    ['behind a load balancer', 'login https://[2001:db8::7] --ca'],
    ['behind ingress-nginx', `prepare -n ${namespace} --tls-secret own-tls\n`],
    ['behind ingress-nginx', `login https://${address} --access-key-prompt`],
    ['at a port of the nodes', 'login https://192.0.2.1:30443 --ca'],
    ['at any port of the nodes', "jsonpath='{.spec.ports[0].nodePort}'"],
    ['without encryption', 'prepare -n platform --no-encryption'],
    ['with another image', 'create my-cluster --image registry.example.com/platform:1'],
    ['with what the operator has', '--tls-secret own-tls --license-secret bought'],
  ])('names the next steps: %s: %s', (name, words) => {
    expect(found(rendered.get(name)).notes).toContain(words)
  })

  it('has the version of the program', () => {
    const { version, appVersion } = parse(readChart('Chart.yaml'))
    expect({ version, appVersion }).toEqual({ version: packageVersion(), appVersion: packageVersion() })
  })
})

describe('the schema of the values', () => {
  const schema = JSON.parse(readChart('values.schema.json'))
  const values = parse(readChart('values.yaml'))
  const isValid = new Ajv({ allowUnionTypes: true }).compile(schema)

  it('describes exactly the values of the chart', () => {
    const { global: _, ...properties } = schema.properties
    expect(Object.keys(properties)).toEqual(Object.keys(values))
    expect(isValid({ ...values, replicaCount: 2 })).toBe(false)
  })

  it.each(alike)('allows values: %s', (_name, choices) => {
    expect(isValid({ ...values, ...choices })).toBe(true)
  })

  it.each<[Readonly<Record<string, unknown>>]>([
    [{ store: 'file:/data' }],
    [{ replicas: 0 }],
    [{ replicas: '2' }],
    [{ expose: 'everywhere' }],
    [{ address: 'https://platform.example.com' }],
    [{ tlsSecret: 'Not A Name' }],
    [{ etcdSecret: 'Not A Name' }],
    [{ domain: '' }],
    [{ storageSize: 'much' }],
    [{ serveOptions: ['max-key-lifetime=90d'] }],
    [{ ingressAnnotations: { a: 1 } }],
    [{ nodePort: 70_000 }],
  ])('refuses %j', (wrong) => {
    expect(isValid({ ...values, ...wrong })).toBe(false)
  })
})
