import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isJsonObject } from './member.ts'
import { MemberCursor } from './member-cursor.ts'

/**
 * The members of an object, and those of its objects one level down. Undefined when the cursor gives up and the text
 * must be parsed.
 */
function walked(text: string): unknown {
  const around = Buffer.from(`,"x":{${text}"}]`)
  const start = Buffer.byteLength(',"x":{')
  const cursor = new MemberCursor(around, start, start + Buffer.byteLength(text))
  const members = membersOf(cursor, (inner) => membersOf(inner, (deepest) => deepest.value()))
  return cursor.isDone ? members : undefined
}

function membersOf(cursor: MemberCursor, value: (cursor: MemberCursor) => unknown): Map<string, unknown> {
  const members = new Map<string, unknown>()
  for (let more = cursor.enter() && cursor.next(); more; more = cursor.next()) {
    const name = names.find((each) => cursor.isNamed(each))
    if (name === undefined) cursor.passOver()
    else members.set(name, value(cursor))
  }
  return members
}

/** The same members according to JSON.parse. */
function parsed(value: unknown, depth = 1): unknown {
  const known = isJsonObject(value) ? Object.entries(value).filter(([name]) => names.includes(name)) : []
  return new Map(known.map(([name, each]) => [name, depth === 0 ? each : parsed(each, depth - 1)]))
}

const names = ['uid', 'hash', 'a', '__proto__', 'ttl', 'user', 'metadata']
const scalar = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '{"uid":"x"}', '\n', '\u2028', 'ö', '😀'),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
)
const name = fc.oneof(fc.constantFrom(...names), fc.string())
const tree = fc.object({ key: name, values: [scalar], maxDepth: 4, withNullPrototype: false })

it('reads what JSON.parse reads, or asks the caller to parse', () => {
  let walks = 0
  fc.assert(
    fc.property(tree, (value) => {
      const text = JSON.stringify(value)
      const members = walked(text)
      if (members === undefined) return /\\/.test(text)
      walks++
      expect(members).toEqual(parsed(JSON.parse(text)))
      return true
    }),
    { numRuns: 1_000 },
  )
  expect(walks).toBeGreaterThan(200)
})

it('never reads past the end of the text', () => {
  fc.assert(
    fc.property(tree, fc.nat(), (value, length) => {
      const text = JSON.stringify(value)
      const cut = text.slice(0, length % text.length)
      expect(walked(cut)).toBeUndefined()
    }),
  )
})

it.each(['', ' {"uid":1}', '{"uid":1} ', '{"uid":1}}', '{"\\u0075id":1}', '{"uid" :1}', '{"uid":{"a":-}}', '{uid:1}'])(
  'asks the caller to parse %s',
  (text) => {
    expect(walked(text)).toBeUndefined()
  },
)
