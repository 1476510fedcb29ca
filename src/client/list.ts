import { ApiError } from '../api/error.ts'
import type { KubeObject } from '../api/object.ts'
import { isJsonObject } from '../base/json/member.ts'
import type { JsonBody } from './answer-body.ts'
import type { ObjectList, ResourceType, Selection } from './contract.ts'
import { receivedObject } from './received-object.ts'
import { ask } from './requests.ts'
import { collectionPath, selectionQuery, withQuery } from './resource-path.ts'
import type { Transport } from './transport/transport.ts'

const pageSize = 500
/** Pages that expire this often are read too slowly for the server; the whole in one answer does not expire. */
const pagedAttempts = 2

interface Page {
  readonly items: readonly unknown[]
  readonly resourceVersion: string
  readonly next: string
}

export interface ListOptions extends Selection {
  /** What becomes of each object as it is read, so that a large list is never there in full. */
  readonly keep?: (object: KubeObject) => KubeObject
}

/** All objects as they were at one moment, however many pages that takes. */
export async function listObjects(
  transport: Transport,
  type: ResourceType,
  options: ListOptions,
  signal?: AbortSignal,
): Promise<ObjectList> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await listOnce(transport, type, options, attempt > pagedAttempts ? undefined : pageSize, signal)
    } catch (error) {
      if (attempt > pagedAttempts || !(error instanceof ApiError) || error.code !== 410) throw error
    }
  }
}

async function listOnce(
  transport: Transport,
  type: ResourceType,
  options: ListOptions,
  limit: number | undefined,
  signal?: AbortSignal,
): Promise<ObjectList> {
  const { namespace, keep = (object: KubeObject) => object } = options
  const path = collectionPath(type, namespace)
  const items: KubeObject[] = []
  let next: string | undefined
  for (;;) {
    const query = { ...selectionQuery(options), limit: limit?.toString(), continue: next }
    const page = pageIn(await ask(transport, { method: 'GET', path: withQuery(path, query) }, signal))
    for (const item of page.items) items.push(keep(receivedObject(item, type)))
    if (page.next === '') return { items, resourceVersion: page.resourceVersion }
    next = page.next
  }
}

function pageIn(body: JsonBody): Page {
  const { items, metadata } = body
  const { resourceVersion, continue: next } = isJsonObject(metadata) ? metadata : {}
  return {
    items: Array.isArray(items) ? items : [],
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
    next: typeof next === 'string' ? next : '',
  }
}
