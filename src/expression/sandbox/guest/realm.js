import { addedNames, standardNames } from './global-names.js'

const kept = new Set([...standardNames, ...addedNames])
/** Its name is removed with the others. */
const realm = globalThis

/**
 * One of each kind of object that no global leads to.
 * @returns {unknown[]}
 */
export function hiddenObjects() {
  return [
    function* () {},
    (function* () {})(),
    async () => {},
    async function* () {},
    (async function* () {})(),
    [].values(),
    ''[Symbol.iterator](),
    new Map().values(),
    new Set().values(),
    ''.matchAll(/a/g),
    Reflect.apply(Reflect.get([].values(), 'map'), [].values(), [() => 0]),
    Reflect.get(realm, 'Iterator').from({ next: () => ({ done: true }) }),
    (function () {
      // biome-ignore lint/complexity/noArguments: it leads to the function behind its accessors
      return arguments
    })(),
  ]
}

/**
 * Removes every way to make code from text, to inspect the stack, to wait, and to access the engine's additions.
 * @param {readonly unknown[]} hidden
 */
export function removeHazards(hidden) {
  for (const made of hidden) {
    if (typeof made === 'function') Reflect.deleteProperty(Object.getPrototypeOf(made), 'constructor')
  }
  Reflect.deleteProperty(Function.prototype, 'constructor')
  for (const name of ['captureStackTrace', 'prepareStackTrace', 'stackTraceLimit']) Reflect.deleteProperty(Error, name)
  // Without them a member called __proto__ is an ordinary member, and no key is lost.
  for (const name of Reflect.ownKeys(Object.prototype)) {
    if (typeof name === 'string' && name.startsWith('__')) Reflect.deleteProperty(Object.prototype, name)
  }
  Reflect.deleteProperty(Array, 'fromAsync')
  for (const name of Reflect.ownKeys(realm)) {
    if (typeof name !== 'string' || !kept.has(name)) Reflect.deleteProperty(realm, name)
  }
}

/**
 * Freezes everything that a script can reach, so that it cannot leave anything behind for the next one.
 * @param {readonly unknown[]} hidden
 */
export function freezeEverything(hidden) {
  for (const prototype of [Object.prototype, Error.prototype]) allowOverriding(prototype)
  const seen = new Set()
  const todo = [realm, ...hidden]
  while (todo.length > 0) {
    const found = todo.pop()
    if (!isObject(found) || seen.has(found)) continue
    seen.add(found)
    Object.freeze(found)
    todo.push(Object.getPrototypeOf(found))
    const callable = typeof found === 'function'
    for (const key of Reflect.ownKeys(found)) {
      // Most properties are the length and name of a function, which are not objects.
      if (callable && (key === 'length' || key === 'name')) continue
      const { value, get, set } = Object.getOwnPropertyDescriptor(found, key) ?? {}
      if (isObject(value)) todo.push(value)
      else if (get !== undefined || set !== undefined) todo.push(get, set)
    }
  }
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/**
 * A frozen prototype also prevents assigning a member of the same name to an object that inherits from it, such as a
 * label called `constructor`, or the `name` of an error. As accessors, its members do not.
 * @param {object} prototype
 */
function allowOverriding(prototype) {
  const properties = Object.getOwnPropertyDescriptors(prototype)
  for (const key of Reflect.ownKeys(properties)) {
    const { value, enumerable } = Reflect.get(properties, key)
    if (value === undefined) continue
    Object.defineProperty(prototype, key, {
      enumerable,
      configurable: false,
      get: () => value,
      set(own) {
        if (this === prototype) throw new TypeError(`${String(key)} cannot be changed for all objects`)
        Object.defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true })
      },
    })
  }
}
