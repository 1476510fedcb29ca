const maxDepth = 1000
const { stringify } = JSON

/** Thrown where a result is not JSON. Its message continues the words "the result". */
export class NotJson {
  /** @param {string} message */
  constructor(message) {
    this.message = message
  }
}

/** What people return by mistake, and what they meant. */
const wellKnown = /** @type {const} */ ([
  [Date, 'a Date; use toISOString()'],
  [Map, 'a Map; use Object.fromEntries()'],
  [Set, 'a Set; use [...set]'],
  [RegExp, 'a RegExp'],
  [Error, 'an Error'],
])

/**
 * The objects that lead to where the writer is, and the names of the members that lead on from them.
 * @typedef {{ readonly objects: object[], readonly names: (string | number)[] }} Trail
 */

/**
 * The text of a value. Looks at each member once and copies what it finds, so that getters, proxies and toJSON decide
 * no more than what that text is.
 * @param {unknown} value neither undefined nor null
 * @returns {string}
 */
export function jsonText(value) {
  return typeof value === 'string' ? stringify(value) : textOf(value, { objects: [], names: [] })
}

/**
 * @param {unknown} value
 * @param {Trail} trail
 * @returns {string}
 */
function textOf(value, trail) {
  switch (typeof value) {
    case 'string':
      return stringify(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'number':
      if (Number.isFinite(value)) return `${value}`
      throw refused(`${value}`, trail)
    case 'object':
      return value === null ? 'null' : objectText(value, trail)
    default:
      throw refused(value === undefined ? 'undefined' : `a ${typeof value}`, trail)
  }
}

/**
 * @param {object} object
 * @param {Trail} trail
 */
function objectText(object, trail) {
  if (trail.objects.includes(object)) throw refused('a cycle', trail)
  const depth = trail.objects.length
  if (depth >= maxDepth) throw new NotJson(`is nested deeper than ${maxDepth} levels`)
  trail.objects.push(object)
  const text = Array.isArray(object) ? elementsText(object, trail, depth) : membersText(object, trail, depth)
  trail.objects.pop()
  trail.names.length = depth
  return text
}

/**
 * @param {readonly unknown[]} array
 * @param {Trail} trail
 * @param {number} depth
 */
function elementsText(array, trail, depth) {
  const parts = []
  const { length } = array
  for (let index = 0; index < length; index++) {
    trail.names[depth] = index
    parts[index] = textOf(array[index], trail)
  }
  return `[${parts.join(',')}]`
}

/**
 * @param {object} object
 * @param {Trail} trail
 * @param {number} depth
 */
function membersText(object, trail, depth) {
  refuseExotic(object, trail)
  const parts = []
  for (const key of Object.keys(object)) {
    const member = Reflect.get(object, key)
    trail.names[depth] = key
    // An undefined member is an absent one, in JavaScript as in JSON.
    if (member !== undefined) parts.push(`${stringify(key)}:${textOf(member, trail)}`)
  }
  return `{${parts.join(',')}}`
}

/**
 * Plain objects only: others have their contents elsewhere than in their members.
 * @param {object} object
 * @param {Trail} trail
 */
function refuseExotic(object, trail) {
  const prototype = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) {
    for (const [type, description] of wellKnown) {
      if (object instanceof type) throw refused(description, trail)
    }
    throw refused('an object of a class of its own', trail)
  }
  if (Object.getOwnPropertySymbols(object).length > 0) throw refused('an object with a member named by a symbol', trail)
}

/**
 * @param {string} what
 * @param {Trail} trail
 */
function refused(what, { names }) {
  const place = names.map((name) => (typeof name === 'number' ? `[${name}]` : `.${name}`)).join('')
  return new NotJson(place === '' ? `is not JSON: it is ${what}` : `is not JSON: ${shortened(place)} is ${what}`)
}

/** @param {string} place */
function shortened(place) {
  return place.length > 200 ? `${place.slice(0, 200)}…` : place
}
