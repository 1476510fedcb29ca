import { collectionPath, configMap, namespace, objectName } from '../config-map.ts'
import type { Subject } from '../contract.ts'
import { openConnections, runClosedLoop } from '../load/closed-loop.ts'
import { Http1Connection, requestBytes } from '../load/http1-connection.ts'

/** More connections than are measured with: writes that arrive together are committed together. */
const fillingConnections = 32

export async function createNamespace(subject: Subject): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await expectStatus(subject, requestBytes(subject, 'POST', '/api/v1/namespaces', body), 201)
}

/** Creates the ConfigMaps from one number up to, but not including, another. */
export async function fill(subject: Subject, from: number, to: number): Promise<void> {
  const connections = await openConnections(subject, fillingConnections)
  let index = from
  await runClosedLoop(subject, connections, {
    next: () => requestBytes(subject, 'POST', collectionPath, configMap(objectName(index++))),
    expectedStatus: 201,
    limit: { requests: to - from },
  })
  for (const connection of connections) connection.close()
}

export async function deleteLabeled(subject: Subject, selector: string, collection = collectionPath): Promise<void> {
  const path = `${collection}?labelSelector=${encodeURIComponent(selector)}`
  await expectStatus(subject, requestBytes(subject, 'DELETE', path), 200)
}

async function expectStatus(subject: Subject, request: Buffer, status: number): Promise<void> {
  const connection = await Http1Connection.open(subject, { keepsBody: true })
  const answer = await connection.request(request)
  connection.close()
  if (answer.status !== status)
    throw new Error(`${subject.role} answered ${answer.status}: ${answer.body.slice(0, 500)}`)
}
