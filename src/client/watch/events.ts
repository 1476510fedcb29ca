import { apiVersionOf, type KubeObject } from '../../api/object.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import type { ResourceType, UnreadableObject } from '../contract.ts'
import { maxObjectBytes, readExactly, Unreadable } from '../received-json.ts'
import { receivedObject } from '../received-object.ts'
import { refusalIn } from '../status.ts'
import { unparsedName } from '../unparsed-name.ts'
import type { Line } from './lines.ts'

export type ReceivedEvent =
  | {
      readonly type: 'set'
      readonly object: KubeObject
      readonly resourceVersion: string
      /** The received size. */
      readonly bytes: number
    }
  | { readonly type: 'gone'; readonly object: KubeObject; readonly resourceVersion: string }
  /** The watched objects did not change up to this version. */
  | { readonly type: 'progress'; readonly resourceVersion: string }
  /** The object has a new state that cannot be read. The version is empty if unknown. */
  | { readonly type: 'unreadable'; readonly unreadable: UnreadableObject; readonly resourceVersion: string }

/** It becomes part of the next request. */
const longestVersion = 256

/**
 * Parses one line of a watch. Throws ApiError for the error with which the server ends the watch. States that are
 * already known from the answer to a write need not be parsed.
 */
export function readEvent(
  line: Line,
  type: ResourceType,
  isKnown: (resourceVersion: string) => boolean,
): ReceivedEvent {
  const version = versionAtHead(line.bytes)
  if (version !== undefined && isKnown(version)) return { type: 'progress', resourceVersion: version }
  try {
    return eventIn(line, type)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return unreadEvent(line.bytes, type, error.problem)
  }
}

function eventIn({ bytes, isWhole }: Line, type: ResourceType): ReceivedEvent {
  if (!isWhole) throw new Unreadable('it', `is larger than ${maxObjectBytes} bytes`)
  const event = readExactly(bytes)
  if (!isJsonObject(event)) throw new ConnectionError('the server sent an event that is no JSON object')
  if (event.type === 'ERROR') throw refusalOf(event.object)
  const resourceVersion = versionIn(event.object)
  const object = receivedObject(event.object, type)
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
      return { type: 'set', object, resourceVersion, bytes: bytes.length }
    case 'DELETED':
      return { type: 'gone', object, resourceVersion }
    case 'BOOKMARK':
      return { type: 'progress', resourceVersion }
    default:
      throw new ConnectionError(
        `the server sent an event of the unknown type ${String(JSON.stringify(event.type)).slice(0, 100)}`,
      )
  }
}

function versionIn(object: unknown): string {
  const { resourceVersion = '' } = asMembers(asMembers(object).metadata)
  if (typeof resourceVersion === 'string' && resourceVersion.length <= longestVersion) return resourceVersion
  throw new ConnectionError('the server sent an event whose resourceVersion is not valid')
}

const typeAtHead = /^\{"type":"([A-Z]{1,20})",/

/** The event for an object that cannot be read: its deletion can still be reported. */
function unreadEvent(bytes: Buffer, type: ResourceType, problem: string): ReceivedEvent {
  const told = typeAtHead.exec(bytes.toString('latin1', 0, 100))?.[1]
  if (told === 'ERROR') throw refusalOf(undefined)
  const { resourceVersion, ...seen } = unparsedName(bytes, 'object')
  const isGone = told === 'DELETED' && seen.name !== '' && resourceVersion !== ''
  if (!isGone) return { type: 'unreadable', unreadable: { ...seen, problem }, resourceVersion }
  const metadata = { ...seen, resourceVersion }
  return { type: 'gone', object: { apiVersion: apiVersionOf(type), kind: type.kind, metadata }, resourceVersion }
}

/**
 * Servers write the version close to the beginning, after names only. For an event in another form, it is not known.
 */
const head =
  /^\{"type":"(?:ADDED|MODIFIED)","object":\{(?:"kind":"[A-Za-z]*","apiVersion":"[\w./-]*",)?"metadata":\{(?:"(?:name|generateName|namespace|selfLink|uid)":"[^"\\]*",)*"resourceVersion":"(\d{1,256})"/
const headBytes = 2_048

function versionAtHead(bytes: Buffer): string | undefined {
  return head.exec(bytes.toString('latin1', 0, headBytes))?.[1]
}

function refusalOf(status: unknown): Error {
  const code = isJsonObject(status) && typeof status.code === 'number' ? status.code : 500
  return (
    refusalIn(status, code) ?? new ConnectionError('the server ended the watch with an error that it does not describe')
  )
}
