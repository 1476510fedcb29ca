import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { stores } from '../support/stores.ts'
import { chunked, counted, get, head, measured, named, type Sender } from './support/http1.ts'
import { configMaps, startVictim, type Victim } from './support/victim.ts'

const unusual = 'X-Twice: 1\r\nX-Twice: 2\r\n'

describe.each(stores)('pipelined requests, %s store', (store) => {
  let victim: Victim
  let sender: Sender

  beforeAll(async () => {
    victim = await startVictim(store)
    sender = victim.server
  })
  afterAll(() => victim?.stop())
  afterEach(() => victim.mustBeAlive())

  const gets = (count: number) => get('/version', sender).repeat(count)

  test('60 GETs and an unusual one are all answered', async () => {
    const connection = await victim.connect()
    connection.send(gets(60) + get('/version', sender, unusual))
    await connection.until('"gitVersion"', 61)
  })

  test('60 GETs by a stranger and an unusual one do not close the connection', async () => {
    const connection = await victim.connect()
    const stranger = 'GET /version HTTP/1.1\r\nHost: x\r\n'
    connection.send(`${`${stranger}\r\n`.repeat(60)}${stranger}${unusual}\r\n`)
    await connection.until('HTTP/1.1 ', 61)
  })

  test.each([1, 25, 60])('a chunked POST after %i GETs is executed once', async (count) => {
    const prefix = `chunked-${count}-`
    const connection = await victim.connect()
    connection.send(gets(count) + chunked('POST', configMaps, sender, counted(prefix)))
    await connection.until('HTTP/1.1 201')
    expect(await victim.names(prefix)).toHaveLength(1)
  })

  test('a POST with a late body, after 25 GETs, is executed once', async () => {
    const connection = await victim.connect()
    const post = measured('POST', configMaps, sender, counted('late-'))
    connection.send(gets(25) + post.slice(0, -10))
    await connection.until('HTTP/1.1 200', 25)
    connection.send(post.slice(-10) + gets(5))
    await connection.until('HTTP/1.1 201')
    await connection.until('HTTP/1.1 200', 30)
    expect(await victim.names('late-')).toHaveLength(1)
  })

  test('50 concurrent POSTs are executed once each', async () => {
    const connection = await victim.connect()
    connection.send(measured('POST', configMaps, sender, counted('fifty-')).repeat(50))
    await connection.until('HTTP/1.1 201', 50)
    expect(await victim.names('fifty-')).toHaveLength(50)
  })

  test('a POST between GETs, split into single bytes, is executed once', async () => {
    const connection = await victim.connect()
    const text = gets(2) + chunked('POST', configMaps, sender, counted('bytes-')) + gets(2)
    for (const byte of text) connection.send(byte)
    await connection.until('HTTP/1.1 201')
    await connection.until('HTTP/1.1 200', 4)
    expect(await victim.names('bytes-')).toHaveLength(1)
  })

  test('writes are executed in order of arrival', async () => {
    const connection = await victim.connect()
    const path = `${configMaps}/ordered`
    const asked = [
      measured('POST', configMaps, sender, named('ordered')),
      measured('POST', configMaps, sender, named('ordered')),
      head('DELETE', path, sender),
      get(path, sender),
      chunked('POST', configMaps, sender, named('ordered')),
    ]
    connection.send(asked.join(''))
    const received = await connection.until('HTTP/1.1 ', asked.length)
    expect(received.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['201', '409', '200', '404', '201'])
  })

  test('a POST after a request that closes the connection is not executed', async () => {
    const connection = await victim.connect()
    const last = get('/version', sender, 'Connection: close\r\n')
    connection.send(last + measured('POST', configMaps, sender, counted('after-close-')))
    await connection.closed
    expect(connection.received.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(await victim.names('after-close-')).toHaveLength(0)
  })

  test.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['a request without Host', 'GET /version HTTP/1.1\r\n\r\n'],
    ['a request with two Hosts', 'GET /version HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['too many headers', `GET /version HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(2_500)}\r\n`],
    ['two lengths', 'GET /version HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ])('a POST after %s is not executed', async (what, text) => {
    const prefix = `after-${what.replace(/\W/g, '-').toLowerCase()}-`
    const connection = await victim.connect()
    connection.send(get('/version', sender) + text + measured('POST', configMaps, sender, counted(prefix)))
    await connection.closed
    expect(connection.received).toMatch(/^HTTP\/1\.1 200 /)
    expect(connection.received).not.toContain('HTTP/1.1 201')
    expect(await victim.names(prefix)).toHaveLength(0)
  })

  test('a POST is executed at most once if the connection is reset at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const connection = await victim.connect()
      connection.send(gets(3) + measured('POST', configMaps, sender, counted(`cut-${round}-`)))
      connection.socket.end()
      setImmediate(() => connection.socket.destroy())
      await connection.closed
    }
    const names = await victim.names('cut-')
    expect(new Set(names.map((name) => name.slice(0, name.lastIndexOf('-')))).size).toBe(names.length)
  })

  test('a POST is executed once if the client half-closes the connection', async () => {
    const connection = await victim.connect()
    connection.send(measured('POST', configMaps, sender, counted('half-')))
    connection.socket.end()
    await connection.closed
    await expect.poll(() => victim.names('half-')).toHaveLength(1)
  })

  test('an upgrade after a GET is not performed, and responses do not end up in it', async () => {
    const connection = await victim.connect()
    const link = '/apis/management.tenant.dev/v1/namespaces/p-default/virtualclusterinstances/x/link'
    const upgrade = 'Connection: Upgrade\r\nUpgrade: tenant-link/1\r\n'
    connection.send(gets(3) + get(link, sender, upgrade) + gets(3))
    await connection.closed
    expect(connection.received).not.toContain('101 Switching')
  })

  test('a POST after a refused upgrade is not executed', async () => {
    const connection = await victim.connect()
    const upgrade = get('/version', sender, 'Connection: Upgrade\r\nUpgrade: websocket\r\n')
    connection.send(upgrade + measured('POST', configMaps, sender, counted('after-upgrade-')))
    await connection.closed
    expect(connection.received.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(await victim.names('after-upgrade-')).toHaveLength(0)
  })

  test('a POST after a watch waits for it, and is executed once', async () => {
    const connection = await victim.connect()
    const watch = get(`${configMaps}?watch=1&timeoutSeconds=1`, sender)
    connection.send(watch + chunked('POST', configMaps, sender, counted('behind-a-watch-')))
    await connection.until('HTTP/1.1 201')
    expect(await victim.names('behind-a-watch-')).toHaveLength(1)
    expect(connection.received.indexOf('0\r\n\r\n')).toBeLessThan(connection.received.indexOf('HTTP/1.1 201'))
  })

  test.each([
    ['requests', ''],
    ['requests that expect what no server knows', 'Expect: the-impossible\r\n'],
  ])('a client that pipelines thousands of %s is cut off', async (_, header) => {
    const connection = await victim.connect()
    connection.socket.pause()
    connection.send(get(`${configMaps}?watch=1`, sender) + get('/version', sender, header).repeat(5_000))
    await connection.closed
  })
})
