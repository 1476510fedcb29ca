import type { KubeObject } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import type { ResourceType } from '../contract.ts'
import { receivedObject } from '../received-object.ts'
import { holdsRoundedNumber, mayBeRounded } from '../rounded-numbers.ts'
import { refusalIn } from '../status.ts'

export type WatchEvent =
  | { readonly type: 'set' | 'gone'; readonly object: KubeObject; readonly resourceVersion: string }
  /** Nothing happened to the objects that are watched, up to this version. */
  | { readonly type: 'progress'; readonly resourceVersion: string }
  /** There is a new state of the object, which cannot be read exactly. */
  | { readonly type: 'unreadable'; readonly object: KubeObject; readonly resourceVersion: string }

/**
 * One line of a watch. Throws ApiError for what the server ends the watch with. States that are known already, since a
 * write was answered with them, need not be parsed.
 */
export function readEvent(line: string, type: ResourceType, isKnown: (resourceVersion: string) => boolean): WatchEvent {
  const version = versionAtHead(line)
  if (version !== undefined && isKnown(version)) return { type: 'progress', resourceVersion: version }
  const event = parsed(line)
  if (event.type === 'ERROR') throw refusalOf(event.object)
  const object = receivedObject(event.object, type)
  const resourceVersion = object.metadata.resourceVersion ?? ''
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
      return { type: mayBeRounded(line) && holdsRoundedNumber(object) ? 'unreadable' : 'set', object, resourceVersion }
    case 'DELETED':
      return { type: 'gone', object, resourceVersion }
    case 'BOOKMARK':
      return { type: 'progress', resourceVersion }
    default:
      throw new ConnectionError(`the server sent an event of the unknown type ${JSON.stringify(event.type)}`)
  }
}

/** Servers write the version close to the beginning, behind nothing but names. Of an event in another form it is not known. */
const head =
  /^\{"type":"(?:ADDED|MODIFIED)","object":\{(?:"kind":"[A-Za-z]*","apiVersion":"[\w./-]*",)?"metadata":\{(?:"(?:name|generateName|namespace|selfLink|uid)":"[^"\\]*",)*"resourceVersion":"(\d+)"/

function versionAtHead(line: string): string | undefined {
  return head.exec(line)?.[1]
}

function parsed(line: string): Record<string, unknown> {
  try {
    const event: unknown = JSON.parse(line)
    if (isJsonObject(event)) return event
  } catch {
    // Said below.
  }
  throw new ConnectionError('the server sent an event that is no JSON object')
}

function refusalOf(status: unknown): Error {
  const code = isJsonObject(status) && typeof status.code === 'number' ? status.code : 500
  return refusalIn(status, code) ?? new ConnectionError('the server ended the watch with an error it does not tell')
}
