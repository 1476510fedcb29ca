import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { passedAnswer } from '../onward/answer.ts'
import { giveUpLate } from './late-response.ts'

it('an upgrade that is ready too late is given up', async () => {
  const connection = new PassThrough()
  connection.on('error', () => {})
  giveUpLate(await passedAnswer({ form: 'upgraded', protocol: 'websocket', headers: [], connection }, 'GET', []))
  expect(connection.destroyed).toBe(true)
})

it('a stream that is ready too late ends with its first data, or with its request', async () => {
  const passed = async (cuts: readonly AbortSignal[]) => {
    const body = new PassThrough()
    const closed = new Promise<void>((resolve) => body.once('close', resolve))
    giveUpLate(await passedAnswer({ form: 'answer', status: 200, headers: [], body }, 'GET', cuts))
    return { body, closed }
  }
  const talking = await passed([])
  talking.body.write('something')
  await talking.closed
  const request = new AbortController()
  const silent = await passed([request.signal])
  request.abort()
  await silent.closed
})
