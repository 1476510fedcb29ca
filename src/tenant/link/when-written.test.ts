import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { whenWritten } from './when-written.ts'

function stuck(): Duplex {
  const connection = new Duplex({ read: () => {}, write: () => {} })
  connection.write('never leaves')
  return connection
}

it('a connection that sends nothing is awaited only until it closes', async () => {
  const connection = stuck()
  const told = new Promise((resolve) => whenWritten(connection, resolve))
  connection.destroy()
  expect(await told).toBe(false)
})

it('a connection with nothing to write is used at once', async () => {
  expect(await new Promise((resolve) => whenWritten(new Duplex({ read: () => {} }), resolve))).toBe(true)
})
