import { type ApiError, isRefusal, unprocessablePatch } from '../../api/error.ts'
import { deepEqual } from '../../base/equal.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'
import { atOnce, type Steps } from '../../base/steps.ts'
import { type PatchOperation, readOperations } from './json-patch-operations.ts'
import { arrayIndex, parsePointer } from './json-pointer.ts'
import { PatchBudget } from './patch-budget.ts'

type Container = unknown[] | Record<string, unknown>

/** A patch in progress. Objects in `owned` were made by this patch and may be changed in place. */
interface Draft {
  root: unknown
  readonly owned: Set<object>
  readonly budget: PatchBudget
  copiedBytes: number
}

/** Copies may enlarge a document by as much as the maximum size of a request. */
const maximumCopiedBytes = 3 * 1024 * 1024
/** The maximum depth of a request body; short `move` operations could nest deeper than any body. */
const maximumDepth = 1000

/**
 * RFC 6902 with the deviations of Kubernetes: `replace` adds a missing member, a `test` for null passes for a missing
 * member, a `copy` of a missing member is null, and negative indices count from the end. The document is not modified;
 * unchanged parts are shared.
 */
export function applyJsonPatch(document: unknown, body: unknown, refusing?: RefuseOperation): unknown {
  return atOnce(jsonPatchSteps(document, body, refusing))
}

/** The refusal of an operation that cannot be applied. Absent: that of Kubernetes, which does not name it. */
export type RefuseOperation = (operation: PatchOperation, index: number) => ApiError

/** `applyJsonPatch` in steps of several operations each. */
export function* jsonPatchSteps(
  document: unknown,
  body: unknown,
  refusing: RefuseOperation = unprocessablePatch,
): Steps<unknown> {
  const operations = readOperations(body)
  yield
  const draft: Draft = { root: document, owned: new Set(), budget: new PatchBudget(), copiedBytes: 0 }
  for (const [index, operation] of operations.entries()) {
    try {
      applyOperation(draft, operation)
    } catch (error) {
      throw isRefusal(error, 422) ? refusing(operation, index) : error
    }
    if ((index + 1) % operationsPerStep === 0) yield
  }
  yield
  if (operations.length > 0 && isDeeperThan(draft.root, maximumDepth)) throw unprocessablePatch()
  return draft.root
}

const operationsPerStep = 64

const steps: ReadonlyMap<string, (draft: Draft, operation: PatchOperation) => void> = new Map([
  ['add', (draft, { path, value }) => add(draft, tokensOf(path), value)],
  ['remove', (draft, { path }) => remove(draft, tokensOf(path))],
  ['replace', (draft, { path, value }) => replace(draft, tokensOf(path), value)],
  ['test', (draft, { path, value }) => test(draft, tokensOf(path), value)],
  ['copy', (draft, { path, from }) => add(draft, tokensOf(path), copied(draft, readOrNull(draft, tokensOf(from))))],
  ['move', (draft, { path, from }) => move(draft, tokensOf(from), tokensOf(path))],
])

function applyOperation(draft: Draft, operation: PatchOperation): void {
  const step = steps.get(operation.op)
  if (step === undefined) throw unprocessablePatch()
  step(draft, operation)
}

function move(draft: Draft, from: readonly string[], to: readonly string[]): void {
  const value = read(draft, from)
  remove(draft, from)
  add(draft, to, value)
}

function add(draft: Draft, tokens: readonly string[], value: unknown): void {
  const { container, token } = editable(draft, tokens)
  if (Array.isArray(container)) insert(draft, container, token, value)
  else setMember(container, token, value)
}

function insert(draft: Draft, list: unknown[], token: string, value: unknown): void {
  const index = token === '-' ? list.length : arrayIndex(token, list.length + 1)
  if (index === undefined) throw unprocessablePatch()
  draft.budget.spendOnMove(list.length - index)
  list.splice(index, 0, value)
}

function remove(draft: Draft, tokens: readonly string[]): void {
  const { container, token } = editable(draft, tokens)
  if (Array.isArray(container)) takeOut(draft, container, token)
  else if (Object.hasOwn(container, token)) delete container[token]
  else throw unprocessablePatch()
}

function takeOut(draft: Draft, list: unknown[], token: string): void {
  const index = indexIn(list, token)
  draft.budget.spendOnMove(list.length - index)
  list.splice(index, 1)
}

function replace(draft: Draft, tokens: readonly string[], value: unknown): void {
  if (tokens.length === 0) {
    if (typeof value !== 'object' || value === null) throw unprocessablePatch()
    draft.root = value
    return
  }
  const { container, token } = editable(draft, tokens)
  if (Array.isArray(container)) container[indexIn(container, token)] = value
  else setMember(container, token, value)
}

function test(draft: Draft, tokens: readonly string[], value: unknown): void {
  if (!deepEqual(readOrNull(draft, tokens), value)) throw unprocessablePatch()
}

/** A missing member of an object counts as null. */
function readOrNull(draft: Draft, tokens: readonly string[]): unknown {
  const parent = tokens.length === 0 ? undefined : read(draft, tokens.slice(0, -1))
  const token = tokens.at(-1) ?? ''
  const absent = isJsonObject(parent) && !Object.hasOwn(parent, token)
  return absent ? null : read(draft, tokens)
}

function read({ root, budget }: Draft, tokens: readonly string[]): unknown {
  budget.spend(tokens.length)
  let value = root
  for (const token of tokens) {
    if (Array.isArray(value)) value = value[indexIn(value, token)]
    else if (isJsonObject(value) && Object.hasOwn(value, token)) value = value[token]
    else throw unprocessablePatch()
  }
  return value
}

/** The container to which the last token applies, with everything on the way to it made editable. */
function editable(draft: Draft, tokens: readonly string[]): { container: Container; token: string } {
  const token = tokens.at(-1)
  if (token === undefined) throw unprocessablePatch()
  draft.budget.spend(tokens.length)
  let container = owned(draft, draft.root)
  draft.root = container
  for (let depth = 0; depth < tokens.length - 1; depth += 1)
    container = ownedChild(draft, container, tokens[depth] ?? '')
  return { container, token }
}

function ownedChild(draft: Draft, container: Container, token: string): Container {
  if (Array.isArray(container)) {
    const index = indexIn(container, token)
    const child = owned(draft, container[index])
    container[index] = child
    return child
  }
  if (!Object.hasOwn(container, token)) throw unprocessablePatch()
  const child = owned(draft, container[token])
  setMember(container, token, child)
  return child
}

function owned(draft: Draft, value: unknown): Container {
  if (!isContainer(value)) throw unprocessablePatch()
  if (draft.owned.has(value)) return value
  draft.budget.spend(Array.isArray(value) ? value.length / 4 : Object.keys(value).length)
  const copy: Container = Array.isArray(value) ? [...value] : { ...value }
  draft.owned.add(copy)
  return copy
}

/** A copy shares nothing with its source, so that later operations change only one of them. */
function copied(draft: Draft, value: unknown, depth = 0): unknown {
  if (depth > maximumDepth) throw unprocessablePatch()
  draft.budget.spendOnCopy()
  if (!isContainer(value)) {
    count(draft, byteLength(value))
    return value
  }
  count(draft, 2)
  if (Array.isArray(value)) return value.map((item) => copied(draft, item, depth + 1))
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    count(draft, byteLength(name) + 2)
    setMember(copy, name, copied(draft, value[name], depth + 1))
  }
  return copy
}

function count(draft: Draft, bytes: number): void {
  draft.copiedBytes += bytes
  if (draft.copiedBytes > maximumCopiedBytes) throw unprocessablePatch()
}

function byteLength(scalar: unknown): number {
  return typeof scalar === 'string' ? Buffer.byteLength(scalar) + 2 : String(scalar).length
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (!isContainer(value)) return false
  if (depth === 0) return true
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (isDeeperThan(child, depth - 1)) return true
  }
  return false
}

function indexIn(list: readonly unknown[], token: string): number {
  const index = arrayIndex(token, list.length)
  if (index === undefined) throw unprocessablePatch()
  return index
}

function tokensOf(pointer: string | undefined): readonly string[] {
  const tokens = pointer === undefined ? undefined : parsePointer(pointer)
  if (tokens === undefined) throw unprocessablePatch()
  return tokens
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}
