const EngineDate = Date
const realm = globalThis

const noClock = 'an expression has no clock: it must give the same result whenever it runs'

/**
 * A Date for given times, always in UTC, without access to the current time.
 * @this {unknown}
 * @param {unknown[]} parts
 */
function TimelessDate(...parts) {
  if (new.target === undefined || parts.length === 0) throw new TypeError(noClock)
  return Reflect.construct(EngineDate, parts, new.target)
}

/** Removes every way to learn the time or to get something random. */
export function removeClockAndChance() {
  Object.defineProperties(TimelessDate, {
    name: { value: 'Date' },
    length: { value: 7 },
    prototype: { value: EngineDate.prototype, writable: false },
    UTC: { value: EngineDate.UTC },
    parse: { value: EngineDate.parse },
    now: { value: () => fail(noClock) },
  })
  Object.defineProperty(EngineDate.prototype, 'constructor', { value: TimelessDate })
  Object.defineProperty(realm, 'Date', { value: TimelessDate })
  Object.defineProperty(Math, 'random', {
    value: () => fail('an expression has no randomness: it must give the same result whenever it runs'),
  })
}

/** @param {string} message */
function fail(message) {
  throw new TypeError(message)
}
