import type { ParsedBody } from '../../api/decode/contract.ts'
import { decodeObject } from '../../api/decode/object.ts'
import { isRefusal } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf, type KubeObject } from '../../api/object.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { holdsTooMuch } from '../../base/json/limits.ts'
import { printJson } from '../../base/json/print.ts'
import { Pace } from '../../base/pace.ts'
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
import { maxStoredBytes } from '../stored-write.ts'
import { appliedMembers, requireSameType } from '../verbs/apply.ts'
import { decodeBody, requireFewValues } from '../verbs/decode-body.ts'
import { prepareChange } from '../verbs/prepare-change.ts'
import { checkBySchema } from '../verbs/validation.ts'
import { type ConvertObjects, conversionFailed } from './conversion-webhook.ts'
import { convertedDocument } from './converted-document.ts'
import type { ConvertedMemory } from './converted-memory.ts'
import { convertedSelection } from './converted-selection.ts'
import { ConvertingSink } from './converting-sink.ts'
import { ShownDocuments } from './shown-documents.ts'

/** How often a patch is recomputed because the object changed meanwhile. */
const attempts = 5

/**
 * A version of a kind whose objects are stored as another version, and converted by a webhook. Only the stored version
 * has a cache.
 */
export class ConvertedResource implements Resource {
  readonly kind: Kind
  readonly #stored: Resource
  readonly #convert: ConvertObjects
  readonly #shown: ShownDocuments

  constructor(kind: Kind, stored: Resource, convert: ConvertObjects, memory: ConvertedMemory) {
    this.kind = kind
    this.#stored = stored
    this.#convert = convert
    this.#shown = new ShownDocuments((documents) => this.#converted(documents), memory)
  }

  async create(target: Target, body: ParsedBody, request: WriteRequest): Promise<WriteAnswer> {
    const sent = decodeBody(this.kind, body, request)
    await this.#check(sent, undefined, request)
    const answer = await this.#stored.create(
      target,
      await this.#storedBody(sent, target, request),
      asConverted(request),
    )
    return this.#answered(answer, request)
  }

  async get(target: NamedTarget, options: GetOptions): Promise<Document> {
    return this.#show(await this.#stored.get(target, options), options.signal)
  }

  async list(target: Target, options: ListRequestOptions): Promise<ListAnswer> {
    const { stored, matches } = convertedSelection(this.kind, options.fieldSelector)
    const answer = await this.#stored.list(target, { ...options, fieldSelector: stored })
    const documents = await this.#shown.show(answer.documents, options.signal)
    if (matches === undefined) return { ...answer, documents }
    // How many of the others match is known when they are converted. A page may have fewer than its limit.
    const { remainingItemCount: _, ...rest } = answer
    return { ...rest, documents: await matching(documents, matches) }
  }

  async watch(target: Target, options: WatchOptions, sink: WatchSink): Promise<void> {
    const failed = new AbortController()
    const signal = AbortSignal.any([options.signal, failed.signal])
    const show = (documents: readonly Document[]) => this.#shown.show(documents, options.signal)
    const { stored, matches } = convertedSelection(this.kind, options.fieldSelector)
    const converting = new ConvertingSink(sink, { convert: show, matches }, failed, options.signal)
    const { user, labelSelector, resourceVersion, resourceVersionMatch, endingSoon } = options
    const { allowWatchBookmarks, sendInitialEvents } = options
    const asked = { user, labelSelector, fieldSelector: stored, resourceVersion, resourceVersionMatch }
    const more = { allowWatchBookmarks, sendInitialEvents, signal, ...(endingSoon && { endingSoon }) }
    await this.#stored.watch(target, { ...asked, ...more }, converting)
    await converting.drained()
  }

  async update(target: NamedTarget, body: ParsedBody, request: WriteRequest): Promise<WriteAnswer> {
    const sent = decodeBody(this.kind, body, request)
    await this.#check(sent, (await this.#current(target, request))?.object, request)
    const answer = await this.#stored.update(
      target,
      await this.#storedBody(sent, target, request),
      asConverted(request),
    )
    return this.#answered(answer, request)
  }

  async patch(target: NamedTarget, patch: PatchRequest, request: WriteRequest): Promise<WriteAnswer> {
    if (patch.type === 'apply') return this.#apply(target, patch, request)
    for (let attempt = 1; ; attempt += 1) {
      const current = await this.get(target, { user: request.user, resourceVersion: '', signal: request.signal })
      const before = current.object
      const patched = this.#patched(before, patch, request)
      await this.#check(patched, before, request)
      try {
        const body = await this.#storedBody(patched, target, request)
        return await this.#answered(await this.#stored.update(target, body, asConverted(request)), request)
      } catch (error) {
        const isRace = patched.metadata.resourceVersion === before.metadata.resourceVersion
        if (!isRefusal(error, 409) || !isRace || attempt === attempts) throw error
      }
    }
  }

  async delete(target: NamedTarget, options: DeletionPolicy, request: WriteRequest): Promise<DeleteAnswer> {
    const answer = await this.#stored.delete(target, options, request)
    if (!('document' in answer)) return answer
    return { ...answer, document: await this.#show(answer.document, request.signal) }
  }

  async deleteCollection(
    target: Target,
    selection: ListRequestOptions,
    options: DeletionPolicy,
    request: WriteRequest,
  ): Promise<ListAnswer> {
    const { matches } = convertedSelection(this.kind, selection.fieldSelector)
    if (matches !== undefined) return this.#deleteMatching(target, selection, options, request)
    const answer = await this.#stored.deleteCollection(target, selection, options, request)
    return { ...answer, documents: await this.#shown.show(answer.documents, request.signal) }
  }

  async #deleteMatching(
    target: Target,
    selection: ListRequestOptions,
    options: DeletionPolicy,
    request: WriteRequest,
  ): Promise<ListAnswer> {
    const listed = await this.list(target, selection)
    const pace = new Pace()
    for (const { namespace, name } of listed.documents) {
      await pace.step()
      request.signal.throwIfAborted()
      await this.#stored.delete({ namespace, name }, options, request).catch((error: unknown) => {
        if (!isRefusal(error, 404)) throw error
      })
    }
    return listed
  }

  /** The applied fields are converted too, as far as they go, and owned as in the stored version. */
  async #apply(target: NamedTarget, patch: Extract<PatchRequest, { type: 'apply' }>, request: WriteRequest) {
    const value = appliedMembers(patch.body)
    requireSameType(this.kind, value)
    const metadata = asMembers(value.metadata)
    const sent = { ...value, apiVersion: apiVersionOf(this.kind), kind: this.kind.kind, metadata }
    decodeBody(this.kind, { ...patch.body, value: sent }, request)
    const converted = { ...patch, body: await this.#storedBody(sent, target, request) }
    await this.#checkApplied(target, converted, request)
    return this.#answered(await this.#stored.patch(target, converted, asConverted(request)), request)
  }

  /** The result of an apply is known only by trying: only the stored version knows the fields of all managers. */
  async #checkApplied(target: NamedTarget, patch: PatchRequest, request: WriteRequest): Promise<void> {
    const before = (await this.#current(target, request))?.object
    const { document } = await this.#stored.patch(target, patch, asTrial(request))
    const [after] = await this.#converted([document])
    if (after !== undefined) await this.#check(after.object, before, request)
  }

  #patched(before: KubeObject, patch: Exclude<PatchRequest, { type: 'apply' }>, request: WriteRequest): KubeObject {
    const { value: changes } = patch.body
    const value = patch.type === 'json' ? applyJsonPatch(before, changes) : applyMergePatch(before, changes)
    requireFewValues(value)
    return decodeBody(this.kind, { ...patch.body, value, text: '' }, request, { source: 'patch' })
  }

  /** Checks against the version that the caller has named. Everything else is checked when the object is stored. */
  #check(object: KubeObject, old: KubeObject | undefined, request: WriteRequest): Promise<void> {
    const prepared = old === undefined ? object : prepareChange(this.kind, object, old, request.subresource)
    return checkBySchema(this.kind, prepared, old, request)
  }

  async #current(target: NamedTarget, { user, signal }: WriteRequest): Promise<Document | undefined> {
    try {
      return await this.get(target, { user, resourceVersion: '', signal })
    } catch (error) {
      if (isRefusal(error, 404)) return undefined
      throw error
    }
  }

  /** The webhook sees the namespace, also if the body omits it. */
  async #storedBody(sent: KubeObject, { namespace }: Target, { signal }: WriteRequest): Promise<ParsedBody> {
    const isPlaced = namespace === '' || (sent.metadata.namespace ?? '') !== ''
    const object = isPlaced ? sent : { ...sent, metadata: { ...sent.metadata, namespace } }
    const [value] = await this.#convert([object], this.#stored.kind, signal)
    return { value, duplicateFields: [], text: printJson(value) }
  }

  async #answered({ document, created }: WriteAnswer, { signal }: WriteRequest): Promise<WriteAnswer> {
    return { document: await this.#show(document, signal), created }
  }

  async #show(document: Document, signal: AbortSignal): Promise<Document> {
    const [shown] = await this.#shown.show([document], signal)
    if (shown === undefined) throw new Error('A document was lost while it was converted.')
    return shown
  }

  /** Shared by all callers, so it does not end with the first one's request. */
  async #converted(documents: readonly Document[]): Promise<readonly Document[]> {
    const pace = new Pace()
    const objects: KubeObject[] = []
    for (const document of documents) {
      objects.push(document.object)
      await pace.step()
    }
    const converted = await this.#convert(objects, this.kind, neverAborted)
    const shown: Document[] = []
    for (const [index, document] of documents.entries()) {
      shown.push(this.#completed(converted[index], document))
      await pace.step()
    }
    return shown
  }

  /**
   * Prunes and completes the object by the schema of the version, and limits its size to what may be stored, whatever
   * the webhook returns.
   */
  #completed(value: KubeObject | undefined, stored: Document): Document {
    const { object } = decodeObject(this.kind, { value, duplicateFields: [], text: '' })
    const { metadata: _, ...content } = object
    const document = convertedDocument(object, stored)
    if (document.json.length <= maxStoredBytes && !holdsTooMuch(content)) return document
    throw conversionFailed(stored.object, `failed: it returned an object that is too large (${stored.name})`)
  }
}

const neverAborted = new AbortController().signal

/** The caller's input has already been checked against its own version. */
function asConverted(request: WriteRequest): WriteRequest {
  const { user, subresource, fieldManager, dryRun, isInternal, isAdmitted, givenOptions, warn, annotate, authorize } =
    request
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
    annotate,
    authorize,
  }
}

/** Nothing is written, so admission webhooks are not called. */
function asTrial(request: WriteRequest): WriteRequest {
  return { ...asConverted(request), dryRun: true, isAdmitted: true, warn: () => {}, annotate: undefined }
}

async function matching(
  documents: readonly Document[],
  matches: (object: KubeObject) => boolean,
): Promise<readonly Document[]> {
  const pace = new Pace()
  const found: Document[] = []
  for (const document of documents) {
    if (matches(document.object)) found.push(document)
    await pace.step()
  }
  return found
}
