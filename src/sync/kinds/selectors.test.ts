import { beforeAll, describe, expect, it } from 'vitest'
import { copyOf, rulesFor } from '../../../tests/support/examples/worlds.ts'
import { isScalar } from '../../api/facts/message.ts'
import { messageNamed } from '../../api/facts/messages.ts'
import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/types/meta-v1.ts'
import type { SyncKind, TextMap } from '../contract.ts'
import { selectedLabels } from '../names/host-labels.ts'
import { markLabels } from '../names/markers.ts'
import { networkPoliciesSync } from './network-policies.ts'
import { podDisruptionBudgetsSync } from './pod-disruption-budgets.ts'
import { podsSync } from './pods/pods.ts'
import { servicesSync } from './services.ts'

/** A field by which an object of a tenant selects Pods. */
interface SelectorField {
  readonly kind: SyncKind
  readonly object: string
  /** As in the tables of Kubernetes, without list indexes. */
  readonly path: string
  /** The namespaces of the selected Pods. */
  readonly namespaces: 'all' | readonly string[]
  /** The spec of an object in the namespace `shop` with this selector. */
  readonly spec: (selector: LabelSelector | undefined) => object
  readonly isMap?: true
}

const containers = [{ name: 'main', image: 'app:1' }]
const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'
const own = ['shop']

function affinityFields(member: 'podAffinity' | 'podAntiAffinity'): readonly SelectorField[] {
  const topologyKey = 'kubernetes.io/hostname'
  const field = { kind: podsSync, object: 'Pod', namespaces: own }
  const term = (labelSelector: LabelSelector | undefined, rest: object = {}) => ({
    topologyKey,
    ...(labelSelector && { labelSelector }),
    ...rest,
  })
  const path = `spec.affinity.${member}.${required}.labelSelector`
  const hard = (selector: LabelSelector | undefined, rest?: object) => ({
    containers,
    affinity: { [member]: { [required]: [term(selector, rest)] } },
  })
  return [
    { ...field, path, spec: (selector) => hard(selector) },
    { ...field, path, namespaces: ['other'], spec: (selector) => hard(selector, { namespaces: ['other'] }) },
    { ...field, path, namespaces: 'all', spec: (selector) => hard(selector, { namespaceSelector: {} }) },
    {
      ...field,
      path: `spec.affinity.${member}.${preferred}.podAffinityTerm.labelSelector`,
      spec: (selector) => ({
        containers,
        affinity: { [member]: { [preferred]: [{ weight: 1, podAffinityTerm: term(selector) }] } },
      }),
    },
  ]
}

function peerFields(rules: 'ingress' | 'egress', peers: 'from' | 'to'): readonly SelectorField[] {
  const field = { kind: networkPoliciesSync, object: 'NetworkPolicy', path: `spec.${rules}.${peers}.podSelector` }
  const spec = (podSelector: LabelSelector | undefined, rest: object = {}) => ({
    podSelector: { matchLabels: { not: 'this' } },
    [rules]: [{ [peers]: [{ podSelector: podSelector ?? {}, ...rest }] }],
  })
  const named = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } }
  return [
    { ...field, namespaces: own, spec: (selector) => spec(selector) },
    { ...field, namespaces: 'all', spec: (selector) => spec(selector, { namespaceSelector: {} }) },
    { ...field, namespaces: ['other'], spec: (selector) => spec(selector, named) },
  ]
}

const fields: readonly SelectorField[] = [
  ...affinityFields('podAffinity'),
  ...affinityFields('podAntiAffinity'),
  {
    kind: podsSync,
    object: 'Pod',
    path: 'spec.topologySpreadConstraints.labelSelector',
    namespaces: own,
    spec: (labelSelector) => ({
      containers,
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          ...(labelSelector && { labelSelector }),
        },
      ],
    }),
  },
  {
    kind: servicesSync,
    object: 'Service',
    path: 'spec.selector',
    namespaces: own,
    isMap: true,
    spec: (selector) => ({ ports: [{ port: 80 }], ...(selector && { selector: selector.matchLabels }) }),
  },
  {
    kind: networkPoliciesSync,
    object: 'NetworkPolicy',
    path: 'spec.podSelector',
    namespaces: own,
    spec: (podSelector) => ({ podSelector: podSelector ?? {} }),
  },
  ...peerFields('ingress', 'from'),
  ...peerFields('egress', 'to'),
  {
    kind: podDisruptionBudgetsSync,
    object: 'PodDisruptionBudget',
    path: 'spec.selector',
    namespaces: own,
    spec: (selector) => ({ minAvailable: 1, ...(selector && { selector }) }),
  },
]

/** Selectors of something other than Pods, or that become part of one. */
const others: Readonly<Record<string, string>> = {
  'Pod spec.nodeSelector': 'nodes',
  [`Pod spec.affinity.podAffinity.${required}.namespaceSelector`]: 'namespaces, which the selector of Pods names',
  [`Pod spec.affinity.podAffinity.${preferred}.podAffinityTerm.namespaceSelector`]: 'the same',
  [`Pod spec.affinity.podAntiAffinity.${required}.namespaceSelector`]: 'the same',
  [`Pod spec.affinity.podAntiAffinity.${preferred}.podAffinityTerm.namespaceSelector`]: 'the same',
  'Pod spec.volumes.ephemeral.volumeClaimTemplate.spec.selector':
    'volumes; on the host it is a claim, whose policy refuses it',
  'Pod spec.volumes.projected.sources.clusterTrustBundle.labelSelector': 'trust bundles; such a Pod is held back',
  'NetworkPolicy spec.ingress.from.namespaceSelector': 'namespaces, which the selector of Pods names',
  'NetworkPolicy spec.egress.to.namespaceSelector': 'the same',
  'PersistentVolumeClaim spec.selector': 'volumes; the policy refuses it',
}

const messages: Readonly<Record<string, string>> = {
  Pod: 'k8s.io.api.core.v1.Pod',
  Service: 'k8s.io.api.core.v1.Service',
  Endpoints: 'k8s.io.api.core.v1.Endpoints',
  Secret: 'k8s.io.api.core.v1.Secret',
  ConfigMap: 'k8s.io.api.core.v1.ConfigMap',
  Namespace: 'k8s.io.api.core.v1.Namespace',
  ServiceAccount: 'k8s.io.api.core.v1.ServiceAccount',
  PersistentVolumeClaim: 'k8s.io.api.core.v1.PersistentVolumeClaim',
  EndpointSlice: 'k8s.io.api.discovery.v1.EndpointSlice',
  Ingress: 'k8s.io.api.networking.v1.Ingress',
  NetworkPolicy: 'k8s.io.api.networking.v1.NetworkPolicy',
  PodDisruptionBudget: 'k8s.io.api.policy.v1.PodDisruptionBudget',
}

/** Every field of a message that is a label selector, at any depth. */
function selectorPaths(message: string, path: readonly string[] = []): readonly string[] {
  return messageNamed(message).fields.flatMap((field) => {
    const at = field.isInlined ? path : [...path, field.name]
    const isMap = field.shape === 'map' && field.type === 'string' && /selector$/i.test(field.name)
    if (isMap || field.type.endsWith('.LabelSelector')) return [at.join('.')]
    return isScalar(field.type) || field.name === 'metadata' ? [] : selectorPaths(field.type, at)
  })
}

interface World {
  readonly who: string
  /** Absent for Pods that are not the tenant's. */
  readonly virtual?: { readonly namespace: string; readonly labels: TextMap }
  readonly labels: TextMap
}

const labelSets: readonly TextMap[] = [
  {},
  { app: 'web' },
  { app: 'db' },
  { app: 'web', 'example.com/role': 'front' },
  { 'example.com/role': 'front' },
]

const tenants = [
  { who: 'another tenant', identity: { tenant: 'other', hostNamespace: 'tenants' } },
  { who: 'a tenant of the same name elsewhere', identity: { tenant: 'demo', hostNamespace: 'elsewhere' } },
]

const selectors: readonly (readonly [string, LabelSelector])[] = [
  ['empty', {}],
  ['matchLabels', { matchLabels: { app: 'web' } }],
  ['matchLabels that the policy keeps from the host', { matchLabels: { 'example.com/role': 'front' } }],
  ['several matchLabels', { matchLabels: { app: 'web', 'example.com/role': 'front' } }],
  ['In', { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'db'] }] }],
  ['NotIn', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }] }],
  ['Exists', { matchExpressions: [{ key: 'example.com/role', operator: 'Exists' }] }],
  ['DoesNotExist', { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }],
  ['one that names the marks', { matchExpressions: [{ key: 'tenant.internal/managed-by', operator: 'DoesNotExist' }] }],
]

describe('a selector of the virtual cluster selects the same Pods on the host, and none of others', () => {
  let worlds: readonly World[]

  beforeAll(async () => {
    const ofTenant = await Promise.all(
      ['shop', 'other'].flatMap((namespace) =>
        labelSets.map(async (labels, index): Promise<World> => {
          const name = `pod-${index}`
          const pod = objectOf('Pod', { name, namespace, labels }, { containers })
          const { metadata } = await copyOf(pod, rulesFor(podsSync, 'Pod'))
          return { who: `${namespace}/${name}`, virtual: { namespace, labels }, labels: metadata.labels ?? {} }
        }),
      ),
    )
    const ofOthers = labelSets.flatMap((labels): readonly World[] => [
      { who: 'a stranger with the same labels', labels },
      ...tenants.map(({ who, identity }) => ({
        who,
        labels: { ...labels, ...selectedLabels('shop', labels), ...markLabels({ identity }) },
      })),
    ])
    worlds = [...ofTenant, ...ofOthers]
  })

  it('every selector field is known', () => {
    const all = Object.entries(messages).flatMap(([object, message]) =>
      selectorPaths(message).map((path) => `${object} ${path}`),
    )
    const known = [...fields.map(({ object, path }) => `${object} ${path}`), ...Object.keys(others)]
    expect(new Set(all)).toEqual(new Set(known))
  })

  const cases = fields.flatMap((field) =>
    selectors
      .filter(([, { matchLabels }]) => field.isMap !== true || matchLabels !== undefined)
      .map(([form, selector]) => ({ ...field, form, selector, where: String(field.namespaces) })),
  )

  it.each(cases)('$object $path in $where: $form', ({ kind, object, path, namespaces, spec, selector }) => {
    const translated = translatedSelector(kind, objectOf(object, undefined, spec(selector)), path)
    if (translated === undefined) throw new Error('it selects by nothing')
    const isMeant = ({ virtual }: World) =>
      virtual !== undefined &&
      (namespaces === 'all' || namespaces.includes(virtual.namespace)) &&
      matches(selector, virtual.labels)
    const selected = worlds.filter(({ labels }) => matches(translated, labels)).map(({ who }) => who)
    expect(selected).toEqual(worlds.filter(isMeant).map(({ who }) => who))
  })

  it.each(fields.filter(({ object }) => object !== 'NetworkPolicy'))(
    '$object $path stays absent',
    ({ kind, object, path, spec }) => {
      expect(translatedSelector(kind, objectOf(object, undefined, spec(undefined)), path)).toBeUndefined()
    },
  )
})

function objectOf(kind: string, metadata: object = { name: 'this', namespace: 'shop' }, spec: object = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { uid: 'u1', resourceVersion: '1', ...metadata }, spec }
}

/** The first selector at the path, entering lists. */
function translatedSelector(kind: SyncKind, object: KubeObject, path: string): LabelSelector | undefined {
  let value: unknown = kind.toHost(object, rulesFor(kind, object.kind).setting)
  for (const member of path.split('.')) {
    value = (value as Record<string, unknown> | undefined)?.[member]
    if (Array.isArray(value)) [value] = value
  }
  if (value === undefined) return undefined
  return kind === servicesSync ? { matchLabels: value as TextMap } : (value as LabelSelector)
}

/** Implements selectors as Kubernetes describes them, independent of the code that translates them. */
function matches({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: TextMap): boolean {
  const hasAll = Object.entries(matchLabels).every(([key, value]) => labels[key] === value)
  return hasAll && matchExpressions.every(({ key, operator, values }) => holds(labels[key], operator, values ?? []))
}

function holds(value: string | undefined, operator: string, values: readonly string[]): boolean {
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  const isListed = value !== undefined && values.includes(value)
  return operator === 'In' ? isListed : !isListed
}
