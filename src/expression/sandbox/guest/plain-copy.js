const maxDepth = 1000
/** In characters and elements: twice the limit of an object. */
const maxSize = 3 * 1024 * 1024

/** Thrown if a result is not JSON. Its message continues the words "the result". */
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
 * An object that is being copied: its own keys unless it is an array, how many there are, and how many have been copied.
 * @typedef {object} Level
 * @property {Readonly<Record<PropertyKey, unknown>>} source
 * @property {Record<PropertyKey, Json>} copy
 * @property {readonly string[] | undefined} keys
 * @property {number} length
 * @property {number} next
 *
 * @typedef {import('../../../api/object.ts').Json} Json
 */

/** The path to the copier's position. */
class Trail {
  /** @type {Level[]} */ #levels = []
  /** The sources again, for the engine's native search: one in JavaScript would take longer than all the rest. */
  /** @type {object[]} */ #sources = []

  get depth() {
    return this.#levels.length
  }

  get last() {
    return this.#levels[this.#levels.length - 1]
  }

  /** @param {Level} level */
  push(level) {
    this.#levels.push(level)
    this.#sources.push(level.source)
  }

  pop() {
    this.#levels.pop()
    this.#sources.pop()
  }

  /** @param {object} object */
  includes(object) {
    return this.#sources.includes(object)
  }

  toString() {
    return this.#levels.map(({ keys, next }) => (keys === undefined ? `[${next - 1}]` : `.${keys[next - 1]}`)).join('')
  }
}

/**
 * A copy of a result as nothing but JSON, and its size. Looks at each member once, so that getters, proxies and toJSON
 * decide no more than what is found there. Without recursion, since the stack is small.
 * @param {unknown} value neither undefined nor null
 * @returns {{ copy: Json, size: number }}
 */
export function plainCopy(value) {
  const trail = new Trail()
  const copy = copyOf(value, trail)
  let size = typeof copy === 'string' ? copy.length : 1
  for (let level = trail.last; level !== undefined && size <= maxSize; level = trail.last) {
    size += copyMembers(level, trail)
    if (trail.last === level) trail.pop()
  }
  if (size > maxSize) throw new NotJson('is longer than any object may be')
  return { copy, size }
}

/**
 * Copies members up to the first that is an object, which becomes the last level.
 * @param {Level} level
 * @param {Trail} trail
 * @returns {number} the size of what was copied
 */
function copyMembers(level, trail) {
  const { source, copy, keys, length } = level
  let size = 1
  while (level.next < length) {
    const key = keys === undefined ? level.next : (keys[level.next] ?? '')
    level.next++
    const member = source[key]
    if (typeof member === 'string') {
      copy[key] = member
      size += member.length
    } else if (typeof member === 'object' && member !== null) {
      copy[key] = emptyCopy(member, trail)
      return size
    } else if (member !== undefined || keys === undefined) {
      // An undefined member counts as absent, in JavaScript as in JSON.
      copy[key] = copyOf(member, trail)
    }
    size++
    if (size > maxSize) return size
  }
  return size
}

/**
 * A copy of a value, to be filled later if it is an object.
 * @param {unknown} value
 * @param {Trail} trail
 * @returns {Json}
 */
function copyOf(value, trail) {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      if (Number.isFinite(value)) return value
      throw refused(`${value}`, trail)
    case 'object':
      return value === null ? null : emptyCopy(value, trail)
    default:
      throw refused(value === undefined ? 'undefined' : `a ${typeof value}`, trail)
  }
}

/**
 * @param {object} object
 * @param {Trail} trail
 * @returns {Json}
 */
function emptyCopy(object, trail) {
  if (trail.includes(object)) throw refused('a cycle', trail)
  if (trail.depth >= maxDepth) throw new NotJson(`is nested deeper than ${maxDepth} levels`)
  const isArray = Array.isArray(object)
  if (!isArray) refuseExotic(object, trail)
  const keys = isArray ? undefined : Object.keys(object)
  const length = isArray ? object.length : (keys?.length ?? 0)
  const copy = isArray ? [] : Object.create(null)
  trail.push({ source: /** @type {Level['source']} */ (object), copy, keys, length, next: 0 })
  return copy
}

/**
 * Only plain objects: others keep their content elsewhere than in their members.
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
function refused(what, trail) {
  const place = `${trail}`
  return new NotJson(place === '' ? `is not JSON: it is ${what}` : `is not JSON: ${shortened(place)} is ${what}`)
}

/** @param {string} place */
function shortened(place) {
  return place.length > 200 ? `${place.slice(0, 200)}…` : place
}
