const maxDepth = 1000
/** In characters and elements: twice as much as an object may have in all. */
const maxSize = 3 * 1024 * 1024

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
 * Where the copier is: the objects that lead there, and the names of the members that lead on from each; and how much
 * it has copied.
 * @typedef {{ readonly objects: object[], readonly names: (string | number)[], size: number }} Trail
 */

/**
 * A copy of a result as nothing but JSON, and its size. Looks at each member once, so that getters, proxies and toJSON
 * decide no more than what is found there.
 * @param {unknown} value neither undefined nor null
 */
export function plainCopy(value) {
  /** @type {Trail} */
  const trail = { objects: [], names: [], size: 0 }
  const copy = copyOf(value, trail)
  return { copy, size: trail.size }
}

/**
 * @param {unknown} value
 * @param {Trail} trail
 * @returns {import('../../../api/object.ts').Json}
 */
function copyOf(value, trail) {
  switch (typeof value) {
    case 'string':
      grow(trail, value.length)
      return value
    case 'boolean':
      grow(trail, 1)
      return value
    case 'number':
      grow(trail, 1)
      if (Number.isFinite(value)) return value
      throw refused(`${value}`, trail)
    case 'object':
      return value === null ? null : copyOfObject(value, trail)
    default:
      throw refused(value === undefined ? 'undefined' : `a ${typeof value}`, trail)
  }
}

/**
 * @param {object} object
 * @param {Trail} trail
 */
function copyOfObject(object, trail) {
  if (trail.objects.includes(object)) throw refused('a cycle', trail)
  const depth = trail.objects.length
  if (depth >= maxDepth) throw new NotJson(`is nested deeper than ${maxDepth} levels`)
  trail.objects.push(object)
  const copy = Array.isArray(object) ? copyOfArray(object, trail, depth) : copyOfMembers(object, trail, depth)
  trail.objects.pop()
  trail.names.length = depth
  return copy
}

/**
 * @param {readonly unknown[]} array
 * @param {Trail} trail
 * @param {number} depth
 */
function copyOfArray(array, trail, depth) {
  const copy = []
  const { length } = array
  for (let index = 0; index < length; index++) {
    trail.names[depth] = index
    copy[index] = copyOf(array[index], trail)
  }
  return copy
}

/**
 * @param {object} object
 * @param {Trail} trail
 * @param {number} depth
 */
function copyOfMembers(object, trail, depth) {
  refuseExotic(object, trail)
  const copy = Object.create(null)
  for (const key of Object.keys(object)) {
    const member = Reflect.get(object, key)
    trail.names[depth] = key
    grow(trail, key.length)
    // An undefined member is an absent one, in JavaScript as in JSON.
    if (member !== undefined) copy[key] = copyOf(member, trail)
  }
  return copy
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
 * @param {Trail} trail
 * @param {number} characters
 */
function grow(trail, characters) {
  trail.size += characters
  if (trail.size > maxSize) throw new NotJson('is longer than any object may be')
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
