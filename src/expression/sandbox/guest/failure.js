import { NotJson } from './plain-copy.js'

const maxMessage = 1000
const frame = /\bexpression:(\d+):(\d+)/

/** @typedef {import('../../protocol.ts').EvaluationFailureText} FailureText */

/**
 * Describes whatever was thrown without trusting it.
 * @param {unknown} thrown
 * @returns {FailureText}
 */
export function describeThrown(thrown) {
  try {
    if (thrown instanceof NotJson) return { kind: 'not-json', message: `the result ${thrown.message}` }
    const message = messageOf(thrown)
    if (message === 'InternalError: out of memory') return { kind: 'memory', message }
    return { kind: 'thrown', message, ...positionOf(thrown) }
  } catch {
    return { kind: 'thrown', message: 'the expression threw something that cannot be described' }
  }
}

/** @param {unknown} thrown */
function messageOf(thrown) {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `the expression threw ${plain(thrown)}`
  return text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text
}

/** @param {unknown} thrown */
function plain(thrown) {
  if (typeof thrown === 'function') return 'a function'
  return typeof thrown === 'object' && thrown !== null ? 'an object that is not an Error' : String(thrown)
}

/** @param {unknown} thrown */
function positionOf(thrown) {
  const stack = thrown instanceof Error ? thrown.stack : undefined
  const match = typeof stack === 'string' ? frame.exec(stack) : null
  return match === null ? undefined : { line: Number(match[1]), column: Number(match[2]) }
}
