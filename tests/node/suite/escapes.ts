import { beforeAll, describe, expect, it } from 'vitest'
import { copyName } from '../../chaos/names.ts'
import { containersOn } from '../../support/clusters/real-node.ts'
import { componentKeys, podEscapes, selectedLabels } from '../../support/pod-escapes.ts'
import { claims, configMaps, events, pods, secrets, services, type Thing } from '../../sync/support/objects.ts'
import { soon } from '../../sync/support/soon.ts'
import { dangersOfContainer, dangersOfPod, type RunContainer } from '../support/judge.ts'
import type { TenantOnNode } from '../support/tenant-on-node.ts'
import { inShell, placeOf } from './web-app.ts'

const patienceMs = 240_000
const namespace = 'hostile'
const mark = 'tenant.internal/managed-by'
/** Ends at once when its Pod is deleted. */
const main = { name: 'main', image: 'busybox:1', command: ['sleep', '1000'] }
/** For Pods of which only labels and annotations are checked. */
const nowhere = { nodeSelector: { 'example.com/there': 'none' } }

interface Attempt {
  readonly title: string
  readonly pod: { readonly spec?: object; readonly metadata?: object }
  /** Checks the copy on the host. Returns complaints. */
  readonly look?: (copy: Thing) => readonly string[]
  readonly isHeld?: boolean
  /** Whether the Pod should run on the node. */
  readonly runs?: boolean
}

/** The result of an attempt. */
interface Outcome {
  /** The status code of the virtual cluster. */
  readonly status: number
  readonly copy: Thing | undefined
  readonly warnings: readonly string[]
}

/**
 * A tenant with every right in its own cluster writes Pods against its host, beside another tenant in the same
 * namespace.
 */
export function escapes(tenants: () => readonly [victim: TenantOnNode, hostile: TenantOnNode]): void {
  describe('a hostile tenant on a node', () => {
    let hostile: TenantOnNode
    let outcomes: ReadonlyMap<string, Outcome>
    let isForeign: (name: string) => boolean
    let attempts: readonly Attempt[] = []
    let sent: readonly Sent[] = []

    beforeAll(async () => {
      const [victim, other] = tenants()
      hostile = other
      attempts = allAttempts(victim)
      await hostile.virtual.ensureNamespace(namespace)
      sent = await Promise.all(attempts.map((attempt, index) => send(hostile, attempt, index)))
      await soon(async () => {
        outcomes = await lookAt(hostile, sent)
        const open = attempts.filter(({ title }) => !isDecided(outcomes.get(title)))
        expect(open.map(({ title }) => title)).toEqual([])
      }, patienceMs)
      isForeign = await foreignNames(hostile)
    })

    it('tries a hundred ways', () => {
      expect(outcomes.size).toBeGreaterThanOrEqual(100)
    })

    it('gets no Pod on the host that requests resources of the node', () => {
      const carried = attempts.filter(({ isHeld, title }) => isHeld && outcomes.get(title)?.copy !== undefined)
      expect(carried.map(({ title }) => title)).toEqual(prunedByTheApi)
    })

    it('gets the reason each time', () => {
      const silent = attempts.filter(({ isHeld, title }) => {
        const { status = 0, warnings = [], copy } = outcomes.get(title) ?? {}
        return isHeld && copy === undefined && status < 400 && warnings.length === 0
      })
      expect(silent.map(({ title }) => title)).toEqual([])
    })

    it('has no Pod on the host with access to the node, the host or another tenant', () => {
      const [victim] = tenants()
      const ofVictim = ['account', 'page', 'visits'].map((name) => copyName(placeOf(victim), 'default', name))
      expect(ofVictim.filter(isForeign)).toEqual(ofVictim)
      const dangers = attempts.flatMap(({ title, look = () => [] }) => {
        const copy = outcomes.get(title)?.copy
        if (copy === undefined) return []
        return [...dangersOfPod(copy, isForeign), ...look(copy)].map((danger) => `${title}: ${danger}`)
      })
      expect(dangers).toEqual([])
    })

    it('runs no container with more privileges than usual', async () => {
      const accepted = attempts.filter(({ title }) => (outcomes.get(title)?.status ?? 500) < 400)
      const expected = accepted.filter(({ title, runs }) => runs || prunedByTheApi.includes(title))
      expect(expected.length).toBeGreaterThan(10)
      await soon(async () => {
        outcomes = await lookAt(hostile, sent)
        const waiting = expected.filter(({ title }) => phaseOf(outcomes.get(title)) !== 'Running')
        expect(waiting.map(({ title }) => title)).toEqual([])
      }, patienceMs)
      const running = expected.map(({ title }) => outcomes.get(title)?.copy?.metadata.name)
      const texts = await containersOn(hostile.hostNamespace)
      const found = texts.map((text): RunContainer => JSON.parse(text))
      const own = found.filter(({ Labels }) => running.includes(podOf(Labels)))
      // Each Pod has a sandbox and a container; the kubelet of a busy node may have begun another one before.
      const pieces = running.map((name) => own.filter(({ Labels }) => podOf(Labels) === name).length)
      expect(Math.min(...pieces)).toBeGreaterThanOrEqual(2)
      const dangers = own.flatMap((each) =>
        dangersOfContainer(each).map((danger) => `${podOf(each.Labels)}: ${danger}`),
      )
      expect(dangers).toEqual([])
    })

    it('cannot reach the node through the API of its own cluster', async () => {
      const own = attempts.findIndex(({ title }) => title === 'a priority above all')
      const forged = { status: { podIP: hostile.node.address, podIPs: [{ ip: hostile.node.address }] } }
      await hostile.virtual.patch(pods, namespace, `attempt-${own}`, forged, 'status').catch(() => {})
      const answers = await Promise.all(
        pathsToTheNode(`attempt-${own}`).map(async (path) => {
          const { status } = await hostile.virtual.request('GET', path)
          return `${path}: ${status < 400 ? status : 'refused'}`
        }),
      )
      expect(answers).toEqual(pathsToTheNode(`attempt-${own}`).map((path) => `${path}: refused`))
    })

    it('cannot resolve addresses of the host through its DNS', async () => {
      const [victim] = tenants()
      const names = [
        `${copyName(placeOf(victim), 'default', 'web')}.${victim.hostNamespace}.svc.cluster.local`,
        `${victim.name}.${victim.hostNamespace}.svc.cluster.local`,
        'kube-dns.kube-system.svc.cluster.local',
        'web.default.svc.cluster.local',
        'db-0.db.default.svc.cluster.local',
      ]
      const script = names.map((name) => `nslookup ${name} > /dev/null 2>&1 && echo ${name}`).join('; ')
      expect(await inShell(hostile, 'alone', `${script}; true`)).toBe('')
      const own = 'nslookup kubernetes.default.svc.cluster.local | grep Address | tail -n 1'
      const { spec } = await hostile.host.get(services, hostile.hostNamespace, hostile.name)
      const { clusterIP } = spec as { clusterIP: string }
      expect(await inShell(hostile, 'alone', own)).toBe(`Address: ${clusterIP}\n`)
    })
  })
}

/** To the kubelet, through a node, through a Pod that claims its address, and to Services of the host. */
function pathsToTheNode(pod: string): readonly string[] {
  return [
    '/api/v1/nodes/node-host/proxy/pods',
    '/api/v1/nodes/node-host:10250/proxy/metrics',
    '/api/v1/nodes/node-host/proxy/containerLogs/kube-system/x/x',
    `/api/v1/namespaces/${namespace}/pods/${pod}:10250/proxy/pods`,
    `/api/v1/namespaces/${namespace}/pods/https:${pod}:10250/proxy/pods`,
    '/api/v1/namespaces/kube-system/services/kube-dns/proxy/',
    '/api/v1/namespaces/default/services/https:kubernetes:443/proxy/api',
  ]
}

/** The API of the virtual cluster does not know these fields, and drops them: the rest is harmless. */
const prunedByTheApi = [
  'the users of the node',
  'an unmasked /proc',
  'a field that comes with a later Kubernetes',
  'a field of a container that comes later',
  'a volume that comes later',
  'a field in other letters',
]

const phaseOf = (outcome: Outcome | undefined) => (outcome?.copy?.status as { phase?: string } | undefined)?.phase
const podOf = (labels: RunContainer['Labels']) => labels['io.kubernetes.pod.name'] ?? ''

function allAttempts(victim: TenantOnNode): readonly Attempt[] {
  const { held, dropped, places } = podEscapes(main)
  const ofVictim = (name: string) => copyName(placeOf(victim), 'default', name)
  const foreign = [ofVictim('account'), ofVictim('page'), ofVictim('visits'), '../../two-tenants/blue']
  return [
    ...held.map(([title, pod]): Attempt => ({ title, pod, isHeld: true })),
    ...dropped.map(([title, pod, field]): Attempt => {
      // There is no node of that name.
      return { title, pod, look: withoutField(pod, field), runs: field !== 'nodeName' }
    }),
    ...places.flatMap(([place, write]) =>
      foreign.map((name): Attempt => {
        const { spec } = write(name)
        return { title: `${place} of another: ${name}`, pod: { spec: { ...spec, ...nowhere } } }
      }),
    ),
    ...componentKeys.map(([what, key, value]): Attempt => {
      const metadata = { annotations: { [key]: value }, labels: { [key]: 'x' } }
      return {
        title: `a component of the host acts on it: ${what}`,
        pod: { spec: nowhere, metadata },
        look: without(key),
      }
    }),
    ...selectedLabels.map(([whose, labels]): Attempt => {
      const look = (copy: Thing) => Object.keys(labels).flatMap((key) => without(key)(copy))
      return { title: `${whose} selects it`, pod: { spec: nowhere, metadata: { labels } }, look }
    }),
    ...['tenant.internal/managed-by', 'tenant.internal/tenant-namespace', 'tenant.internal/object-namespace'].map(
      (key): Attempt => {
        const metadata = { labels: { [key]: 'forged' }, annotations: { [key]: 'forged' } }
        return { title: `forges the mark ${key}`, pod: { spec: nowhere, metadata }, look: isNotForged(key) }
      },
    ),
    ...paths.map(
      ([title, volumeMount]): Attempt => ({
        title,
        isHeld: true,
        pod: {
          spec: {
            containers: [{ ...main, volumeMounts: [{ name: 'v', mountPath: '/v', ...volumeMount }] }],
            volumes: [{ name: 'v', emptyDir: {} }],
          },
        },
      }),
    ),
  ]
}

const paths: readonly (readonly [string, object])[] = [
  ['a path above its volume', { subPath: '../../../..' }],
  ['an absolute path in its volume', { subPath: '/etc' }],
  ['a path above its volume by a variable', { subPathExpr: '../$(HOSTNAME)' }],
  ['mounts that reach the node', { mountPropagation: 'Bidirectional' }],
]

/** The host's own values may be present, but not the requested ones. */
function withoutField({ spec = {} }: Attempt['pod'], field: string) {
  const asked = JSON.stringify((spec as Readonly<Record<string, unknown>>)[field])
  return (copy: Thing) => {
    const has = JSON.stringify((copy.spec as Readonly<Record<string, unknown>>)[field])
    const harmless = [undefined, '"PreemptLowerPriority"']
    return has === asked && !harmless.includes(has) ? [`its ${field} is ${has}`] : []
  }
}

const without = (key: string) => (copy: Thing) => {
  const { labels = {}, annotations = {} } = copy.metadata
  return key in labels || key in annotations ? [`it has ${key}`] : []
}

const isNotForged = (key: string) => (copy: Thing) => {
  const { labels = {}, annotations = {} } = copy.metadata
  return [labels[key], annotations[key]].includes('forged') ? [`${key} is forged`] : []
}

interface Sent {
  readonly title: string
  readonly name: string
  readonly status: number
}

async function send({ virtual }: TenantOnNode, { title, pod }: Attempt, index: number): Promise<Sent> {
  const name = `attempt-${index}`
  const metadata = { ...pod.metadata, namespace, name }
  const spec = { terminationGracePeriodSeconds: 0, containers: [main], ...pod.spec }
  const body = { apiVersion: 'v1', kind: 'Pod', metadata, spec }
  const { status } = await virtual.request('POST', `/api/v1/namespaces/${namespace}/pods`, body)
  return { title, name, status }
}

/** Two lists for each side, however many attempts there are. */
async function lookAt(hostile: TenantOnNode, sent: readonly Sent[]): Promise<ReadonlyMap<string, Outcome>> {
  const copies = await hostile.host.list(pods, hostile.hostNamespace)
  const told = await hostile.virtual.list(events, namespace)
  const byName = new Map(copies.map((copy) => [copy.metadata.name, copy]))
  return new Map(
    sent.map(({ title, name, status }) => {
      const about = told.filter(({ involvedObject }) => (involvedObject as { name: string }).name === name)
      const warnings = about.filter(({ type }) => type === 'Warning').map(({ reason }) => String(reason))
      return [title, { status, warnings, copy: byName.get(copyName(placeOf(hostile), namespace, name)) }]
    }),
  )
}

/** Refused by the API, on the host, or reported as held back. */
function isDecided(outcome: Outcome | undefined): boolean {
  if (outcome === undefined) return false
  return outcome.status >= 400 || outcome.copy !== undefined || outcome.warnings.length > 0
}

/** Objects of the namespace without the tenant's mark: its Pods must name none of them. */
async function foreignNames({ host, hostNamespace, name }: TenantOnNode): Promise<(object: string) => boolean> {
  const found = await Promise.all([configMaps, secrets, claims].map((kind) => host.list(kind, hostNamespace)))
  const others = found.flat().filter(({ metadata }) => metadata.labels?.[mark] !== name)
  const names = new Set(others.map(({ metadata }) => metadata.name))
  return (object) => names.has(object)
}
