import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Slices } from '../../src/server/fairness/slices.ts'
import { countValues } from '../../src/server/json-body.ts'
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
])(
  'refuses a long %s that holds too much as soon as it is known, in %d slices or more',
  async (type, waiting, problem) => {
    const slices = new Slices()
    const counted = expect(countValues(bodyOf(long, type), slices)).rejects
    expect(slices.waiting).toBe(waiting)
    await counted.toMatchObject({ code: 413, message: `Request entity too large: ${problem}` })
  },
)

it.each([
  ['what is short', '[1]', 'application/json'],
  ['what is no JSON', long, 'application/vnd.kubernetes.protobuf'],
])('leaves %s alone', (_, text, type) => {
  expect(countValues(bodyOf(text, type), new Slices())).toBeUndefined()
})

it('leaves what is wrong with a text to who parses it', async () => {
  await countValues(bodyOf(`{"a": "${'x'.repeat(400_000)}`, 'application/json'), new Slices())
  await nextTurn()
})
