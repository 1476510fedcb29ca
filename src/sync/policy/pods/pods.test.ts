import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../../api/object.ts'
import { effectiveConfig } from '../../../api/tenant-config/defaults.ts'
import type { PodPolicies, ToHostConfig, Written } from '../../../api/tenant-config/types.ts'
import { podsSync } from '../../kinds/pods/pods.ts'
import { hostNamesOf } from '../../names/host-names.ts'
import type { Filtered } from '../contract.ts'
import { policyOf } from '../policy-of.ts'

const identity = { tenant: 'demo', hostNamespace: 'tenants' }
const main = { name: 'main', image: 'app:1' }

function filtered(spec: unknown, pods: Written<PodPolicies> = {}, toHost: Written<ToHostConfig> = {}): Filtered {
  const config = effectiveConfig({ policies: { pods }, sync: { toHost } })
  const setting = { names: hostNamesOf(identity, config).forKinds }
  const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'v-web' }, spec }
  return policyOf({ kind: podsSync, config, patches: [], setting }).filter(pod)
}

const inContainer = (fields: object) => ({ containers: [{ ...main, ...fields }] })
const withVolume = (source: object) => ({ containers: [main], volumes: [{ name: 'v', ...source }] })
const inSpec = (fields: object) => ({ containers: [main], ...fields })
const term = (fields: object) => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'z', ...fields }] } },
})

describe('what a Pod tells an allowed CSI driver', () => {
  const telling = (secretProviderClass: unknown, toHost = {}) =>
    filtered(
      withVolume({ csi: { driver: 'd', volumeAttributes: { secretProviderClass } } }),
      { csiDrivers: { allowed: ['d'] } },
      toHost,
    )

  it.each(['v-creds-0abnrj6nq22a4', 'a,tenants/v-creds-0abnrj6nq22a4,b', 'v--0abnrj6nq22a4'])(
    "may not name the copy of an object, which could be another tenant's: %s",
    (name) => {
      const { isHeld, refusals } = telling(name)
      expect(isHeld).toBe(true)
      expect(refusals.map(({ field }) => field)).toEqual([
        'spec.volumes[0].csi.volumeAttributes["secretProviderClass"]',
      ])
    },
  )

  it.each(['creds', 'v-creds', 'v-2', 'my-v-creds-0abnrj6nq22a4', 'v-creds-0abnrj6nq22a4-2', 7, null])(
    'may be anything else: %s',
    (name) => expect(telling(name).isHeld).toBe(false),
  )

  it('may be such a name where namespaces are synced and names stay', () => {
    expect(telling('v-creds-0abnrj6nq22a4', { namespaces: { enabled: true } }).isHeld).toBe(false)
  })
})

describe('a Pod is held back', () => {
  it.each<[string, unknown, string]>([
    ['a path of the node', withVolume({ hostPath: { path: '/' } }), 'spec.volumes[0].hostPath'],
    ['NFS', withVolume({ nfs: { server: 's', path: '/' } }), 'spec.volumes[0].nfs'],
    ['a repository of git', withVolume({ gitRepo: { repository: 'r' } }), 'spec.volumes[0].gitRepo'],
    ['a flex driver', withVolume({ flexVolume: { driver: 'd' } }), 'spec.volumes[0].flexVolume'],
    ['a CSI driver', withVolume({ csi: { driver: 'd' } }), 'spec.volumes[0].csi'],
    [
      'a token of the host',
      withVolume({ projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }),
      'spec.volumes[0].projected.sources[0].serviceAccountToken',
    ],
    [
      'a volume that it does not have',
      {
        ...inContainer({ volumeMounts: [{ name: 'added', mountPath: '/x' }] }),
        volumes: [{ name: 'v', emptyDir: {} }],
      },
      'spec.containers[0]',
    ],
    [
      'a device that it does not have, in an init container',
      inSpec({ initContainers: [{ ...main, name: 'init', volumeDevices: [{ name: 'added', devicePath: '/x' }] }] }),
      'spec.initContainers[0]',
    ],
    ['an empty path of the node', withVolume({ hostPath: {} }), 'spec.volumes[0].hostPath'],
    ['the network of the node', inSpec({ hostNetwork: true }), 'spec.hostNetwork'],
    ['processes of the node', inSpec({ hostPID: true }), 'spec.hostPID'],
    ['shared memory of the node', inSpec({ hostIPC: true }), 'spec.hostIPC'],
    [
      'a port of the node',
      inContainer({ ports: [{ containerPort: 80, hostPort: 80 }] }),
      'spec.containers[0].ports[0].hostPort',
    ],
    ['privileges', inContainer({ securityContext: { privileged: true } }), 'spec'],
    ['capabilities', inContainer({ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }), 'spec'],
    ['a proc mount', inContainer({ securityContext: { procMount: 'Unmasked' } }), 'spec'],
    ['no seccomp', inSpec({ securityContext: { seccompProfile: { type: 'Unconfined' } } }), 'spec'],
    ['a sysctl', inSpec({ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }), 'spec'],
    ['Windows', inSpec({ os: { name: 'windows' } }), 'spec.os'],
    [
      'a probe of another address',
      inContainer({ livenessProbe: { httpGet: { port: 80, host: '169.254.169.254' } } }),
      'spec.containers[0].livenessProbe.httpGet.host',
    ],
    [
      'a hook to another address',
      {
        containers: [main],
        initContainers: [{ ...main, lifecycle: { preStop: { tcpSocket: { port: 1, host: 'h' } } } }],
      },
      'spec.initContainers[0].lifecycle.preStop.tcpSocket.host',
    ],
    ['a runtime class', inSpec({ runtimeClassName: 'weak' }), 'spec.runtimeClassName'],
    ['devices', inSpec({ resourceClaims: [{ name: 'gpu' }] }), 'spec.resourceClaims'],
    [
      'namespaces chosen by labels',
      inSpec(term({ namespaceSelector: { matchLabels: { a: 'b' } } })),
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespaceSelector.matchLabels',
    ],
    ['a field that is not known', inSpec({ hostEverything: true }), 'spec.hostEverything'],
    ['a known field in other letters', inSpec({ HostPID: true }), 'spec.HostPID'],
    ['a list of another type', inSpec({ volumes: { hostPath: {} } }), 'spec.volumes'],
    ['an item that is no object', inSpec({ volumes: ['v'] }), 'spec.volumes[0]'],
    ['a node that translation has left', inSpec({ nodeName: 'n1' }), 'spec.nodeName'],
    ['an account that translation has left', inSpec({ serviceAccountName: 'admin' }), 'spec.serviceAccountName'],
    ['no spec', undefined, 'spec'],
  ])('for %s', (_title, spec, field) => {
    const { refusals, isHeld } = filtered(spec)
    expect(isHeld).toBe(true)
    expect(refusals.map((each) => each.field)).toEqual([field])
  })

  it('for a label of nodes other than the required one', () => {
    const { isHeld } = filtered(inSpec({ nodeSelector: { pool: 'system' } }), { nodeSelector: { pool: 'tenants' } })
    expect(isHeld).toBe(true)
  })
})

describe('a Pod is synced', () => {
  it('unchanged if nothing is refused', () => {
    const spec = {
      containers: [
        {
          ...main,
          command: ['sh'],
          env: [{ name: 'EMPTY', value: '' }],
          resources: { requests: { cpu: '1' } },
          securityContext: { runAsUser: 0, allowPrivilegeEscalation: false },
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
        },
      ],
      volumes: [{ name: 'tmp', emptyDir: {} }],
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }],
    }
    expect(filtered(spec)).toMatchObject({ object: { spec }, refusals: [], isHeld: false })
  })

  it.each<[string, object, Written<PodPolicies>, object, string[]]>([
    [
      'without tolerations that are not allowed',
      { tolerations: [{ operator: 'Exists' }, { key: 'gpu' }, { key: 'pool' }] },
      { tolerations: { allowed: ['pool'] } },
      { tolerations: [{ key: 'pool' }] },
      ['spec.tolerations[0]', 'spec.tolerations[1]'],
    ],
    [
      'without the tolerations that its DaemonSet gave it, and without a report of them',
      {
        tolerations: ['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((condition) => ({
          key: `node.kubernetes.io/${condition}`,
          operator: 'Exists',
          effect: 'NoSchedule',
        })),
      },
      {},
      {},
      [],
    ],
    [
      'with an hour to end at most',
      { terminationGracePeriodSeconds: 315_360_000 },
      {},
      { terminationGracePeriodSeconds: 3_600 },
      ['spec.terminationGracePeriodSeconds'],
    ],
    [
      'with an hour at most for each container that a probe ends',
      {
        containers: [{ ...main, livenessProbe: { exec: { command: ['a'] }, terminationGracePeriodSeconds: 2 ** 31 } }],
      },
      {},
      { containers: [{ ...main, livenessProbe: { exec: { command: ['a'] }, terminationGracePeriodSeconds: 3_600 } }] },
      ['spec.containers[0].livenessProbe.terminationGracePeriodSeconds'],
    ],
    ['without its own scheduler', { schedulerName: 'own' }, {}, {}, ['spec.schedulerName']],
    ['without a class of priority', { priorityClassName: 'high' }, {}, {}, ['spec.priorityClassName']],
    [
      'with a class of priority that stands for one',
      { priorityClassName: 'high' },
      { priorityClasses: { high: 'tenant-high' } },
      { priorityClassName: 'tenant-high' },
      [],
    ],
    [
      'never with a class of the system',
      { priorityClassName: 'high' },
      { priorityClasses: { high: 'system-node-critical' } },
      {},
      ['spec.priorityClassName'],
    ],
    [
      'with an allowed runtime class',
      { runtimeClassName: 'sandbox' },
      { runtimeClasses: { allowed: ['sandbox'] } },
      { runtimeClassName: 'sandbox' },
      [],
    ],
    [
      'with an allowed CSI driver',
      { volumes: [{ name: 'v', csi: { driver: 'd' } }] },
      { csiDrivers: { allowed: ['d'] } },
      { volumes: [{ name: 'v', csi: { driver: 'd' } }] },
      [],
    ],
    [
      'on nodes that the operator has chosen',
      { nodeSelector: { disk: 'fast' } },
      { nodeSelector: { pool: 'tenants' } },
      { nodeSelector: { disk: 'fast', pool: 'tenants' } },
      [],
    ],
  ])('%s', (_title, fields, pods, expected, refused) => {
    const { object, refusals, isHeld } = filtered(inSpec(fields), pods)
    expect(object.spec).toEqual(inSpec(expected))
    expect(refusals.map(({ field }) => field)).toEqual(refused)
    expect(isHeld).toBe(false)
  })

  it('by the level that the operator chose', () => {
    const privileged = inContainer({ securityContext: { privileged: true } })
    expect(filtered(privileged, { security: 'privileged' }).isHeld).toBe(false)
    expect(filtered(inContainer({}), { security: 'restricted' }).isHeld).toBe(true)
    expect(filtered(inSpec({ hostNetwork: true }), { security: 'privileged' }).isHeld).toBe(true)
  })
})
