import { describe, expect, test } from 'vitest'
import { builtinKinds } from '../../../src/api/builtin-kinds.ts'
import { decodeObject } from '../../../src/api/decode/object.ts'
import { apiVersionOf, type KubeObject } from '../../../src/api/object.ts'
import type { SyncKind } from '../../../src/sync/contract.ts'
import { endpointSlicesSync } from '../../../src/sync/kinds/endpoint-slices.ts'
import { endpointsSync } from '../../../src/sync/kinds/endpoints.ts'
import { ingressesSync } from '../../../src/sync/kinds/ingresses.ts'
import { networkPoliciesSync } from '../../../src/sync/kinds/network-policies.ts'
import { persistentVolumeClaimsSync } from '../../../src/sync/kinds/persistent-volume-claims.ts'
import { podDisruptionBudgetsSync } from '../../../src/sync/kinds/pod-disruption-budgets.ts'
import { podsSync } from '../../../src/sync/kinds/pods/pods.ts'
import { secretsSync } from '../../../src/sync/kinds/secrets.ts'
import { serviceAccountsSync } from '../../../src/sync/kinds/service-accounts.ts'
import { servicesSync } from '../../../src/sync/kinds/services.ts'
import { copyProtection } from '../../../src/sync/names/markers.ts'
import { planObject } from '../../../src/sync/plan/plan.ts'
import { rulesFor } from '../../support/examples/worlds.ts'

type Json = null | boolean | number | string | Json[] | { [member: string]: Json }

const selector = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['a'] }] }
const term = { topologyKey: 'zone', labelSelector: selector, namespaces: ['other'], namespaceSelector: {} }
const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'
const terms = { [required]: [term], [preferred]: [{ weight: 1, podAffinityTerm: term }] }
const container = {
  name: 'main',
  image: 'app:1',
  env: [
    { name: 'A', valueFrom: { secretKeyRef: { name: 'db', key: 'a' } } },
    { name: 'B', valueFrom: { configMapKeyRef: { name: 'db', key: 'a' } } },
    { name: 'C', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  envFrom: [{ secretRef: { name: 'db' } }, { configMapRef: { name: 'db' } }],
  ports: [{ containerPort: 80, hostPort: 0 }],
  securityContext: { privileged: false, capabilities: { drop: ['ALL'] } },
  volumeMounts: [{ name: 'v0', mountPath: '/a' }],
  livenessProbe: { httpGet: { path: '/', port: 80 } },
}

/** Each object has every field that can name, select or open something. */
const examples: readonly (readonly [kind: SyncKind, object: string, fields: object])[] = [
  [
    podsSync,
    'Pod',
    {
      spec: {
        containers: [container],
        initContainers: [{ ...container, name: 'init' }],
        ephemeralContainers: [{ name: 'debug', image: 'b:1', targetContainerName: 'main' }],
        volumes: [
          { name: 'v0', secret: { secretName: 'db' } },
          { name: 'v1', configMap: { name: 'db' } },
          { name: 'v2', persistentVolumeClaim: { claimName: 'db' } },
          {
            name: 'v3',
            projected: {
              sources: [
                { secret: { name: 'db' } },
                { configMap: { name: 'kube-root-ca.crt' } },
                { serviceAccountToken: { path: 'token', audience: 'x' } },
                { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.labels' } }] } },
              ],
            },
          },
        ],
        imagePullSecrets: [{ name: 'db' }],
        affinity: { podAffinity: terms, podAntiAffinity: terms, nodeAffinity: {} },
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', labelSelector: selector }],
        tolerations: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }],
        securityContext: { runAsUser: 1 },
        serviceAccountName: 'default',
        nodeName: '',
        hostNetwork: false,
        dnsPolicy: 'ClusterFirst',
      },
      status: {},
    },
  ],
  [
    servicesSync,
    'Service',
    {
      spec: {
        type: 'ClusterIP',
        selector: { app: 'web' },
        ports: [{ port: 80, nodePort: 0 }],
        externalIPs: [],
        externalName: '',
        loadBalancerIP: '',
        clusterIP: '10.0.0.1',
      },
    },
  ],
  [
    networkPoliciesSync,
    'NetworkPolicy',
    {
      spec: {
        podSelector: selector,
        ingress: [{ from: [{ podSelector: selector, namespaceSelector: {} }, { ipBlock: { cidr: '10.0.0.0/8' } }] }],
        egress: [{ to: [{ podSelector: selector }] }],
      },
    },
  ],
  [
    podDisruptionBudgetsSync,
    'PodDisruptionBudget',
    { spec: { minAvailable: 1, selector }, status: { observedGeneration: 1, desiredHealthy: 1 } },
  ],
  [
    persistentVolumeClaimsSync,
    'PersistentVolumeClaim',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        selector,
        volumeName: 'pv',
        storageClassName: 'x',
        volumeAttributesClassName: 'x',
        dataSource: { kind: 'PersistentVolumeClaim', name: 'db' },
        dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'db', namespace: 'x' },
      },
    },
  ],
  [
    ingressesSync,
    'Ingress',
    {
      spec: {
        defaultBackend: { service: { name: 'db', port: { number: 80 } } },
        rules: [{ host: 'a.example.com', http: { paths: [{ backend: { service: { name: 'db' } } }] } }],
        tls: [{ hosts: ['a.example.com'], secretName: 'db' }],
      },
    },
  ],
  [
    endpointSlicesSync,
    'EndpointSlice',
    {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.9.9.9'], targetRef: { kind: 'Pod', name: 'db' } }],
      ports: [],
    },
  ],
  [endpointsSync, 'Endpoints', { subsets: [{ addresses: [{ ip: '10.9.9.9', targetRef: { kind: 'Pod' } }] }] }],
  [secretsSync, 'Secret', { type: 'Opaque', data: { a: 'YQ==' }, immutable: false }],
  [serviceAccountsSync, 'ServiceAccount', { imagePullSecrets: [{ name: 'db' }] }],
]

const apiVersions: Readonly<Record<string, string>> = {
  NetworkPolicy: 'networking.k8s.io/v1',
  Ingress: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  EndpointSlice: 'discovery.k8s.io/v1',
}

const odd: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 1e300, '', 'x', 'kube-system', '../../secrets/x', '*', '10.96.0.1', '127.0.0.1'],
  ...['NodePort', 'LoadBalancer', 'ExternalName', 'FQDN', 'kubernetes.io/service-account-token', '__proto__'],
  ...[[], [null], ['x'], [[]], [{}], {}, { name: 'x' }, { name: ['db'] }, { matchLabels: null }, { matchLabels: 'x' }],
  { matchLabels: { a: { b: 'c' } }, matchExpressions: 'x' },
  { namespaceSelector: {}, podSelector: {}, ipBlock: null },
]

/** The same numbers for the same seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

function placesIn(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const members = Array.isArray(value)
    ? value.entries()
    : Object.entries(value !== null && typeof value === 'object' ? value : {})
  const below = [...members].flatMap(([member, each]) => placesIn(each as Json, [...path, member]))
  return path.length === 0 ? below : [path, ...below]
}

function parentAt(value: Json, path: readonly (string | number)[]): Record<string | number, Json> {
  return path
    .slice(0, -1)
    .reduce<Json>((parent, member) => (parent as Record<string | number, Json>)[member] ?? null, value) as Record<
    string | number,
    Json
  >
}

/** Changes a few places: another value, a value from elsewhere, or a renamed member. */
function madeOdd(fields: object, seed: number): Record<string, Json> {
  const next = numbersFrom(seed)
  const made = structuredClone(fields) as Record<string, Json>
  for (let count = 1 + next(4); count > 0; count -= 1) {
    const places = placesIn(made)
    const place = places[next(places.length)]
    if (place === undefined) return made
    const parent = parentAt(made, place)
    const member = place.at(-1) ?? ''
    const other = places[next(places.length)] ?? place
    const taken = structuredClone(parentAt(made, other)[other.at(-1) ?? ''] ?? null)
    const value = next(3) === 0 ? taken : structuredClone(odd[next(odd.length)] ?? null)
    if (next(6) === 0 && !Array.isArray(parent)) parent[String(other.at(-1) ?? '')] = value
    else parent[member] = value
  }
  return made
}

const marks = { 'tenant.internal/managed-by': 'demo', 'tenant.internal/tenant-namespace': 'tenants' }
const isCopyName = (name: unknown) =>
  name === undefined || name === '' || /^v-[a-z0-9-]*-[0-9a-z]{13}$/.test(String(name))

interface Found {
  readonly path: string
  readonly member: string
  readonly value: unknown
  readonly parent: string
}

function* everythingIn(value: unknown, path = '', parent = ''): Generator<Found> {
  if (value === null || typeof value !== 'object') return
  for (const [member, each] of Object.entries(value)) {
    const name = Array.isArray(value) ? parent : member
    if (!Array.isArray(value)) yield { path: `${path}.${member}`, member, value: each, parent }
    yield* everythingIn(each, `${path}.${member}`, name)
  }
}

const says = (value: unknown) => value !== undefined && value !== null && value !== false && value !== '' && value !== 0

/** What no copy may contain, checked without the code that creates copies. */
function* wrongIn(host: KubeObject, object: string): Generator<string> {
  const { metadata, ...fields } = host
  for (const name of ['ownerReferences', 'finalizers', 'generateName', 'uid'])
    if (name in metadata) yield `metadata.${name}`
  if (!isCopyName(metadata.name) || metadata.namespace !== 'tenants') yield 'the name'
  for (const key of [...Object.keys(metadata.labels ?? {}), ...Object.keys(metadata.annotations ?? {})]) {
    if (
      /(^|\.)(kubernetes|k8s)\.io\//.test(key) &&
      !/^(app\.kubernetes\.io|kubernetes\.io\/service-name|endpointslice)/.test(key)
    )
      yield key
  }
  const isNarrowed = (value: unknown) => {
    const labels = object === 'Service' ? value : (value as { matchLabels?: unknown })?.matchLabels
    return Object.entries(marks).every(([key, mark]) => (labels as Record<string, unknown>)?.[key] === mark)
  }
  for (const { path, member, value, parent } of everythingIn(fields)) {
    if (value === undefined) continue
    if (/^(labelSelector|podSelector)$/.test(member) && says(value) && !isNarrowed(value))
      yield `${path} selects others`
    if (member === 'namespaceSelector' && says(value) && Object.keys(value as object).length > 0) yield path
    if (object === 'PodDisruptionBudget' && path === '.spec.selector' && !isNarrowed(value)) yield path
    if (object === 'PersistentVolumeClaim' && path === '.spec.selector') yield path
    if (object === 'Service' && path === '.spec.selector' && !isNarrowed(value)) yield path
    if (object === 'Service' && path === '.spec.type' && /NodePort|LoadBalancer|ExternalName/.test(String(value)))
      yield path
    if (
      /^(externalIPs|externalName|loadBalancerIP|volumeName|hostPath|nodeName|serviceAccountToken)$/.test(member) &&
      says(value) &&
      String(value) !== ''
    ) {
      if (!(object === 'EndpointSlice' || object === 'Endpoints') && String(value) !== '') yield path
    }
    if (/^(hostNetwork|hostPID|hostIPC|privileged|hostPort)$/.test(member) && says(value)) yield path
    if (/^(serviceAccountName|serviceAccount|subdomain|priority)$/.test(member) && object === 'Pod' && says(value))
      yield path
    if (/^(secretName|claimName)$/.test(member) && !isCopyName(value)) yield path
    const isNamed =
      /^(secret|secretRef|secretKeyRef|configMap|configMapRef|configMapKeyRef|imagePullSecrets|nodePublishSecretRef)$/
    if (member === 'name' && isNamed.test(parent) && !isCopyName(value)) yield `${path} ${String(value)}`
    if (member === 'name' && parent === 'service' && object === 'Ingress' && !isCopyName(value)) yield path
    if (member === 'host' && object === 'Ingress' && !/\.example\.com$/.test(String(value))) yield path
    if (member === 'defaultBackend' && object === 'Ingress') yield path
    if (member === 'ip' && /^(127\.|169\.254\.)/.test(String(value)) && object === 'Endpoints') yield path
  }
}

/** Servers drop unknown fields, and refuse values of a wrong type. */
function asHostReads(sent: KubeObject, object: string): KubeObject | undefined {
  const kind = builtinKinds().find((each) => each.kind === object && apiVersionOf(each) === sent.apiVersion)
  if (kind === undefined) throw new Error(`no server has ${sent.apiVersion} ${object}`)
  try {
    const text = JSON.stringify(sent)
    return decodeObject(kind, { value: JSON.parse(text), duplicateFields: [], text }).object
  } catch {
    return undefined
  }
}

const rounds = Number(process.env.ODD_SHAPES ?? 400)

describe('objects of a server of the tenant, in forms that Kubernetes never returns', () => {
  test.each(examples)('$id reach the host only in an allowed form', async (kind, object, fields) => {
    const rules = rulesFor(kind, object, { policies: { sync: { ingresses: { hosts: ['*.example.com'] } } } })
    let made = 0
    for (let seed = 1; seed <= rounds; seed += 1) {
      const virtual = {
        apiVersion: apiVersions[object] ?? 'v1',
        kind: object,
        metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '5', finalizers: [copyProtection] },
        ...madeOdd(fields, seed),
      } as KubeObject
      const planned = await planObject({ virtual, copy: undefined }, rules, { isWanted: true }).catch(() => undefined)
      const read = planned?.plan.action === 'create' ? asHostReads(planned.plan.host, object) : undefined
      if (read === undefined) continue
      made += 1
      expect([...wrongIn(read, object)], `seed ${seed}: ${JSON.stringify(virtual)}`).toEqual([])
    }
    expect(made).toBeGreaterThan(rounds / 50)
  })
})
