import { badRequest, gone, timeout } from '../../api/error.ts'
import { Pace } from '../../base/pace.ts'
import { RevisionCompacted } from '../../storage/contract.ts'
import type { Snapshot } from '../cache.ts'
import type { ResourceContext } from '../context.ts'
import { type ContinueToken, parseContinueToken, printContinueToken } from '../continue-token.ts'
import type { ListAnswer, ListRequestOptions, Target, Visibility } from '../contract.ts'
import type { StoredDocument } from '../document.ts'
import { caughtUp, notOlderThan } from '../freshness.ts'
import { type ObjectSelection, parseSelection } from '../selection.ts'
import { snapshotAt } from '../stored-snapshot.ts'
import { listVisibilityFor, visibilityFor } from '../visibility.ts'
import { checkListOptions, parseResourceVersion } from './read-options.ts'

interface StoredAnswer extends ListAnswer {
  readonly documents: readonly StoredDocument[]
}

/** The state from which a list is read. */
interface State {
  readonly documents: Snapshot
  /** The part of the documents that contains everything the user may see. */
  readonly visible: Snapshot
  readonly revision: number
  /** The size of objects held only for this state. */
  readonly ownBytes: number
}

export async function listObjects(
  context: ResourceContext,
  target: Target,
  options: ListRequestOptions,
): Promise<ListAnswer> {
  checkListOptions(context.kind, options)
  return listed(context, target, options, await listVisibilityFor(context, 'list', target.namespace, options))
}

/** The objects that a user who may delete the whole collection is about to delete. */
export async function listForDeletion(
  context: ResourceContext,
  target: Target,
  options: ListRequestOptions,
): Promise<ListAnswer> {
  checkListOptions(context.kind, options)
  return listed(context, target, options, await visibilityFor(context, options.user))
}

async function listed(
  context: ResourceContext,
  target: Target,
  options: ListRequestOptions,
  visibility: Visibility | undefined,
): Promise<ListAnswer> {
  const selection = parseSelection(context.kind, target.namespace, options, visibility)
  const token = options.continue === '' ? undefined : continued(options, target.namespace)
  const requireShown = (revision: number): void => {
    if (revision < (visibility?.changes?.latest() ?? 0)) throw tooOld(token, target.namespace)
  }
  const seesPart = visibility?.changes !== undefined
  const state = await stateFor(context, {
    options,
    token,
    namespace: target.namespace,
    selection,
    seesPart,
    requireShown,
  })
  requireShown(state.revision)
  const answer = await page(context, state, { selection, namespace: target.namespace, token, limit: pageSize(options) })
  const { present } = context.hooks
  if (present !== undefined) return { ...answer, documents: answer.documents.map(present), isPersonal: true }
  return visibility === undefined ? answer : { ...answer, isPersonal: true }
}

/** A list from "any" state is returned whole, as kube-apiserver does from its cache. */
function pageSize(options: ListRequestOptions): number {
  const anyState = options.resourceVersion === '0' && options.continue === ''
  return options.limit > 0 && !anyState ? options.limit : Number.POSITIVE_INFINITY
}

function continued(options: ListRequestOptions, namespace: string): ContinueToken {
  const token = parseContinueToken(options.continue, namespace)
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  return token
}

interface AskedState {
  readonly options: ListRequestOptions
  readonly token: ContinueToken | undefined
  readonly namespace: string
  readonly selection: ObjectSelection
  /** The user may not list all objects. */
  readonly seesPart: boolean
  /** Throws if the user's visibility has changed since the revision. */
  readonly requireShown: (revision: number) => void
}

async function stateFor(context: ResourceContext, asked: AskedState): Promise<State> {
  const { options, token, selection } = asked
  if (token?.revision !== undefined) {
    await notOlderThan(context.engine, token.revision)
    return stateAt(context, token.revision, asked)
  }
  const where = isExact(options) ? 'invalid resource version: ' : ''
  const revision = parseResourceVersion(options.resourceVersion, where)
  if (revision === undefined || revision === 0) {
    if (revision === undefined) await caughtUp(context.engine)
    return present(context, selection)
  }
  await notOlderThan(context.engine, revision)
  const isNewest = revision === context.engine.feed.revision
  return isExact(options) && !isNewest ? stateAt(context, revision, asked) : present(context, selection)
}

/** A page at a revision is exact, unless another match is requested. */
function isExact({ resourceVersionMatch, limit }: ListRequestOptions): boolean {
  return resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0)
}

function present({ cache, engine }: ResourceContext, selection: ObjectSelection): State {
  return { documents: cache.current(), visible: selection.among(cache), revision: engine.feed.revision, ownBytes: 0 }
}

async function stateAt(context: ResourceContext, revision: number, asked: AskedState): Promise<State> {
  const { options, token, namespace, seesPart, requireShown } = asked
  const { snapshots } = context
  const kept = snapshots.get(revision)
  if (kept !== undefined) return { documents: kept, visible: kept, revision, ownBytes: 0 }
  // Checked first: reading takes long, and would be wasted.
  requireShown(revision)
  try {
    const { documents, ownBytes } = await snapshots.reading({ seesPart }).run(async () => {
      const meanwhile = snapshots.get(revision)
      if (meanwhile !== undefined) return { documents: meanwhile, ownBytes: 0 }
      if (options.signal.aborted) throw timeout('the request was over before its state could be read')
      const read = await snapshotAt(context, revision)
      // A state that any user may request must not displace states from which others are still reading.
      if (!seesPart) snapshots.keep(revision, () => read.documents, read.ownBytes)
      return read
    })
    return { documents, visible: documents, revision, ownBytes }
  } catch (error) {
    if (error instanceof RevisionCompacted) throw tooOld(token, namespace)
    throw error
  }
}

function tooOld(token: ContinueToken | undefined, namespace: string): Error {
  if (token === undefined) return gone('The resourceVersion for the provided list is too old.')
  const inconsistent = printContinueToken({ afterKey: token.afterKey, revision: undefined }, namespace)
  return gone(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    inconsistent,
  )
}

/** A state of all objects that later changes do not affect. */
function kept(state: State): State {
  const documents = state.documents.clone()
  return { ...state, documents, visible: state.visible === state.documents ? documents : state.visible }
}

interface AskedPage {
  readonly selection: ObjectSelection
  readonly namespace: string
  readonly token: ContinueToken | undefined
  readonly limit: number
}

async function page(context: ResourceContext, now: State, asked: AskedPage): Promise<StoredAnswer> {
  const { selection, namespace, token, limit } = asked
  const documents: StoredDocument[] = []
  let state = now
  let lastKey = ''
  let more = false
  const take = (key: string, document: StoredDocument): boolean => {
    more = documents.length === limit
    if (more) return false
    documents.push(document)
    lastKey = key
    if (documents.length < limit) return true
    const goesOn = selection.goesOn(state.visible, key)
    more = goesOn === true
    return goesOn === undefined
  }
  const pace = new Pace({ stepsPerTurn: Number.POSITIVE_INFINITY })
  const isTimeToRest = selection.isSelective ? () => pace.isDue() : undefined
  let afterKey = selection.scan(state.visible, token?.afterKey, take, isTimeToRest)
  while (afterKey !== undefined) {
    if (state === now) state = kept(now)
    await pace.rest()
    afterKey = selection.scan(state.visible, afterKey, take, isTimeToRest)
  }
  const answer = { documents, resourceVersion: String(state.revision) }
  if (!more) return answer
  context.snapshots.keep(state.revision, () => state.documents.clone(), state.ownBytes)
  const remaining = remainingAfter(state, selection, token, documents.length)
  return {
    ...answer,
    continue: printContinueToken(
      { afterKey: lastKey, revision: state.revision, ...(remaining === undefined ? {} : { remaining }) },
      namespace,
    ),
    ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
  }
}

/** Counted once for all pages; never with a selector, which would require testing every object. */
function remainingAfter(
  state: State,
  selection: ObjectSelection,
  token: ContinueToken | undefined,
  shown: number,
): number | undefined {
  if (selection.isSelective) return undefined
  // A forged token may contain anything.
  if (token?.remaining !== undefined && token.remaining > shown) return token.remaining - shown
  const total = selection.count(state.documents, token?.afterKey)
  return total === undefined ? undefined : total - shown
}
