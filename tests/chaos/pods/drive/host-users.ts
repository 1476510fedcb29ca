import { type Answer, Refused } from '../../../sync/support/cluster-client.ts'
import { pods, secrets, type Thing } from '../../../sync/support/objects.ts'
import { hasEnded, marks, originUid, type Seen } from '../checker/account.ts'
import type { Place } from './kinds.ts'
import { foreignPod } from './objects.ts'
import type { Forgery, HostOperation, Mark } from './operations.ts'
import { done, foreignWritten, hostName, ownOnHost, type Scene } from './scene.ts'

const noCopy = 'there is no copy'

/** Returns the result as text. */
export async function performHost(scene: Scene, operation: HostOperation): Promise<string> {
  switch (operation.do) {
    case 'delete copy':
      return takeCopy(scene, operation.pick, (copy) => deletePod(scene, copy, operation.graceSeconds))
    case 'evict copy':
      return takeCopy(scene, operation.pick, (copy) => evict(scene, copy))
    case 'fail copy':
      return tell(scene, operation.pick, { phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' })
    case 'finish copy':
      return tell(scene, operation.pick, { phase: 'Succeeded' })
    case 'delete tokens':
      return deleteTokens(scene, operation.pick)
    case 'strip copy':
      return strip(scene, operation.pick, operation.mark)
    case 'take name':
      return putForeign(scene, hostName(scene, operation.place), {})
    case 'forge':
      return forge(scene, operation.place, operation.wrong, operation.value)
    case 'change foreign':
      return withForeign(scene, operation.pick, async (name) => {
        const patch = { metadata: { annotations: { 'example.com/value': operation.value } } }
        foreignWritten(scene, await scene.host.patch(pods, scene.tenant.hostNamespace, name, patch))
      })
    case 'delete foreign':
      return withForeign(scene, operation.pick, (name) => deleteForeign(scene, name))
    default:
      return performOnNodes(scene, operation.do)
  }
}

type NodeOperation = Extract<HostOperation['do'], `${string} node`>

async function performOnNodes({ nodes, chance }: Scene, operation: NodeOperation): Promise<string> {
  if (operation === 'add node') return nodes.add()
  const name = nodes.any(chance)
  if (name === undefined) return 'there is no node'
  if (operation === 'delete node') await nodes.remove(name)
  else if (operation === 'cordon node' || operation === 'uncordon node')
    await nodes.cordon(name, operation === 'cordon node')
  else await nodes.silence(name, operation === 'silence node')
  return name
}

function pickCopy(scene: Scene, pick: number): Seen | undefined {
  const copies = ownOnHost(scene, 'Pod')
  return copies[Math.floor(pick * copies.length)]
}

/** A copy that was visibly on a node, and is then removed, was the only one of its Pod. */
async function takeCopy(scene: Scene, pick: number, take: (copy: Seen) => Promise<Answer>): Promise<string> {
  const copy = pickCopy(scene, pick)
  if (copy === undefined) return noCopy
  const uid = originUid(copy) ?? ''
  const shown = scene.recorder.all('virtual', 'Pod').find(({ metadata }) => metadata.uid === uid)
  const wasOnNode = shown?.spec?.nodeName !== undefined && copy.spec?.nodeName === shown.spec.nodeName
  const { status } = await take(copy)
  if (status < 300 && wasOnNode) scene.taken.set(uid, copy.metadata.uid)
  return `${copy.metadata.name}: ${status}`
}

function deletePod({ host, tenant }: Scene, { metadata: { name, uid } }: Seen, graceSeconds?: number): Promise<Answer> {
  const path = `/api/v1/namespaces/${tenant.hostNamespace}/pods/${name}`
  const grace = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }
  return host.insist('DELETE', path, { preconditions: { uid }, ...grace })
}

function evict({ host, tenant }: Scene, { metadata: { name, uid } }: Seen): Promise<Answer> {
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    deleteOptions: { preconditions: { uid } },
  }
  return host.insist('POST', `/api/v1/namespaces/${tenant.hostNamespace}/pods/${name}/eviction`, body)
}

/** Writes the status as kubelets do, for Pods that are on a node. */
async function tell(
  scene: Scene,
  pick: number,
  words: { readonly phase: string; readonly [field: string]: string },
): Promise<string> {
  const copy = pickCopy(scene, pick)
  if (copy?.spec?.nodeName === undefined || hasEnded(copy)) return noCopy
  const { name, uid } = copy.metadata
  const status = { ...words, conditions: [{ type: 'Ready', status: 'False' }] }
  return unlessReplaced(() => patchPod(scene, name, { metadata: { uid }, status }, 'status'))
}

async function deleteTokens(scene: Scene, pick: number): Promise<string> {
  const all = ownOnHost(scene, 'Secret').filter(({ metadata }) => metadata.labels?.[marks.companion] === 'tokens')
  const chosen = all[Math.floor(pick * all.length)]
  if (chosen === undefined) return 'there are no tokens'
  await scene.host.delete(secrets, scene.tenant.hostNamespace, chosen.metadata.name)
  return done
}

/** Without one of its marks it is no longer a copy. */
async function strip(scene: Scene, pick: number, mark: Mark): Promise<string> {
  const copy = pickCopy(scene, pick)
  if (copy === undefined) return noCopy
  const { name, uid } = copy.metadata
  const key = marks[mark]
  const metadata = mark === 'managedBy' ? { labels: { [key]: null } } : { annotations: { [key]: null } }
  return unlessReplaced(async () => {
    await patchPod(scene, name, { metadata: { uid, ...metadata } })
    scene.foreign.set(uid, { what: `Pod ${name}`, versions: new Set(), isDeleted: false, wasCopy: true })
  })
}

function patchPod({ host, tenant }: Scene, name: string, patch: object, subresource = ''): Promise<Thing> {
  return host.patch(pods, tenant.hostNamespace, name, patch, subresource)
}

async function unlessReplaced(action: () => Promise<unknown>): Promise<string> {
  try {
    await action()
    return done
  } catch (error) {
    if (error instanceof Refused && (error.status === 404 || error.status === 409)) return 'it was replaced'
    throw error
  }
}

function forge(scene: Scene, place: Place, wrong: Forgery, value: string): Promise<string> {
  const { tenant, hostNamespace } = scene.tenant
  const name = wrong === 'name' ? `forged-${value}` : hostName(scene, place)
  const [known] = scene.recorder.all('virtual', 'Pod').filter(({ metadata }) => metadata.name === place.name)
  return putForeign(scene, name, {
    labels: { [marks.managedBy]: wrong === 'tenant' ? 'another' : tenant },
    annotations: {
      [marks.name]: place.name,
      [marks.namespace]: place.namespace,
      [marks.uid]: known?.metadata.uid ?? 'unknown',
      [marks.kind]: wrong === 'kind' ? 'Service' : 'Pod',
      [marks.hostName]: name,
      [marks.tenantNamespace]: wrong === 'tenant namespace' ? 'elsewhere' : hostNamespace,
    },
  })
}

async function putForeign(scene: Scene, name: string, metadata: object): Promise<string> {
  try {
    foreignWritten(scene, await scene.host.create(pods, foreignPod(scene.tenant.hostNamespace, name, metadata)))
    return done
  } catch (error) {
    if (error instanceof Refused && error.status === 409) return 'the name is taken'
    throw error
  }
}

async function withForeign(scene: Scene, pick: number, act: (name: string) => Promise<void>): Promise<string> {
  const there = scene.recorder.all('host', 'Pod').filter(({ metadata }) => scene.foreign.has(metadata.uid))
  const chosen = there[Math.floor(pick * there.length)]
  if (chosen === undefined) return 'there is nothing foreign'
  return unlessReplaced(() => act(chosen.metadata.name))
}

export async function deleteForeign(scene: Scene, name: string): Promise<void> {
  const { host, tenant, foreign } = scene
  const there = await host.find(pods, tenant.hostNamespace, name)
  const known = there && foreign.get(there.metadata.uid ?? '')
  if (known === undefined) return
  known.isDeleted = true
  const path = `/api/v1/namespaces/${tenant.hostNamespace}/pods/${name}`
  await host.insist('DELETE', path, { gracePeriodSeconds: 0, preconditions: { uid: there?.metadata.uid } })
}
