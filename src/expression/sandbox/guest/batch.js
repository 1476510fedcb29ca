import { describeThrown } from './failure.js'
import { plainCopy } from './plain-copy.js'

/**
 * @typedef {(value: unknown, context: unknown) => unknown} Compiled
 * @typedef {import('../../protocol.ts').EvaluationGroup} Group
 * @typedef {import('../../protocol.ts').BatchContext} BatchContext
 * @typedef {import('../../protocol.ts').ResultText} ResultText
 */

/** More waiting results than this are fetched before the next evaluation, so that they do not count as its memory. */
const maxWaiting = 256 * 1024

/** What the last evaluation requests from the host. */
const nothing = 0
const fetchResults = 1
const replaceInstance = 2

/** @type {Compiled[]} */
const compiled = []
/** @type {unknown[]} */
const vclusters = []
/** @type {{ vcluster: unknown, hostObject: unknown, virtualObject: unknown, path: string }[]} */
let contexts = []
/** @type {Group[]} */
let groups = []
/** The position in the batch: a group, and an evaluation in it. */
let groupIndex = 0
let position = 0
/** @type {ResultText[]} */
let results = []
let waiting = 0
let completed = 0

/**
 * @param {number} id
 * @param {Compiled} expression
 */
export function define(id, expression) {
  compiled[id] = expression
}

/**
 * Keeps the description of a virtual cluster for all later batches.
 * @param {number} slot
 * @param {string} text
 */
export function keep(slot, text) {
  vclusters[slot] = deepFrozen(JSON.parse(text))
}

/**
 * @param {string} text
 * @param {number} from the first evaluation to run
 */
export function load(text, from) {
  const batch = JSON.parse(text)
  contexts = batch.contexts.map(contextOf)
  groups = batch.groups
  groupIndex = 0
  position = from
  results = []
  waiting = 0
  skipFinishedGroups()
}

/**
 * Evaluates the next expressions of the batch, at most `limit` of them.
 * @param {number} limit
 * @returns {number} what the last one requests
 */
export function run(limit) {
  completed = 0
  while (completed < limit) {
    const group = skipFinishedGroups()
    if (group === undefined) break
    const asked = runGroup(group, limit)
    if (asked !== nothing) return asked
  }
  return nothing
}

/** How many evaluations the last call of `run` completed. */
export function done() {
  return completed
}

/**
 * Answers an evaluation that was interrupted, or the next one if it must not be retried.
 * @param {import('../../contract.ts').EvaluationFailureKind} kind
 * @param {boolean} started
 */
export function fail(kind, started) {
  if (!started) {
    skipFinishedGroups()
    position++
  }
  return answer({ kind }, 0)
}

/** The results since the last call, as text. */
export function take() {
  const text = JSON.stringify(results)
  results = []
  waiting = 0
  return text
}

/** The group with the next evaluation. */
function skipFinishedGroups() {
  let group = groups[groupIndex]
  while (group !== undefined && position >= group.count) {
    position -= group.count
    group = groups[++groupIndex]
  }
  return group
}

/**
 * The hot loop, which calls as little as possible.
 * @param {Group} group
 * @param {number} limit
 */
function runGroup({ expression, context, count, values = [], paths }, limit) {
  const evaluate = compiled[expression] ?? undefinedExpression
  const shared = contexts[context]
  const list = results
  while (position < count && completed < limit) {
    const at = position++
    const value = values[at]
    // A value is released when it is used, together with anything that the expression attaches to it.
    values[at] = null
    let asked = nothing
    try {
      const result = evaluate(value, paths === undefined ? shared : withPath(shared, paths[at]))
      if (typeof result === 'string' && result.length < maxWaiting) {
        list[list.length] = result
        waiting += result.length
        if (waiting > maxWaiting) asked = fetchResults
      } else {
        asked = answerValue(result)
      }
    } catch (thrown) {
      asked = answerThrown(thrown)
    }
    completed++
    if (asked !== nothing) return asked
  }
  return nothing
}

/**
 * @param {object | undefined} shared
 * @param {string | undefined} path
 */
function withPath(shared, path) {
  return Object.freeze({ ...shared, path })
}

/** @returns {never} */
function undefinedExpression() {
  throw new Error('The expression has not been defined.')
}

/**
 * Strings, numbers and booleans stand for themselves, null for a field to remove; everything else is wrapped in a list.
 * @param {unknown} result
 */
function answerValue(result) {
  if (result === undefined || result === null) return answer(null, 0)
  if (typeof result === 'boolean' || (typeof result === 'number' && Number.isFinite(result))) return answer(result, 1)
  const { copy, size } = plainCopy(result)
  return answer(typeof copy === 'object' ? [copy] : copy, size)
}

/** @param {unknown} thrown */
function answerThrown(thrown) {
  const failure = describeThrown(thrown)
  const asked = answer(failure, 0)
  return failure.kind === 'memory' ? replaceInstance : asked
}

/**
 * @param {ResultText} result
 * @param {number} size
 */
function answer(result, size) {
  results[results.length] = result
  waiting += size
  return waiting > maxWaiting ? fetchResults : nothing
}

/** @param {BatchContext} parts */
function contextOf({ slot, hostObject, virtualObject }) {
  const shared = { vcluster: vclusters[slot], hostObject, virtualObject, path: '' }
  deepFrozen(hostObject)
  deepFrozen(virtualObject)
  return Object.freeze(shared)
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function deepFrozen(value) {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFrozen(member)
  return Object.freeze(value)
}
