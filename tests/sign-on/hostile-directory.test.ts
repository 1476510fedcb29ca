import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createServer as createTlsServer } from 'node:tls'
import { BerWriter } from 'ldapts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { monotonicClock, systemClock } from '../../src/base/clock.ts'
import { LdapDirectory } from '../../src/sign-on/ldap/connector.ts'
import { MessageStream } from '../../src/sign-on/ldap/message-stream.ts'
import { makeCertificates } from '../support/certificates.ts'

let directory: string
let authority: string
let certificate: { readonly cert: string; readonly key: string }
let server: Server | undefined
let received = Buffer.alloc(0)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-hostile-'))
  const files = await makeCertificates(directory, 'hostile')
  const [ca = '', cert = '', key = ''] = await Promise.all(
    [files.caFile, files.certFile, files.keyFile].map((file) => readFile(file, 'utf8')),
  )
  authority = ca
  certificate = { cert, key }
})
afterAll(() => rm(directory, { recursive: true, force: true }))
afterEach(async () => {
  await new Promise((resolve) => server?.close(resolve))
  received = Buffer.alloc(0)
})

type Behave = (socket: Socket) => void

/** The result of a sign-in at a directory with scripted answers. */
async function outcome(scheme: 'ldap' | 'ldaps', behave: Behave, { timeoutMs = 60_000, caBundle = authority } = {}) {
  const take = (socket: Socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      behave(socket)
    })
  }
  const started = scheme === 'ldaps' ? createTlsServer(certificate, take) : createPlainServer(take)
  server = started
  started.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  const { port } = started.address() as AddressInfo
  const ldap = { url: `${scheme}://127.0.0.1:${port}`, caBundle, users: { baseDN: 'dc=example' } }
  const spec = { type: 'ldap', ldap } as const
  const connector = new LdapDirectory({ spec, bindPassword: undefined, clock: systemClock, timeoutMs })
  const credentials = { username: 'jane', password: 'the secret of jane' }
  return connector.check(credentials, new AbortController().signal).then(
    () => 'let in',
    ({ code, message }) => `${code}: ${message}`,
  )
}

/** A message with this content and id. */
function message(id: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  write(writer)
  writer.endSequence()
  return writer.buffer
}

function result(id: number, tag: number, code: number, text = ''): Buffer {
  return message(id, (writer) => {
    writer.startSequence(tag)
    writer.writeEnumeration(code)
    writer.writeString('')
    writer.writeString(text)
    writer.endSequence()
  })
}

describe('a hostile directory', () => {
  it('that never answers is aborted', async () => {
    expect(await outcome('ldaps', () => {}, { timeoutMs: 200 })).toBe(
      'unavailable: the directory did not answer in time',
    )
  })

  it('that never answers StartTLS is aborted', async () => {
    expect(await outcome('ldap', () => {}, { timeoutMs: 200 })).toBe(
      'unavailable: the directory did not answer in time',
    )
  })

  it('that sends endless data is cut off', async () => {
    const flood: Behave = (socket) => {
      const unasked = Buffer.concat(Array.from({ length: 1_000 }, () => result(99, 0x65, 0)))
      const more = () => {
        while (!socket.destroyed && socket.write(unasked));
      }
      socket.on('drain', more)
      more()
    }
    expect(await outcome('ldaps', flood)).toMatch(/^unavailable: .*the directory sends too much/)
  })

  it('that sends thousands of messages at once does not block the event loop', async () => {
    const socket = new PassThrough({ highWaterMark: 1024 * 1024 })
    const messages = new MessageStream(socket)
    const inTurns: number[] = []
    let isNewTurn = true
    const heard = new Promise<void>((resolve) => {
      let left = 2_000
      messages.on('data', () => {
        if (isNewTurn) {
          inTurns.push(0)
          isNewTurn = false
          setImmediate(() => {
            isNewTurn = true
          })
          // As long as all work of one turn may take.
          const endMs = monotonicClock.now() + 6
          while (monotonicClock.now() < endMs);
        }
        inTurns.push((inTurns.pop() ?? 0) + 1)
        left -= 1
        if (left === 0) resolve()
      })
    })
    socket.write(Buffer.concat(Array.from({ length: 2_000 }, () => result(99, 0x65, 0))))
    await heard
    expect(Math.max(...inTurns)).toBeLessThanOrEqual(32)
  })

  it.each<[string, Buffer]>([
    ['points outside the message', Buffer.from('3011020102640c0400308200ff30820fff040161', 'hex')],
    ['is negative', Buffer.from('300f020102640a04003084fffffff0040161', 'hex')],
    ['is that of the message, and negative', Buffer.from('3084fffffffa020102', 'hex')],
    ['has no end', Buffer.from('3080020102', 'hex')],
    ['is not LDAP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('that sends a length that %s is not trusted', async (_, bytes) => {
    const told = await outcome('ldaps', (socket) => void socket.write(bytes))
    expect(told).toMatch(/^unavailable: .*(contradicts itself|no messages of LDAP|sends too much)/)
  })

  it('that refuses StartTLS gets neither a name nor a password', async () => {
    expect(await outcome('ldap', (socket) => void socket.write(result(1, 0x78, 2)))).toMatch(
      /^misconfigured: .*refuses StartTLS/,
    )
    expect(received.toString()).not.toMatch(/jane|secret/)
  })

  it('that sends the response to a bind together with that to StartTLS is not trusted', async () => {
    const both = Buffer.concat([result(1, 0x78, 0), result(2, 0x61, 0).subarray(0, -1)])
    expect(await outcome('ldap', (socket) => void socket.write(both))).toMatch(
      /^untrusted: .*before the connection was secure/,
    )
    expect(received.toString()).not.toMatch(/jane|secret/)
  })

  it('with a certificate of another authority gets neither a name nor a password', async () => {
    const told = await outcome('ldaps', () => {}, { caBundle: '' })
    expect(told).toMatch(/^unavailable: .*certificate/)
    expect(received.toString()).not.toMatch(/jane|secret/)
  })

  it('that closes the connection is not called again in plain text', async () => {
    const told = await outcome('ldaps', (socket) => void socket.end())
    expect(told).toMatch(/^unavailable: /)
  })

  it('that sends a referral is not followed', async () => {
    expect(await outcome('ldaps', (socket) => void socket.write(result(2, 0x65, 10)))).toBe(
      'unavailable: the directory answered code 10 (referral)',
    )
  })

  it('that echoes its input is not quoted', async () => {
    const told = await outcome('ldaps', (socket) => void socket.write(result(2, 0x65, 50, 'the secret of jane')))
    expect(told).toBe('misconfigured: the directory answered code 50 (insufficientAccessRights)')
  })
})
