import { describe, expect, it } from 'vitest'
import { rulesFor } from '../../../../tests/support/example-worlds.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import { tokenSecretName } from '../../companions/tokens/wanted-tokens.ts'
import type { Plan } from '../../contract.ts'
import { podsSync } from '../../kinds/pods/pods.ts'
import { selectedKey } from '../../names/host-labels.ts'
import { planObject } from '../../plan/plan.ts'

/** What a hostile tenant writes into a Pod, and what becomes of it on the way to the host. */

const rules = rulesFor(podsSync, 'Pod')
const { names } = rules.setting
const main = { name: 'main', image: 'app:1' }

interface Written {
  readonly spec?: object
  readonly metadata?: object
}

function pod({ spec, metadata }: Written): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'evil', namespace: 'shop', uid: 'u1', resourceVersion: '1', ...metadata },
    spec: { containers: [main], ...spec },
    status: {},
  }
}

async function planned(written: Written): Promise<Plan> {
  return (await planObject({ virtual: pod(written), copy: undefined }, rules, { isWanted: true })).plan
}

async function copyFor(written: Written): Promise<Pod> {
  const plan = await planned(written)
  if (plan.action !== 'create') throw new Error(`expected a copy, got ${JSON.stringify(plan)}`)
  return plan.host as Pod
}

const inContainer = (fields: object) => ({ spec: { containers: [{ ...main, ...fields }] } })
const secured = (securityContext: object) => inContainer({ securityContext })
const volume = (source: object) => ({ spec: { volumes: [{ name: 'v', ...source }] } })
const apparmor = 'container.apparmor.security.beta.kubernetes.io/main'
const metadataService = '169.254.169.254'

describe('nothing runs of a Pod that asks for', () => {
  it.each<[string, Written]>([
    ['the root of the node', volume({ hostPath: { path: '/' } })],
    ['the socket of the container runtime', volume({ hostPath: { path: '/run/containerd.sock', type: 'Socket' } })],
    ['a path of the node in an empty volume', volume({ emptyDir: {}, hostPath: { path: '/' } })],
    ['NFS with the identity of the node', volume({ nfs: { server: '10.0.0.1', path: '/' } })],
    ['iSCSI with the identity of the node', volume({ iscsi: { targetPortal: 'a', iqn: 'b', lun: 0 } })],
    ['CephFS with a Secret of its choice', volume({ cephfs: { monitors: ['a'], secretRef: { name: 's' } } })],
    ['a disk of the cloud', volume({ awsElasticBlockStore: { volumeID: 'vol-1' } })],
    ['a Secret of Azure in another namespace', volume({ azureFile: { secretName: 's', shareName: 'x' } })],
    ['git on the node', volume({ gitRepo: { repository: 'ext::sh -c x' } })],
    ['a flex driver on the node', volume({ flexVolume: { driver: 'a/b', options: { x: '$(x)' } } })],
    ['a CSI driver on the node', volume({ csi: { driver: 'secrets-store.csi.k8s.io' } })],
    ['a claim by template with a foreign source', volume({ ephemeral: { volumeClaimTemplate: { spec: {} } } })],
    ['an image as a volume', volume({ image: { reference: 'registry/other' } })],
    ['trust bundles of the host', volume({ projected: { sources: [{ clusterTrustBundle: { path: 'x' } }] } })],
    ['the network of the node', { spec: { hostNetwork: true } }],
    ['the processes of the node', { spec: { hostPID: true } }],
    ['the shared memory of the node', { spec: { hostIPC: true } }],
    ['the users of the node', { spec: { hostUsers: true } }],
    ['a port of the node', inContainer({ ports: [{ containerPort: 80, hostPort: 80 }] })],
    ['an address of the node', inContainer({ ports: [{ containerPort: 80, hostIP: '10.0.0.1' }] })],
    ['all privileges', secured({ privileged: true })],
    [
      'all privileges in an init container',
      { spec: { initContainers: [{ ...main, securityContext: { privileged: true } }] } },
    ],
    ['a capability', secured({ capabilities: { add: ['SYS_ADMIN'] } })],
    ['every capability', secured({ capabilities: { add: ['ALL'] } })],
    ['an unmasked /proc', secured({ procMount: 'Unmasked' })],
    ['no seccomp', secured({ seccompProfile: { type: 'Unconfined' } })],
    ['no AppArmor', secured({ appArmorProfile: { type: 'Unconfined' } })],
    ['a type of SELinux', secured({ seLinuxOptions: { type: 'spc_t' } })],
    ['a user of SELinux', { spec: { securityContext: { seLinuxOptions: { user: 'system_u' } } } }],
    [
      'a sysctl of the kernel',
      { spec: { securityContext: { sysctls: [{ name: 'kernel.core_pattern', value: '|x' }] } } },
    ],
    ['a process of a Windows host', secured({ windowsOptions: { hostProcess: true } })],
    ['an operating system that is checked for less', { spec: { os: { name: 'windows' } } }],
    [
      'a probe of the metadata service',
      inContainer({ livenessProbe: { httpGet: { port: 80, host: metadataService } } }),
    ],
    [
      'a probe of a port of the node',
      inContainer({ readinessProbe: { tcpSocket: { port: 10250, host: '127.0.0.1' } } }),
    ],
    [
      'a hook to the metadata service',
      inContainer({ lifecycle: { postStart: { httpGet: { port: 80, host: metadataService } } } }),
    ],
    ['a weaker sandbox', { spec: { runtimeClassName: 'runc' } }],
    ['a device', { spec: { resourceClaims: [{ name: 'gpu', resourceClaimName: 'other' }] } }],
    ['a device of a container', inContainer({ resources: { claims: [{ name: 'gpu' }] } })],
    ['a field that comes with a later Kubernetes', { spec: { hostSomething: true } }],
    ['a field of a container that comes later', inContainer({ hostSomething: true })],
    ['a volume that comes later', volume({ somethingNew: {} })],
    ['a field in other letters', { spec: { HostNetwork: true } }],
  ])('%s', async (_attempt, written) => {
    expect((await planned(written)).action).toBe('hold back')
  })
})

describe('a Pod is carried without', () => {
  it.each<[string, Written, string]>([
    ['a node of its choice', { spec: { nodeName: 'control-plane' } }, 'nodeName'],
    [
      'an account of the host',
      { spec: { serviceAccountName: 'admin', serviceAccount: 'admin' } },
      'serviceAccountName',
    ],
    ['a priority above all', { spec: { priority: 2_000_001_000 } }, 'priority'],
    ['a class of the system', { spec: { priorityClassName: 'system-node-critical' } }, 'priorityClassName'],
    ['a right to preempt', { spec: { preemptionPolicy: 'PreemptLowerPriority' } }, 'preemptionPolicy'],
    ['a negative overhead', { spec: { overhead: { cpu: '-1' } } }, 'overhead'],
    ['a scheduler of its own', { spec: { schedulerName: 'mine' } }, 'schedulerName'],
    ['tolerations of everything', { spec: { tolerations: [{ operator: 'Exists' }] } }, 'tolerations'],
    [
      'a toleration of control planes',
      { spec: { tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }] } },
      'tolerations',
    ],
    [
      'containers for debugging',
      { spec: { ephemeralContainers: [{ ...main, securityContext: { privileged: true } }] } },
      'ephemeralContainers',
    ],
  ])('%s', async (_attempt, written, field) => {
    expect((await copyFor(written)).spec).not.toHaveProperty(field)
  })

  it.each(['token of the host', 'Services of the host'])('a %s', async () => {
    const { spec } = await copyFor({ spec: { automountServiceAccountToken: true, enableServiceLinks: true } })
    expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
  })

  it('a node that takes it past the scheduler', async () => {
    const { spec } = await copyFor({ spec: { nodeName: 'n1' } })
    const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
    expect(terms).toEqual([{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }])
  })

  it('the users of the node, where it asks for its own', async () => {
    expect((await copyFor({ spec: { hostUsers: false } })).spec).toMatchObject({ hostUsers: false })
  })

  it('years to end', async () => {
    expect((await copyFor({ spec: { terminationGracePeriodSeconds: 315_360_000 } })).spec).toMatchObject({
      terminationGracePeriodSeconds: 3_600,
    })
  })

  it('owners, finalizers and a status', async () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'x', controller: true }]
    const copy = await copyFor({ metadata: { ownerReferences, finalizers: ['a/b'], generateName: 'x-' } })
    for (const member of ['ownerReferences', 'finalizers', 'generateName']) {
      expect(copy.metadata).not.toHaveProperty(member)
    }
    expect(copy).not.toHaveProperty('status')
  })

  it.each([
    ['no AppArmor', apparmor, 'unconfined'],
    ['a role of the cloud', 'iam.amazonaws.com/role', 'admin'],
    ['a sidecar', 'sidecar.istio.io/inject', 'true'],
    ['a sidecar of another mesh', 'linkerd.io/inject', 'enabled'],
    ['a network of the host', 'k8s.v1.cni.cncf.io/networks', 'host-net'],
    ['a fixed address', 'cni.projectcalico.org/ipAddrs', '["10.0.0.1"]'],
    ['bandwidth of the node', 'kubernetes.io/egress-bandwidth', '1P'],
    ['a node that may not be removed', 'cluster-autoscaler.kubernetes.io/safe-to-evict', 'false'],
    ['secrets of a vault', 'vault.hashicorp.com/agent-inject', 'true'],
    ['a page to scrape', 'prometheus.io/scrape', 'true'],
    ['the mark of a static Pod', 'kubernetes.io/config.source', 'file'],
  ])('what components of the host act on: %s', async (_what, key, value) => {
    const plan = await planned({ metadata: { annotations: { [key]: value }, labels: { [key]: 'x' } } })
    if (plan.action !== 'create') return expect(plan.action).toBe('hold back')
    expect(plan.host.metadata.annotations).not.toHaveProperty([key])
    expect(plan.host.metadata.labels).not.toHaveProperty([key])
  })

  it.each<[string, Readonly<Record<string, string>>]>([
    ['the Service of a virtual cluster', { 'app.kubernetes.io/name': 'tenant', 'app.kubernetes.io/instance': 'demo' }],
    ['a Service of the host', { app: 'web' }],
    ['a ReplicaSet of the host, which would adopt it', { app: 'web', 'pod-template-hash': '5d4f' }],
  ])('labels that %s selects', async (_what, labels) => {
    const virtual = pod({ metadata: { labels } })
    const { plan, refusals } = await planObject({ virtual, copy: undefined }, rules, { isWanted: true })
    if (plan.action !== 'create') throw new Error(`expected a copy, got ${plan.action}`)
    const keys = Object.keys(plan.host.metadata.labels ?? {})
    expect(keys.filter((key) => !key.startsWith('tenant.internal/'))).toEqual([])
    expect(refusals).toEqual([])
  })

  it.each([
    ['another tenant', 'tenant.internal/managed-by', 'other', 'demo'],
    ['a tenant of another namespace', 'tenant.internal/tenant-namespace', 'elsewhere', 'tenants'],
    ['another namespace', 'tenant.internal/object-namespace', 'kube-system', 'shop'],
    ['labels of another Pod', selectedKey('app'), 'victim', undefined],
  ])('marks of %s', async (_whose, key, forged, expected) => {
    const { metadata } = await copyFor({ metadata: { labels: { [key]: forged }, annotations: { [key]: forged } } })
    expect(metadata.labels?.[key]).toBe(expected)
    expect(metadata.annotations?.[key]).not.toBe(forged)
  })
})

describe('what a Pod names is its own, however it is spelled', () => {
  const hostNames = [
    'tenant-admin',
    'kube-root-ca.crt',
    names.of('shop', 'victim').name,
    names.of('other', 'victim').name,
    tokenSecretName(pod({ metadata: { name: 'victim' } }) as Pod, names),
    'victim/tokens',
    'victim/tokens/u1',
    'tokens/victim',
    '../other/victim',
    'other/victim',
  ]
  const places: readonly (readonly [string, (name: string) => Written])[] = [
    ['a volume of a Secret', (name) => volume({ secret: { secretName: name } })],
    ['a volume of a ConfigMap', (name) => volume({ configMap: { name } })],
    ['a volume of both', (name) => volume({ projected: { sources: [{ secret: { name } }, { configMap: { name } }] } })],
    ['a claim', (name) => volume({ persistentVolumeClaim: { claimName: name } })],
    ['a Secret for images', (name) => ({ spec: { imagePullSecrets: [{ name }] } })],
    ['a variable', (name) => inContainer({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name, key: 'a' } } }] })],
    ['all variables', (name) => inContainer({ envFrom: [{ secretRef: { name } }] })],
  ]
  const ofOthers = new Set([
    ...hostNames,
    tokenSecretName(pod({ metadata: { name: 'victim' } }) as Pod, names),
    names.of('other', 'victim').name,
  ])

  it.each(places.flatMap(([place, write]) => hostNames.map((name) => [place, name, write(name)] as const)))(
    'in %s: %s',
    async (_place, name, written) => {
      const plan = await planned(written)
      if (plan.action === 'hold back') return
      if (plan.action !== 'create') throw new Error(`expected a copy, got ${plan.action}`)
      const text = JSON.stringify(plan.host.spec)
      for (const other of ofOthers) expect(text).not.toContain(`"${other}"`)
      expect(text).toContain(names.of('shop', name).name)
    },
  )
})
