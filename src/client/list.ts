import { ApiError } from '../api/error.ts'
import type { KubeObject } from '../api/object.ts'
import { isJsonObject } from '../base/json/member.ts'
import { bodyOf, type HttpAnswer } from './answer-body.ts'
import type { ObjectList, ResourceType, Selection } from './contract.ts'
import { keyOf, receivedObject } from './received-object.ts'
import { collectionPath, objectPath, selectionQuery, withQuery } from './resource-path.ts'
import { holdsRoundedNumber, mayBeRounded, RoundedNumber } from './rounded-numbers.ts'
import type { Transport } from './transport/contract.ts'

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
  /** Told of objects that cannot be read exactly, which are then left out. Absent: the list fails. */
  readonly onUnreadable?: (object: KubeObject) => void
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
  const path = collectionPath(type, options.namespace)
  const items: KubeObject[] = []
  let next: string | undefined
  for (;;) {
    const query = { ...selectionQuery(options), limit: limit?.toString(), continue: next }
    const answer = await transport.send({ method: 'GET', path: withQuery(path, query) }, signal)
    const isSuspect = mayBeRounded(answer.text)
    const page = pageIn(answer, transport.origin)
    for (const item of page.items) {
      const object = receivedObject(item, type)
      if (!isSuspect || !holdsRoundedNumber(object)) items.push(options.keep?.(object) ?? object)
      else if (options.onUnreadable !== undefined) options.onUnreadable(object)
      else throw new RoundedNumber(objectPath(type, keyOf(object)))
    }
    if (page.next === '') return { items, resourceVersion: page.resourceVersion }
    next = page.next
  }
}

function pageIn(answer: HttpAnswer, origin: string): Page {
  const { items, metadata } = bodyOf(answer, origin)
  const { resourceVersion, continue: next } = isJsonObject(metadata) ? metadata : {}
  return {
    items: Array.isArray(items) ? items : [],
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
    next: typeof next === 'string' ? next : '',
  }
}
