import { describeThrown } from './failure.js'
import { jsonText, NotJson } from './json-text.js'

/**
 * @typedef {(value: unknown, context: unknown) => unknown} Compiled
 * @typedef {import('../../protocol.ts').Row} Row
 * @typedef {import('../../protocol.ts').BatchContext} BatchContext
 */

/** More waiting text than this is fetched before the next evaluation, so that it does not count as its memory. */
const maxWaiting = 256 * 1024
/** Twice as much as an object may have in all. */
const maxResult = 3 * 1024 * 1024

/** What the evaluation that ran asks of the host. */
const nothing = 0
const fetchResults = 1
const replaceInstance = 2

/** @type {Compiled[]} */
const compiled = []
/** @type {unknown[]} */
const vclusters = []
/** @type {readonly BatchContext[]} */
let contexts = []
/** @type {(Row | undefined)[]} */
let rows = []
let next = 0
/** @type {string[]} */
let results = []
let waiting = 0

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
  contexts = batch.contexts
  for (const context of contexts) deepFrozen(context)
  rows = batch.rows
  next = from
  results = []
  waiting = 0
}

/** Evaluates the next expression of the batch. */
export function run() {
  const row = rows[next]
  if (row === undefined) throw new Error('There is nothing left to evaluate.')
  // Whatever the expression hangs on its value goes with it.
  rows[next++] = undefined
  try {
    const expression = compiled[row[0]]
    if (expression === undefined) throw new Error('The expression is not defined.')
    const result = expression(row[3], contextOf(row))
    return answer(result === undefined || result === null ? '[]' : `[${resultText(result)}]`)
  } catch (thrown) {
    const failure = describeThrown(thrown)
    const asked = answer(JSON.stringify(failure))
    return failure.kind === 'memory' ? replaceInstance : asked
  }
}

/**
 * Answers an evaluation that was cut off, or the next one if it must not be tried again.
 * @param {string} kind
 * @param {boolean} started
 */
export function fail(kind, started) {
  if (!started) rows[next++] = undefined
  return answer(JSON.stringify({ kind }))
}

/** The results since the last time, as text: `[value]`, `[]` for removed, or an object for a failure. */
export function take() {
  const text = `[${results.join(',')}]`
  results = []
  waiting = 0
  return text
}

/** @param {unknown} result */
function resultText(result) {
  const text = jsonText(result)
  if (text.length > maxResult) throw new NotJson('is longer than any object may be')
  return text
}

/** @param {string} text */
function answer(text) {
  results.push(text)
  waiting += text.length
  return waiting > maxWaiting ? fetchResults : nothing
}

/** @param {Row} row */
function contextOf([, index, path]) {
  const context = contexts[index]
  if (context === undefined) return undefined
  const { slot, hostObject, virtualObject } = context
  return Object.freeze({ vcluster: vclusters[slot], hostObject, virtualObject, path })
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
