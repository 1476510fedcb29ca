import type { KeyOwner } from '../../../auth/keys/contract.ts'
import { MemberCursor } from '../../../base/json/member-cursor.ts'
import type { StoredDocument } from '../../../registry/document.ts'
import { lastPartMsOf } from '../life/status.ts'
import { ownerOf } from './access-key.ts'
import { timeOf } from './key-record.ts'

/** The facts about a stored key that are needed from the start; the rest is read when the key is first needed. */
export interface KeyOutline {
  readonly uid: string
  readonly hash: string
  readonly owner: KeyOwner
  /** The uid of the owner that the key was made for. */
  readonly ownerUid: string | undefined
  /** When the last part of the key's life begins. Infinity: the key never ends. */
  readonly lastPartMs: number
}

/**
 * Reads the bytes in place: there may be a million keys at the start, and parsing them would take most of its time.
 * Undefined for a key that must be parsed because it is unusual: it has a previous value, or is a session.
 */
export function outlineOf(document: StoredDocument, maxLifetimeSeconds: number): KeyOutline | undefined {
  const sealed = document.readSealed(sealedPartOf)
  const shown = sealed && document.readShown(shownPartOf)
  if (sealed === undefined || shown === undefined) return undefined
  const owner = ownerOf(shown)
  if (owner === undefined || shown.uid === '') return undefined
  const { uid } = shown
  const { hash, ownerUid } = sealed
  return { uid, hash, owner, ownerUid, lastPartMs: lastPartMs(shown, sealed, maxLifetimeSeconds) }
}

/** Most keys never end, so the cost of parsing times is avoided. */
function lastPartMs(shown: ShownPart, { issuedAtMs }: SealedPart, maxLifetimeSeconds: number): number {
  const { ttl: ttlSeconds, isSliding: ttlAfterLastActivity } = shown
  if (ttlSeconds === 0 && maxLifetimeSeconds === 0) return Number.POSITIVE_INFINITY
  const createdAtMs = timeOf(shown.created) ?? 0
  const lastActivityMs = timeOf(shown.lastActivity)
  return lastPartMsOf({ createdAtMs, issuedAtMs, ttlSeconds, ttlAfterLastActivity, lastActivityMs }, maxLifetimeSeconds)
}

interface SealedPart {
  hash: string
  issuedAtMs: number
  ownerUid: string | undefined
  isOrdinary: boolean
}

const hashLength = 43

function sealedPartOf(bytes: Buffer, start: number, end: number): SealedPart | undefined {
  const cursor = new MemberCursor(bytes, start, end)
  const part: SealedPart = { hash: '', issuedAtMs: 0, ownerUid: undefined, isOrdinary: true }
  for (let more = cursor.enter() && cursor.next(); more; more = cursor.next()) {
    if (cursor.isNamed('hash')) part.hash = textOf(cursor.value()) ?? ''
    else if (cursor.isNamed('issuedAtMs')) part.issuedAtMs = numberOf(cursor.value())
    else if (cursor.isNamed('ownerUid')) part.ownerUid = textOf(cursor.value())
    else {
      if (cursor.isNamed('previous') || cursor.isNamed('session')) part.isOrdinary = false
      cursor.passOver()
    }
  }
  return cursor.isDone && part.hash.length === hashLength && part.isOrdinary ? part : undefined
}

interface ShownPart {
  uid: string
  created: string | undefined
  user: string
  team: string
  subject: string
  ttl: number
  isSliding: boolean
  lastActivity: string | undefined
}

function shownPartOf(bytes: Buffer, start: number, end: number): ShownPart | undefined {
  const cursor = new MemberCursor(bytes, start, end)
  const part = emptyPart()
  for (let more = cursor.enter() && cursor.next(); more; more = cursor.next()) {
    if (cursor.isNamed('metadata')) takeMetadata(cursor, part)
    else if (cursor.isNamed('spec')) takeSpec(cursor, part)
    else if (cursor.isNamed('status')) takeStatus(cursor, part)
    else cursor.passOver()
  }
  return cursor.isDone ? part : undefined
}

function emptyPart(): ShownPart {
  return {
    uid: '',
    created: undefined,
    user: '',
    team: '',
    subject: '',
    ttl: 0,
    isSliding: false,
    lastActivity: undefined,
  }
}

function takeMetadata(cursor: MemberCursor, part: ShownPart): void {
  for (let more = cursor.enter() && cursor.next(); more; more = cursor.next()) {
    if (cursor.isNamed('uid')) part.uid = textOf(cursor.value()) ?? ''
    else if (cursor.isNamed('creationTimestamp')) part.created = textOf(cursor.value())
    else cursor.passOver()
  }
}

function takeSpec(cursor: MemberCursor, part: ShownPart): void {
  for (let more = cursor.enter() && cursor.next(); more; more = cursor.next()) {
    if (cursor.isNamed('user')) part.user = textOf(cursor.value()) ?? ''
    else if (cursor.isNamed('team')) part.team = textOf(cursor.value()) ?? ''
    else if (cursor.isNamed('subject')) part.subject = textOf(cursor.value()) ?? ''
    else if (cursor.isNamed('ttl')) part.ttl = numberOf(cursor.value())
    else if (cursor.isNamed('ttlAfterLastActivity')) part.isSliding = cursor.value() === true
    else cursor.passOver()
  }
}

function takeStatus(cursor: MemberCursor, part: ShownPart): void {
  for (let more = cursor.enter() && cursor.next(); more; more = cursor.next()) {
    if (cursor.isNamed('lastActivity')) part.lastActivity = textOf(cursor.value())
    else cursor.passOver()
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
