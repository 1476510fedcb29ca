import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readLongJson } from '../../src/server/bodies/json-body.ts'
import { Slices } from '../../src/server/fairness/slices.ts'
import { exchangeOf } from './fair-exchange.ts'

function bodyOf(text: string, contentType: string) {
  const exchange = exchangeOf({ name: 'ann', method: 'POST' })
  Object.assign(exchange.request.headers, { 'content-type': contentType })
  exchange.body = Buffer.from(text)
  return exchange
}

const long = `[${'1,'.repeat(300_000)}1]`

it.each([
  ['application/json', 0, 'there are more than 25000 values in it'],
  ['application/json-patch+json', 1, 'there are more than 100000 values in it'],
])('refuses a long %s with too many values early, in %d slices or more', async (type, waiting, problem) => {
  const slices = new Slices()
  const counted = expect(readLongJson(bodyOf(long, type), slices, {})).rejects
  expect(slices.waiting).toBe(waiting)
  await counted.toMatchObject({ code: 413, message: `Request entity too large: ${problem}` })
})

it.each([
  ['a short body', '[1]', 'application/json'],
  ['a body that is not JSON', long, 'application/vnd.kubernetes.protobuf'],
])('does not check %s', (_, text, type) => {
  expect(readLongJson(bodyOf(text, type), new Slices(), {})).toBeUndefined()
})

it('leaves syntax errors to the parser', async () => {
  await readLongJson(bodyOf(`{"a": "${'x'.repeat(400_000)}`, 'application/json'), new Slices(), {})
  await nextTurn()
})

it('parses a long body in slices, once, for the verb to use', async () => {
  const text = JSON.stringify({
    data: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key-${at}`, 'x'])),
  })
  const exchange = bodyOf(text, 'application/json')
  const slices = new Slices()
  const reading = readLongJson(exchange, slices, {})
  expect(slices.waiting).toBe(1)
  await reading
  const { value } = exchange.reading.json(text, 25_000, false)
  expect(value).toEqual(JSON.parse(text))
  expect(exchange.reading.json(text, 25_000, false).value).toBe(value)
})

it('parses again if another kind needs another number type', async () => {
  const text = JSON.stringify({ text: 'x'.repeat(70_000) }).replace('}', ',"number":9007199254740993}')
  const exchange = bodyOf(text, 'application/json')
  await readLongJson(exchange, new Slices(), { structure: {} })
  expect(exchange.reading.json(text, 25_000, true).value).toMatchObject({ number: 9007199254740993n })
  expect(() => exchange.reading.json(text, 25_000, false)).toThrow('9007199254740993')
})
