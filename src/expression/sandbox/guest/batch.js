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

/** What the last evaluation asks of the host. */
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
/** The place in the batch: a group, and an evaluation of it. */
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
 * Keeps the description of a virtual cluster for all batches to come.
 * @param {number} slot
 * @param {string} text
 */
export function keep(slot, text) {
  vclusters[slot] = deepFrozen(JSON.parse(text))
}

/**
 * @param {string} text
 * @param {number} from the first evaluation that is still to be done
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
 * @returns {number} what the last one asks for
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

/** How many evaluations came to their end when `run` was called last. */
export function done() {
  return completed
}

/**
 * Answers an evaluation that was cut off, or the next one if it must not be tried again.
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

/** The results since the last time, as text. */
export function take() {
  const text = JSON.stringify(results)
  results = []
  waiting = 0
  return text
}

/** The group that has the next evaluation. */
function skipFinishedGroups() {
  let group = groups[groupIndex]
  while (group !== undefined && position >= group.count) {
    position -= group.count
    group = groups[++groupIndex]
  }
  return group
}

/**
 * The loop in which the time goes, so it calls as little as it can.
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
    // A value is let go when it is used, and with it whatever the expression hangs on it.
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
 * Text, numbers and booleans stand for themselves, null for a field that goes; everything else is in a list.
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
