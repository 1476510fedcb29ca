import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '../eventually.ts'
import { startFaultyTcp } from './faulty-tcp.ts'

it('keeps the order of bytes through every change of conditions', async () => {
  let received = ''
  const target = createServer((socket) => {
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  const address = target.address()
  const relay = await startFaultyTcp(address !== null && typeof address === 'object' ? address.port : 0)
  const client = connect(relay.port, '127.0.0.1')
  onTestFinished(async () => {
    client.destroy()
    await relay.remove()
    target.close()
  })
  let sent = ''
  for (let index = 0; index < 300; index += 1) {
    await relay.set(index % 3 === 0 ? { kind: 'slow', delayMs: 5 } : { kind: 'fine' })
    client.write(`${index} `)
    sent += `${index} `
    for (let turns = 0; turns < 5; turns += 1) await turn()
  }
  await eventually(() => expect(received.length).toBe(sent.length))
  expect(received).toBe(sent)
})
