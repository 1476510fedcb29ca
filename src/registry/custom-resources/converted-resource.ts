import type { ParsedBody } from '../../api/decode/contract.ts'
import { decodeObject } from '../../api/decode/object.ts'
import { badRequest, invalid, isRefusal } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf, type KubeObject } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type {
  DeleteAnswer,
  DeletionPolicy,
  Document,
  GetOptions,
  ListAnswer,
  ListRequestOptions,
  NamedTarget,
  PatchRequest,
  Resource,
  Target,
  WatchOptions,
  WatchSink,
  WriteAnswer,
  WriteRequest,
} from '../contract.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import { requireSameType } from '../verbs/apply.ts'
import { decodeBody, requireFewValues } from '../verbs/decode-body.ts'
import type { ConvertObjects } from './conversion-webhook.ts'
import { convertedDocument } from './converted-document.ts'
import { ConvertingSink } from './converting-sink.ts'

/** How often a patch is made anew because the object changed meanwhile. */
const attempts = 5

/**
 * A version of a kind whose objects are stored as another version, and converted by a webhook. Only that other version has a
 * cache; what has been converted is remembered with the document that it was made from, so that readers and watchers of one
 * state share it.
 */
export class ConvertedResource implements Resource {
  readonly kind: Kind
  readonly #stored: Resource
  readonly #convert: ConvertObjects
  /** Also those that are being converted: all that want one wait for the same answer. */
  readonly #shown = new WeakMap<Document, Promise<Document>>()

  constructor(kind: Kind, stored: Resource, convert: ConvertObjects) {
    this.kind = kind
    this.#stored = stored
    this.#convert = convert
  }

  async create(target: Target, body: ParsedBody, request: WriteRequest): Promise<WriteAnswer> {
    const sent = decodeBody(this.kind, body, request)
    this.#check(sent, undefined)
    const answer = await this.#stored.create(target, await this.#storedBody(sent, request), asConverted(request))
    return this.#answered(answer)
  }

  async get(target: NamedTarget, options: GetOptions): Promise<Document> {
    return this.#show(await this.#stored.get(target, options))
  }

  async list(target: Target, options: ListRequestOptions): Promise<ListAnswer> {
    const answer = await this.#stored.list(target, options)
    return { ...answer, documents: await this.#showAll(answer.documents) }
  }

  async watch(target: Target, options: WatchOptions, sink: WatchSink): Promise<void> {
    const failed = new AbortController()
    const signal = AbortSignal.any([options.signal, failed.signal])
    const converting = new ConvertingSink(sink, (documents) => this.#showAll(documents), failed)
    const { user, labelSelector, fieldSelector, resourceVersion, resourceVersionMatch, endingSoon } = options
    const { allowWatchBookmarks, sendInitialEvents } = options
    const asked = { user, labelSelector, fieldSelector, resourceVersion, resourceVersionMatch }
    const more = { allowWatchBookmarks, sendInitialEvents, signal, ...(endingSoon && { endingSoon }) }
    await this.#stored.watch(target, { ...asked, ...more }, converting)
    await converting.drained()
  }

  async update(target: NamedTarget, body: ParsedBody, request: WriteRequest): Promise<WriteAnswer> {
    const sent = decodeBody(this.kind, body, request)
    this.#check(sent, (await this.#current(target, request))?.object)
    const answer = await this.#stored.update(target, await this.#storedBody(sent, request), asConverted(request))
    return this.#answered(answer)
  }

  async patch(target: NamedTarget, patch: PatchRequest, request: WriteRequest): Promise<WriteAnswer> {
    if (patch.type === 'apply') return this.#apply(target, patch, request)
    for (let attempt = 1; ; attempt += 1) {
      const current = await this.get(target, { user: request.user, resourceVersion: '', signal: request.signal })
      const before = current.object
      const patched = this.#patched(before, patch, request)
      this.#check(patched, before)
      try {
        const body = await this.#storedBody(patched, request)
        return await this.#answered(await this.#stored.update(target, body, asConverted(request)))
      } catch (error) {
        const isRace = patched.metadata.resourceVersion === before.metadata.resourceVersion
        if (!isRefusal(error, 409) || !isRace || attempt === attempts) throw error
      }
    }
  }

  async delete(target: NamedTarget, options: DeletionPolicy, request: WriteRequest): Promise<DeleteAnswer> {
    const answer = await this.#stored.delete(target, options, request)
    if (!('document' in answer)) return answer
    return { ...answer, document: await this.#show(answer.document) }
  }

  async deleteCollection(
    target: Target,
    selection: ListRequestOptions,
    options: DeletionPolicy,
    request: WriteRequest,
  ): Promise<ListAnswer> {
    const answer = await this.#stored.deleteCollection(target, selection, options, request)
    return { ...answer, documents: await this.#showAll(answer.documents) }
  }

  /** What is applied is converted, too, as far as it goes, and owned as the stored version has it. */
  async #apply(target: NamedTarget, patch: Extract<PatchRequest, { type: 'apply' }>, request: WriteRequest) {
    const { value } = patch.body
    if (!isJsonObject(value)) throw badRequest('the body of an apply patch must be an object')
    requireSameType(this.kind, value)
    const metadata = isJsonObject(value.metadata) ? value.metadata : {}
    const sent = { ...value, apiVersion: apiVersionOf(this.kind), kind: this.kind.kind, metadata }
    const body = await this.#storedBody(sent, request)
    return this.#answered(await this.#stored.patch(target, { ...patch, body }, asConverted(request)))
  }

  #patched(before: KubeObject, patch: Exclude<PatchRequest, { type: 'apply' }>, request: WriteRequest): KubeObject {
    const { value: changes, duplicateFields } = patch.body
    const value = patch.type === 'json' ? applyJsonPatch(before, changes) : applyMergePatch(before, changes)
    requireFewValues(value)
    return decodeBody(this.kind, { value, duplicateFields, text: '' }, request, { source: 'patch' })
  }

  #check(object: KubeObject, old: KubeObject | undefined): void {
    const errors = this.kind.strategy.validateSchema?.(object, old) ?? []
    if (errors.length > 0) throw invalid(this.kind, object.metadata.name ?? '', errors)
  }

  async #current(target: NamedTarget, { user, signal }: WriteRequest): Promise<Document | undefined> {
    try {
      return await this.get(target, { user, resourceVersion: '', signal })
    } catch (error) {
      if (isRefusal(error, 404)) return undefined
      throw error
    }
  }

  async #storedBody(object: KubeObject, { signal }: WriteRequest): Promise<ParsedBody> {
    const [value] = await this.#convert([object], this.#stored.kind, signal)
    return { value, duplicateFields: [], text: JSON.stringify(value) }
  }

  async #answered({ document, created }: WriteAnswer): Promise<WriteAnswer> {
    return { document: await this.#show(document), created }
  }

  async #show(document: Document): Promise<Document> {
    const [shown] = await this.#showAll([document])
    if (shown === undefined) throw new Error('A document was lost while it was converted.')
    return shown
  }

  #showAll(documents: readonly Document[]): Promise<readonly Document[]> {
    const unknown = documents.filter((document) => !this.#shown.has(document))
    if (unknown.length > 0) this.#begin(unknown)
    return Promise.all(documents.flatMap((document) => this.#shown.get(document) ?? []))
  }

  /** For all that will ask, so that it does not end with the request that asked first. What fails is forgotten. */
  #begin(documents: readonly Document[]): void {
    const objects = documents.map(({ object }) => object)
    const converted = this.#convert(objects, this.kind, neverAborted)
    documents.forEach((document, index) => {
      const shown = converted.then((all) => this.#converted(all[index], document))
      this.#shown.set(document, shown)
      shown.catch(() => this.#shown.delete(document))
    })
  }

  #converted(object: KubeObject | undefined, document: Document): Document {
    if (object === undefined) throw new Error('A document was lost while it was converted.')
    return convertedDocument(this.#completed(object), document)
  }

  /** Pruned and completed by the schema of the version, whatever the webhook has made of it. */
  #completed(value: KubeObject): KubeObject {
    return decodeObject(this.kind, { value, duplicateFields: [], text: '' }).object
  }
}

const neverAborted = new AbortController().signal

/** What the caller has sent was held against its own version already. */
function asConverted(request: WriteRequest): WriteRequest {
  const { user, subresource, fieldManager, dryRun, isInternal, isAdmitted, givenOptions, warn, authorize } = request
  return {
    user,
    subresource,
    fieldManager,
    fieldValidation: 'Ignore',
    dryRun,
    get signal() {
      return request.signal
    },
    ...(isInternal && { isInternal }),
    ...(isAdmitted && { isAdmitted }),
    ...(givenOptions && { givenOptions }),
    warn,
    authorize,
  }
}
