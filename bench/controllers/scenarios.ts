import { setTimeout as delay } from 'node:timers/promises'
import type { Subject } from '../contract.ts'
import { usageOf } from '../servers/usage.ts'
import { median } from '../statistics.ts'
import { Api, type Listed } from '../sync/api.ts'
import { deploymentOf, deploymentsIn, node, nodeName, podsIn, serviceOf, servicesIn } from './objects.ts'
import { ReadyNode } from './ready-node.ts'

const connections = 40
const patienceMs = 300_000

interface Counts {
  readonly observedGeneration?: number
  readonly replicas?: number
  readonly updatedReplicas?: number
  readonly availableReplicas?: number
}

export async function withApi<T>(subject: Subject, measure: (api: Api) => Promise<T>): Promise<T> {
  const api = new Api(subject, connections)
  try {
    return await measure(api)
  } finally {
    await api.close()
  }
}

/** From the Deployment to its last Pod, in milliseconds. */
export function scaleUp(subject: Subject, pods: number): Promise<number> {
  return withApi(subject, async (api) => {
    await newNamespace(api, 'scale')
    const seen = new Set<string>()
    const stop = await api.watchAt(podsIn('scale'), ({ metadata }) => seen.add(metadata.name))
    const startedAt = performance.now()
    await api.send('POST', deploymentsIn('scale'), deploymentOf('web', pods))
    await untilTrue(() => seen.size >= pods)
    const tookMs = performance.now() - startedAt
    stop()
    await api.send('DELETE', '/api/v1/namespaces/scale')
    return tookMs
  })
}

/** From a new template until all of its Pods are available, in milliseconds. */
export function rollingUpdate(subject: Subject, pods: number): Promise<number> {
  return withApi(subject, async (api) => {
    await newNamespace(api, 'rolling')
    const machine = new ReadyNode(api, 'rolling')
    await machine.start()
    let counts: Counts = {}
    let seenAt = 0
    const stop = await api.watchAt(deploymentsIn('rolling'), (object) => {
      counts = Object(object.status)
      seenAt = performance.now()
    })
    let generation = 1
    const isComplete = () =>
      counts.observedGeneration === generation &&
      counts.replicas === pods &&
      counts.updatedReplicas === pods &&
      counts.availableReplicas === pods
    await api.send('POST', deploymentsIn('rolling'), deploymentOf('web', pods))
    await untilTrue(isComplete)
    counts = {}
    const startedAt = performance.now()
    generation = 2
    await api.send('PATCH', `${deploymentsIn('rolling')}/web`, deploymentOf('web', pods, { image: 'example/web:2' }))
    await untilTrue(isComplete)
    const tookMs = seenAt - startedAt
    stop()
    machine.stop()
    await api.send('DELETE', '/api/v1/namespaces/rolling')
    return tookMs
  })
}

/** From a Pod that is seen to become ready, or unready, to the slice that shows it, in milliseconds: the median. */
export function readinessToSlice(subject: Subject, samples: number): Promise<number> {
  return withApi(subject, async (api) => {
    await newNamespace(api, 'slices')
    await api.send('POST', '/api/v1/nodes', node)
    const slices = await slicesIn(api, 'slices')
    const pods = new Set<string>()
    const readyIn = new Map<string, boolean>()
    const seenAt = { pod: 0, slice: 0 }
    const stopPods = await api.watchAt(podsIn('slices'), ({ metadata }) => {
      pods.add(metadata.name)
      seenAt.pod = performance.now()
    })
    const stopSlices = await api.watchAt(slices, (slice) => {
      noteReady(slice, readyIn)
      seenAt.slice = performance.now()
    })
    const machine = new ReadyNode(api, 'slices')
    await machine.start()
    await api.send('POST', servicesIn('slices'), serviceOf('web'))
    await api.send('POST', deploymentsIn('slices'), deploymentOf('web', 20, { node: nodeName }))
    await untilTrue(() => [...readyIn.values()].filter(Boolean).length === 20)
    const times: number[] = []
    const names = [...pods]
    for (let sample = 0; sample < samples; sample++) {
      const name = names[sample % names.length] ?? ''
      const isReady = readyIn.get(name) !== true
      await machine.setReady(name, isReady)
      await untilTrue(() => readyIn.get(name) === isReady)
      times.push(seenAt.slice - seenAt.pod)
    }
    for (const stop of [stopPods, stopSlices, () => machine.stop()]) stop()
    await api.send('DELETE', '/api/v1/namespaces/slices')
    return median(times)
  })
}

/** Includes the account that its Pods need. */
async function newNamespace(api: Api, name: string): Promise<void> {
  await api.createNamespace(name)
  const account = `/api/v1/namespaces/${name}/serviceaccounts/default`
  const isThere = () =>
    api.send('GET', account).then(
      () => true,
      () => false,
    )
  await untilTrue(isThere, 20)
}

async function slicesIn(api: Api, namespace: string): Promise<string> {
  const newest = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`
  const isServed = await api.send('GET', newest).then(
    () => true,
    () => false,
  )
  return isServed ? newest : newest.replace('/v1/', '/v1beta1/')
}

function noteReady(slice: Listed, ready: Map<string, boolean>): void {
  for (const endpoint of Object(slice).endpoints ?? []) {
    ready.set(endpoint.targetRef?.name ?? '', endpoint.conditions?.ready !== false)
  }
}

export interface Population {
  readonly deployments: number
  readonly podsEach: number
  readonly namespaces: number
}

/** Resolves when all Pods exist. */
export function populate(subject: Subject, { deployments, podsEach, namespaces }: Population): Promise<void> {
  return withApi(subject, async (api) => {
    const names = Array.from({ length: namespaces }, (_, index) => `many-${index}`)
    for (const name of names) await newNamespace(api, name)
    const all = Array.from({ length: deployments }, (_, index) => index)
    const post = async () => {
      for (let index = all.pop(); index !== undefined; index = all.pop()) {
        const namespace = names[index % namespaces] ?? ''
        await api.send('POST', deploymentsIn(namespace), deploymentOf(`web-${index}`, podsEach))
      }
    }
    await Promise.all(Array.from({ length: 8 }, post))
    await untilTrue(async () => (await countOf(api, '/api/v1/pods')) >= deployments * podsEach, 500)
  })
}

export interface Rest {
  /** In percent of one core. */
  readonly cpuPercent: number
  readonly residentBytes: number
  readonly writes: number
}

/** What a server uses and writes while it gets no requests. */
export function atRest(subject: Subject, seconds: number): Promise<Rest> {
  return withApi(subject, async (api) => {
    await delay(5_000)
    const before = { usage: usageOf(subject.processIds), revision: await revisionOf(api) }
    await delay(seconds * 1_000)
    const after = { usage: usageOf(subject.processIds), revision: await revisionOf(api) }
    return {
      cpuPercent: ((after.usage.cpuSeconds - before.usage.cpuSeconds) / seconds) * 100,
      residentBytes: after.usage.residentBytes,
      writes: after.revision - before.revision,
    }
  })
}

export async function revisionOf(api: Api): Promise<number> {
  return Number(JSON.parse(await api.send('GET', '/api/v1/pods?limit=1')).metadata.resourceVersion)
}

async function countOf(api: Api, collection: string): Promise<number> {
  const { items, metadata } = JSON.parse(await api.send('GET', `${collection}?limit=1`))
  return items.length + (metadata.remainingItemCount ?? 0)
}

export async function untilTrue(isTrue: () => boolean | Promise<boolean>, everyMs = 1): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error('it took longer than five minutes')
    await delay(everyMs)
  }
}
