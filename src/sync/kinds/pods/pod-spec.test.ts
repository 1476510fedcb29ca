import { describe, expect, it } from 'vitest'
import { effectiveConfig } from '../../../api/tenant-config/defaults.ts'
import type { Pod, PodSpec } from '../../../api/types/core-v1.ts'
import { withTokenVolume } from '../../../registry/admission/token-volume.ts'
import { apiEnvironmentName, linksEnvironmentName } from '../../companions/environment/environment-names.ts'
import { tokenKey, tokenSecretName } from '../../companions/tokens/wanted-tokens.ts'
import { selectedKey, selectedLabels } from '../../names/host-labels.ts'
import { hostNamesOf } from '../../names/host-names.ts'
import { companionNames, hostSpec } from './pod-spec.ts'
import { podsSync } from './pods.ts'

const identity = { tenant: 'demo', hostNamespace: 'tenants' }
const names = hostNamesOf(identity, effectiveConfig({})).forKinds
const setting = { names, virtualFollowsHostAddresses: false, podsRunOnHost: true }
const hostNameOf = (name: string) => names.of('shop', name).name
const main = { name: 'main', image: 'app:1', resources: {} }
const apiVariables = { configMapRef: { name: apiEnvironmentName(names) } }
const links = { configMapRef: { name: linksEnvironmentName('shop', names), optional: true } }
/** In every container of a copy. */
const envFrom = [apiVariables, links]
const mainOnHost = { ...main, envFrom }

function notOn(node: string) {
  return { key: 'metadata.name', operator: 'NotIn', values: [node] }
}

function podOf(spec: Partial<PodSpec>, metadata: object = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-0', namespace: 'shop', uid: 'u1', labels: { app: 'web' }, ...metadata },
    spec: { containers: [main], ...spec },
    status: {},
  }
}

/** In every copy. */
const always = {
  containers: [mainOnHost],
  hostname: 'web-0',
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  dnsPolicy: 'Default',
}

const own = {
  'tenant.internal/managed-by': 'demo',
  'tenant.internal/tenant-namespace': 'tenants',
}
const inShop = { key: 'tenant.internal/object-namespace', operator: 'In', values: ['shop'] }

describe('the spec of a copy', () => {
  it.each<[string, Partial<PodSpec>, Partial<PodSpec>]>([
    ['only the fields of every copy', {}, {}],
    [
      'no account, class of priority or scheduler that admission has filled in',
      {
        serviceAccountName: 'default',
        serviceAccount: 'default',
        priority: 0,
        preemptionPolicy: 'PreemptLowerPriority',
        schedulerName: 'default-scheduler',
        enableServiceLinks: true,
        dnsPolicy: 'ClusterFirst',
      },
      {},
    ],
    ['a scheduler that was asked for, for the policy to judge', { schedulerName: 'own' }, { schedulerName: 'own' }],
    ['its own host name', { hostname: 'db', subdomain: 'dbs' }, { hostname: 'db' }],
    ['no DNS with dnsPolicy None', { dnsPolicy: 'None' }, { dnsPolicy: 'None' }],
    [
      'no variables of Services with enableServiceLinks false',
      { enableServiceLinks: false },
      { containers: [{ ...main, envFrom: [apiVariables] }] },
    ],
    [
      'names of Secrets for images',
      { imagePullSecrets: [{ name: 'pull' }] },
      { imagePullSecrets: [{ name: hostNameOf('pull') }] },
    ],
    [
      'names in volumes',
      {
        volumes: [
          { name: 'a', configMap: { name: 'settings', optional: true } },
          { name: 'b', secret: { secretName: 'tls' } },
          { name: 'c', persistentVolumeClaim: { claimName: 'data' } },
          { name: 'd', projected: { sources: [{ secret: { name: 'tls' } }, { configMap: { name: 'settings' } }] } },
          { name: 'e', emptyDir: {} },
          { name: 'f', csi: { driver: 'x', nodePublishSecretRef: { name: 'tls' } } },
          { name: 'g', ephemeral: {} },
        ],
      },
      {
        volumes: [
          { name: 'a', configMap: { name: hostNameOf('settings'), optional: true } },
          { name: 'b', secret: { secretName: hostNameOf('tls') } },
          { name: 'c', persistentVolumeClaim: { claimName: hostNameOf('data') } },
          {
            name: 'd',
            projected: {
              sources: [{ secret: { name: hostNameOf('tls') } }, { configMap: { name: hostNameOf('settings') } }],
            },
          },
          { name: 'e', emptyDir: {} },
          { name: 'f', csi: { driver: 'x', nodePublishSecretRef: { name: hostNameOf('tls') } } },
          { name: 'g', persistentVolumeClaim: { claimName: hostNameOf('web-0-g') } },
        ],
      },
    ],
    [
      'names in the environment, of init containers too',
      {
        initContainers: [
          { ...main, envFrom: [{ secretRef: { name: 'tls' } }, { configMapRef: { name: 'settings' } }] },
        ],
        containers: [
          {
            ...main,
            env: [
              { name: 'A', valueFrom: { secretKeyRef: { name: 'tls', key: 'k' } } },
              { name: 'B', valueFrom: { configMapKeyRef: { name: 'settings', key: 'k' } } },
              { name: 'C', value: 'as it is' },
            ],
          },
        ],
      },
      {
        initContainers: [
          {
            ...main,
            envFrom: [
              ...envFrom,
              { secretRef: { name: hostNameOf('tls') } },
              { configMapRef: { name: hostNameOf('settings') } },
            ],
          },
        ],
        containers: [
          {
            ...mainOnHost,
            env: [
              { name: 'A', valueFrom: { secretKeyRef: { name: hostNameOf('tls'), key: 'k' } } },
              { name: 'B', valueFrom: { configMapKeyRef: { name: hostNameOf('settings'), key: 'k' } } },
              { name: 'C', value: 'as it is' },
            ],
          },
        ],
      },
    ],
    [
      'a node that was chosen as a wish to the scheduler',
      { nodeName: 'n1' },
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
            },
          },
        },
      },
    ],
    [
      'affinity only to Pods of its own namespace',
      {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } },
            ],
          },
        },
      },
      {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: 'zone',
                labelSelector: { matchLabels: { [selectedKey('app')]: 'web', ...own }, matchExpressions: [inShop] },
              },
            ],
          },
        },
      },
    ],
    [
      'affinity to Pods of all namespaces of the tenant, and no others',
      {
        affinity: {
          podAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, podAffinityTerm: { topologyKey: 'zone', labelSelector: {}, namespaceSelector: {} } },
            ],
          },
        },
      },
      {
        affinity: {
          podAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: own } } },
            ],
          },
        },
      },
    ],
    [
      'spread over Pods with labels like its own',
      {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: {},
            matchLabelKeys: ['app', 'absent'],
          },
        ],
      },
      {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: {
              matchLabels: own,
              matchExpressions: [{ key: selectedKey('app'), operator: 'In', values: ['web'] }, inShop],
            },
          },
        ],
      },
    ],
  ])('has %s', (_title, spec, expected) => {
    expect(hostSpec(podOf(spec), setting)).toEqual({ ...always, ...expected })
  })

  it.each<[string, Partial<PodSpec>, readonly object[] | undefined]>([
    ['any Pod', {}, [notOn('a'), notOn('b')]],
    ['one that has chosen its node', { nodeName: 'a' }, [{ ...notOn('a'), operator: 'In' }]],
    [
      'one of a DaemonSet',
      { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }] },
      undefined,
    ],
  ])('avoids nodes that the tenant has cordoned: %s', (_which, spec, matchFields) => {
    const { affinity } = hostSpec(podOf(spec), { ...setting, cordonedNodes: () => ['a', 'b'] })
    const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
    expect(terms).toEqual(matchFields && [{ matchFields }])
  })

  it('has its tokens and the authority of the virtual cluster from its own Secret', () => {
    const audience = { audience: 'vault', expirationSeconds: 600, path: 'vault' }
    const own = { name: 'own', projected: { sources: [{ serviceAccountToken: audience }] } }
    const pod = withTokenVolume(podOf({ volumes: [own] }), 'kube-api-access-abcde')
    const name = tokenSecretName(pod, names)
    const usual = { expirationSeconds: 3607, path: 'token' }
    const [mine, added] = hostSpec(pod, setting).volumes ?? []
    expect(mine?.projected?.sources).toEqual([
      { secret: { name, items: [{ key: tokenKey(audience), path: 'vault' }] } },
    ])
    expect(added?.projected?.sources?.slice(0, 2)).toEqual([
      { secret: { name, items: [{ key: tokenKey(usual), path: 'token' }] } },
      { secret: { name, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    ])
    expect(companionNames(pod, setting)).toContain(name)
  })

  it('keeps nothing else of a source that asks for a token', () => {
    const smuggled = { serviceAccountToken: { path: 't' }, configMap: { name: 'of-the-host' } }
    const authority = { configMap: { name: 'kube-root-ca.crt' }, secret: { name: 'of-the-host' } }
    const volumes = [{ name: 'a', projected: { sources: [smuggled, authority] } }]
    const pod = podOf({ volumes })
    const sources = hostSpec(pod, setting).volumes?.[0]?.projected?.sources ?? []
    expect(sources.map((source) => Object.keys(source))).toEqual([['secret'], ['secret']])
    expect(sources.map(({ secret }) => secret?.name)).toEqual(Array(2).fill(tokenSecretName(pod, names)))
  })

  it('shows its containers the names of the virtual cluster', () => {
    const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } })
    const pod = podOf(
      {
        serviceAccountName: 'robot',
        containers: [
          {
            ...main,
            env: [
              field('A', 'metadata.name'),
              field('B', 'metadata.namespace'),
              field('C', 'metadata.uid'),
              field('D', 'spec.serviceAccountName'),
              field('E', "metadata.labels['app']"),
              field('F', "metadata.annotations['note']"),
              field('G', 'status.podIP'),
            ],
          },
        ],
      },
      { annotations: { note: '$(A)' } },
    )
    const annotations = podsSync.hostAnnotations?.(pod, setting) ?? {}
    const [noteKey] = Object.entries(annotations).find(([, value]) => value === '$(A)') ?? []
    const env = hostSpec(pod, setting).containers?.[0]?.env
    expect(env).toEqual([
      { name: 'A', value: 'web-0' },
      { name: 'B', value: 'shop' },
      { name: 'C', value: 'u1' },
      { name: 'D', value: 'robot' },
      field('E', `metadata.labels['${selectedKey('app')}']`),
      field('F', `metadata.annotations['${noteKey}']`),
      field('G', 'status.podIP'),
    ])
    expect(selectedLabels('shop', { app: 'web' })[selectedKey('app')]).toBe('web')
  })

  it.each([
    ['web-0', 'web-0'],
    ['job.with.dots', 'job-with-dots'],
    [`${'a'.repeat(62)}.b`, 'a'.repeat(62)],
  ])('has a valid host name, for the Pod %s', (name, hostname) => {
    expect(hostSpec(podOf({}, { name }), setting).hostname).toBe(hostname)
  })

  it('has files with the labels and annotations of the virtual Pod, as kubelet writes them', () => {
    const items = ['metadata.labels', 'metadata.annotations'].map((path) => ({ path, fieldRef: { fieldPath: path } }))
    const annotations = { b: 'a "word"\n\u0007\u0001\\u0001', a: 'é' }
    const pod = podOf({ volumes: [{ name: 'info', downwardAPI: { items } }] }, { annotations })
    const texts = Object.values(podsSync.hostAnnotations?.(pod, setting) ?? {})
    expect(texts).toEqual(['app="web"', 'a="é"\nb="a \\"word\\"\\n\\a\\x01\\\\u0001"'])
    const keys = Object.keys(podsSync.hostAnnotations?.(pod, setting) ?? {})
    expect(hostSpec(pod, setting).volumes?.[0]?.downwardAPI?.items?.map(({ fieldRef }) => fieldRef?.fieldPath)).toEqual(
      keys.map((key) => `metadata.annotations['${key}']`),
    )
  })

  it('lists its references once each, without the tokens, which are not copies', () => {
    const pod = podOf({
      volumes: [
        { name: 'a', secret: { secretName: 'tls' } },
        { name: 'b', persistentVolumeClaim: { claimName: 'data' } },
      ],
      containers: [{ ...main, envFrom: [{ secretRef: { name: 'tls' } }] }],
    })
    const named = podsSync.references?.(withTokenVolume(pod, 'kube-api-access-abcde')) ?? []
    expect(named.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).sort()).toEqual([
      'PersistentVolumeClaim shop/data',
      'Secret shop/tls',
    ])
  })

  it('refers to the claim of a volume that comes and goes with it as its own', () => {
    const volumes = [{ name: 'scratch', ephemeral: {} }]
    expect(podsSync.references?.(podOf({ volumes }, { uid: 'u1' }))).toEqual([
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        namespace: 'shop',
        name: 'web-0-scratch',
        controllerUid: 'u1',
      },
    ])
  })
})
