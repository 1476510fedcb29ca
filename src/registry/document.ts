import { completedIfPossible, mostLaterDefaults } from '../api/custom/prune-and-default.ts'
import type { Structure } from '../api/custom/structure.ts'
import type { Kind } from '../api/kind.ts'
import { apiVersionOf, type JsonObject, type KubeObject, type ObjectMeta } from '../api/object.ts'
import { parsePrinted } from '../base/json/parse.ts'
import { printedJson, printJson } from '../base/json/print.ts'
import type { AlikeWrites } from './alike-writes.ts'
import type { Document } from './contract.ts'
import { type Memory, mayContain, ownMemory } from './memory.ts'
import { RecentObjects } from './recent-objects.ts'

const metadataOpening = '{"metadata":{'
const resourceVersionOpening = '{"metadata":{"resourceVersion":"'

const braceOpening = Buffer.from('{')
const lineEnd = 0x0a

/** JSON on one line never contains it. In the store, whatever follows it is never shown. */
export const sealMark = 0x0a

/** Follows the last brace of the visible part: an integer in it is too large for a double. The text is still JSON. */
const largeMark = 0x20

/**
 * The stored form: the object without apiVersion, kind and resourceVersion, metadata first. The revision is known only
 * after the write, so it is inserted at the start of the metadata when the object leaves the store. A sealed part
 * follows on a separate line.
 */
export function toStoredBytes(kind: Kind, object: KubeObject, sealed: Buffer | undefined, alike?: AlikeWrites): Buffer {
  const shown = storedBytes(kind.storedAs?.toStored(object) ?? object, alike)
  return sealed === undefined ? shown : Buffer.concat([shown, Buffer.of(sealMark), sealed])
}

export function sealedBytes(sealed: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(sealed))
}

/** Whether the bytes hold an integer that a double may not hold. */
export function holdsLargeInteger(stored: Uint8Array): boolean {
  return stored[stored.length - 1] === largeMark
}

function storedBytes(object: KubeObject, alike?: AlikeWrites): Buffer {
  const metadata = printedJson(withoutResourceVersion(object.metadata))
  let json = `{"metadata":${metadata.text}`
  let { isLarge } = metadata
  for (const name of Object.keys(object)) {
    if (name === 'apiVersion' || name === 'kind' || name === 'metadata' || object[name] === undefined) continue
    const value = name === 'spec' && alike ? alike.printedSpec(object.spec) : printedJson(object[name])
    json += `,${JSON.stringify(name)}:${value.text}`
    isLarge ||= value.isLarge
  }
  return Buffer.from(isLarge ? `${json}} ` : `${json}}`)
}

function withoutResourceVersion(metadata: ObjectMeta): ObjectMeta {
  if (metadata.resourceVersion === undefined) return metadata
  const { resourceVersion: _, ...rest } = metadata
  return rest
}

const recentObjects = new RecentObjects<StoredDocument>()

/** A stored object, ready to be sent: encoded once, shared by all responses and watchers. */
export class StoredDocument implements Document {
  readonly kind: Kind
  readonly namespace: string
  readonly name: string
  readonly revision: number
  /** The size in the store. The visible part may be larger or smaller. */
  readonly bytes: number
  /** Holds the object: the visible part, the mark, the sealed part. */
  readonly #block: Buffer
  readonly #start: number
  readonly #shownEnd: number
  readonly #end: number
  #itemJson: Buffer | undefined
  #labels: Readonly<Record<string, string>> | undefined
  #labelsKnown = false
  #isBeingDeleted: boolean | undefined

  constructor(kind: Kind, id: ObjectId, stored: Uint8Array, revision: number, memory: Memory = ownMemory) {
    this.kind = kind
    this.namespace = id.namespace
    this.name = id.name
    this.revision = revision
    this.bytes = stored.length
    const opening = `${openingOf(kind)}${revision}",`
    const rest = viewed(kind, stored).subarray(metadataOpening.length)
    const { block, start } = memory(opening.length + rest.length)
    block.write(opening, start, 'latin1')
    block.set(rest, start + opening.length)
    this.#block = block
    this.#start = start
    this.#end = start + opening.length + rest.length
    this.#shownEnd = start + opening.length + lengthShown(kind, rest)
  }

  /** Created on first use: for most objects of a large kind it is never needed. */
  get itemJson(): Buffer {
    this.#itemJson ??= this.#shown()
    return this.#itemJson
  }

  get itemText(): string {
    return this.#block.toString('utf8', this.#start, this.#shownEnd)
  }

  /** The sealed part, which is stored with the object and never leaves the server, as JSON. */
  get sealed(): Buffer | undefined {
    return this.#isSealed ? this.#block.subarray(this.#shownEnd + 1, this.#end) : undefined
  }

  get sealedText(): string | undefined {
    return this.#isSealed ? this.#block.toString('utf8', this.#shownEnd + 1, this.#end) : undefined
  }

  /** Reads the visible part in place. */
  readShown<T>(read: (bytes: Buffer, start: number, end: number) => T): T {
    return read(this.#block, this.#start, this.#shownEnd)
  }

  /** Reads the sealed part in place; undefined if there is none. */
  readSealed<T>(read: (bytes: Buffer, start: number, end: number) => T): T | undefined {
    return this.#isSealed ? read(this.#block, this.#shownEnd + 1, this.#end) : undefined
  }

  get #isSealed(): boolean {
    return this.#shownEnd + 1 < this.#end
  }

  #shown(): Buffer {
    return this.#block.subarray(this.#start, this.#shownEnd)
  }

  get resourceVersion(): string {
    return String(this.revision)
  }

  get json(): Buffer {
    if (this.kind.flavor === 'custom') return this.itemJson
    const opening = typeOpening(this.kind)
    const json = Buffer.allocUnsafe(opening.length + this.itemJson.length - 1)
    opening.copy(json)
    this.itemJson.copy(json, opening.length, 1)
    return json
  }

  /** Copied once, from the block: most responses to a get consist of this. */
  jsonLine(): Buffer {
    const opening = this.kind.flavor === 'custom' ? braceOpening : typeOpening(this.kind)
    const length = opening.length + this.#shownEnd - this.#start
    const line = Buffer.allocUnsafe(length)
    line.set(opening)
    this.#block.copy(line, opening.length, this.#start + 1, this.#shownEnd)
    line[length - 1] = lineEnd
    return line
  }

  /** The same JSON in parts, without a copy. */
  get jsonParts(): readonly Buffer[] {
    return this.kind.flavor === 'custom' ? [this.itemJson] : [typeOpening(this.kind), this.itemJson.subarray(1)]
  }

  /** Shared with all callers. */
  get object(): KubeObject {
    return recentObjects.get(this, this.#shownEnd - this.#start, () => this.#parsed())
  }

  #parsed(): KubeObject {
    const isLarge = this.#block[this.#shownEnd - 1] === largeMark
    const item = parsePrinted(this.itemText, isLarge) as Pick<KubeObject, 'metadata'>
    if (this.kind.flavor === 'custom') return item as KubeObject
    // Added after parsing: joining the bytes of both would leave large holes in the memory of C.
    return { kind: this.kind.kind, apiVersion: apiVersionOf(this.kind), ...item }
  }

  /**
   * False if no member has that name; much faster than parsing. The search text has no leading quote, since a text is
   * searched by its first character, and JSON is full of quotes.
   */
  mentions(member: string): boolean {
    return this.contains(`${member}":`)
  }

  /** Whether the visible part contains the text, which must be ASCII. */
  contains(text: string): boolean {
    return mayContain(this.#block, text) && (this.#itemJson ?? this.#shown()).includes(text, 0, 'latin1')
  }

  get labels(): Readonly<Record<string, string>> | undefined {
    if (!this.#labelsKnown) {
      this.#labels = this.mentions('labels') ? this.object.metadata.labels : undefined
      this.#labelsKnown = true
    }
    return this.#labels
  }

  /** Parsed only if the text suggests it, and once: every create checks its namespace. */
  get isBeingDeleted(): boolean {
    this.#isBeingDeleted ??= this.mentions('deletionTimestamp') && this.object.metadata.deletionTimestamp !== undefined
    return this.#isBeingDeleted
  }

  /** Different content under the same revision, for a response with derived content. */
  showing(object: KubeObject): StoredDocument {
    return new StoredDocument(this.kind, this, toStoredBytes(this.kind, object, this.sealed), this.revision)
  }

  /** The same content under another revision, as a deletion is reported. */
  at(revision: number): StoredDocument {
    return new StoredDocument(this.kind, this, toStoredBytes(this.kind, this.object, this.sealed), revision)
  }
}

/** An object that was never stored, such as the result of a dry run. */
export function unstoredDocument(object: KubeObject): Document {
  const { apiVersion: _, kind: __, ...item } = object
  return {
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name ?? '',
    resourceVersion: object.metadata.resourceVersion ?? '',
    labels: object.metadata.labels,
    object,
    json: Buffer.from(printJson(object)),
    itemJson: Buffer.from(printJson(item)),
  }
}

export interface ObjectId {
  readonly namespace: string
  readonly name: string
}

function lengthShown(kind: Kind, stored: Uint8Array): number {
  const mark = kind.hasSealedPart === true ? stored.indexOf(sealMark) : -1
  return mark < 0 ? stored.length : mark
}

/** Stored bytes as the kind shows them: unchanged, unless the kind is a view of another. */
function viewed(kind: Kind, stored: Uint8Array): Uint8Array {
  const structure = kind.storedAs?.structure ?? kind.structure
  if (structure !== undefined) return upToDate(structure(), stored)
  if (kind.storedAs === undefined) return stored
  const shownLength = lengthShown(kind, stored)
  const shown = Buffer.from(stored.subarray(0, shownLength)).toString()
  return Buffer.concat([storedBytes(kind.storedAs.fromStored(JSON.parse(shown))), stored.subarray(shownLength)])
}

const metadataOnly: ReadonlySet<string> = new Set(['metadata'])

/**
 * An object that was written under another schema or version is shown as the current schema has it; as stored, if that
 * would be far larger.
 */
function upToDate(structure: Structure, stored: Uint8Array): Uint8Array {
  const text = Buffer.from(stored.buffer, stored.byteOffset, stored.length).toString()
  const object = parsePrinted(text, holdsLargeInteger(stored))
  const complete = completedIfPossible(structure, object, metadataOnly, stored.length + mostLaterDefaults)
  return complete === object ? stored : storedBytes(complete as KubeObject)
}

const openings = new WeakMap<Kind, string>()

/** Everything before the revision. */
function openingOf(kind: Kind): string {
  const known = openings.get(kind)
  if (known !== undefined) return known
  const type = kind.flavor === 'custom' ? typeOpening(kind).toString('latin1') : '{'
  const opening = type + resourceVersionOpening.slice(1)
  openings.set(kind, opening)
  return opening
}

const typeOpenings = new WeakMap<Kind, Buffer>()

function typeOpening(kind: Kind): Buffer {
  const known = typeOpenings.get(kind)
  if (known !== undefined) return known
  const opening = Buffer.from(
    `{"kind":${JSON.stringify(kind.kind)},"apiVersion":${JSON.stringify(apiVersionOf(kind))},`,
  )
  typeOpenings.set(kind, opening)
  return opening
}
