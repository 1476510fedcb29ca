import type { Subject } from '../contract.ts'
import { openConnections, runClosedLoop } from '../load/closed-loop.ts'
import { requestBytes } from '../load/http1-connection.ts'
import type { Listed } from './api.ts'
import { collectionPath, type Plural, type Sample, samplesOf } from './objects.ts'

/** As many connections as the syncer's client has to a server. */
export const concurrency = 32

export interface Posting {
  readonly seconds: number
  readonly generatorBusy: number
}

/** What a bare load generator needs to create these. */
export async function postAll(subject: Subject, samples: readonly Sample[]): Promise<Posting> {
  const requests = samples.map(({ path, body }) => requestBytes(subject, 'POST', path, body))
  const connections = await openConnections(subject, concurrency)
  let index = 0
  const {
    perSecond,
    requests: count,
    generatorBusy,
  } = await runClosedLoop(subject, connections, {
    next: () => requests[index++] ?? Buffer.alloc(0),
    expectedStatus: 201,
    limit: { requests: requests.length },
  })
  for (const connection of connections) connection.close()
  return { seconds: count / perSecond, generatorBusy }
}

export async function fillVirtual(subject: Subject, from: number, to: number): Promise<void> {
  await postAll(subject, Array.from({ length: to - from }, (_, index) => samplesOf(from + index)).flat())
}

/** The same objects again, for another namespace: without what the server assigned to each. */
export function asNew(plural: Plural, { metadata, spec, subsets }: Listed, namespace: string): Sample {
  const { name, labels, annotations } = metadata
  const body = {
    apiVersion: 'v1',
    kind: plural === 'services' ? 'Service' : 'Endpoints',
    metadata: { namespace, name, labels, annotations },
    ...(plural === 'services' ? { spec: withoutAddresses(spec) } : { subsets }),
  }
  return { path: collectionPath(plural, namespace), body: JSON.stringify(body) }
}

function withoutAddresses(spec: unknown): unknown {
  if (typeof spec !== 'object' || spec === null) return spec
  return { ...spec, clusterIP: undefined, clusterIPs: undefined }
}
