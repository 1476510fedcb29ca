import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { configMaps } from '../../client/client-of.ts'
import { answer, refuse, startScriptedServer } from '../../client/scripted-server.ts'
import { attackBy, deepObject, key, megabyte, objectNamed, pour } from './support/hostile-server.ts'
import { whileCountingTurns } from './support/turns.ts'

const oneAttempt = { retry: { attempts: 1, firstMs: 1, longestMs: 1 } }
const outcomeOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)

describe('an answer that is too much', () => {
  test('an object of 60 MB is aborted after a few MB, and is not requested again', async () => {
    const sent: { bytes: number }[] = []
    const { client, server } = await attackBy((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      sent.push(pour(response, Buffer.alloc(64 * 1024, ' '), 60 * megabyte))
    })
    await expect(client.get(configMaps, key)).rejects.toThrow(`larger than ${8 * megabyte} bytes`)
    expect(server.heard).toHaveLength(1)
    expect(sent[0]?.bytes).toBeLessThan(30 * megabyte)
  })

  test('an answer that announces 60 MB is aborted before it begins', async () => {
    const { client, server } = await attackBy((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 60 * megabyte }).flushHeaders()
    })
    await expect(client.get(configMaps, key)).rejects.toThrow('larger than')
    expect(server.heard).toHaveLength(1)
  })

  test('an answer in chunks of one byte costs no more than its bytes', async () => {
    const text = JSON.stringify({ ...objectNamed('a'), data: { x: 'x'.repeat(200_000) } })
    const { client } = await attackBy((response) => {
      response.writeHead(200)
      response.socket?.cork()
      for (const character of text) response.write(character)
      response.end()
      response.socket?.uncork()
    })
    const before = process.memoryUsage().arrayBuffers
    expect((await client.get(configMaps, key)).metadata.name).toBe('a')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * megabyte)
  })

  test.each(['HTTP/1.1 101 x\r\n\r\n{}', 'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'])(
    'a change of the protocol that was not requested is no answer: %j',
    async (bytes) => {
      const { client } = await attackBy((response) => response.socket?.write(bytes), { limits: oneAttempt })
      await expect(client.get(configMaps, key)).rejects.toThrow('not HTTP/1.1 as it should be')
    },
  )

  test('a head of 1 MB is not read', async () => {
    const { client } = await attackBy(
      (response) => response.writeHead(200, { 'x-much': 'x'.repeat(megabyte) }).end('{}'),
      { limits: oneAttempt },
    )
    await expect(client.get(configMaps, key)).rejects.toThrow('headers are too long')
  })

  test('ten thousand headers are not read', async () => {
    const headers = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x-${index}`, 'y']))
    const { client } = await attackBy((response) => response.writeHead(200, headers).end('{}'), { limits: oneAttempt })
    await expect(client.get(configMaps, key)).rejects.toThrow('headers are too long')
  })

  test('a gzip bomb is not opened: the client requests no compression and refuses compressed answers', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * megabyte))
    const asked: unknown[] = []
    const { client } = await attackBy((response) => {
      asked.push(response.req.headers['accept-encoding'])
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    await expect(client.get(configMaps, key)).rejects.toThrow('compressed')
    expect(asked).toEqual([undefined])
  })
})

describe('an answer that never ends', () => {
  const limits = { ...oneAttempt, answerTimeoutMs: 2_000, wholeTimeoutMs: 1_000 }

  test('byte by byte: it is aborted at its deadline, though each byte arrives in time', async () => {
    const { client, server } = await attackBy(
      (response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write(' '), 20)
        response.once('close', () => clearInterval(timer))
      },
      { limits: { ...limits, retry: { attempts: 3, firstMs: 1, longestMs: 1 } } },
    )
    await expect(client.get(configMaps, key)).rejects.toThrow('did not end its answer within 1 s')
    expect(server.heard).toHaveLength(1)
  })

  test('endless early hints: they are not an answer', async () => {
    const { client } = await attackBy(
      (response) => {
        const timer = setInterval(() => response.writeEarlyHints({ link: '</x>; rel=preload' }), 20)
        response.once('close', () => clearInterval(timer))
      },
      { limits },
    )
    await expect(client.get(configMaps, key)).rejects.toThrow('sends too many informational answers (1xx)')
  })

  test('an endless refusal is not read to the end', async () => {
    const poured: { bytes: number }[] = []
    const { client } = await attackBy((response) => {
      response.writeHead(403, { 'content-type': 'application/json' })
      poured.push(pour(response, Buffer.alloc(64 * 1024, ' '), 100 * megabyte))
    })
    await expect(client.get(configMaps, key)).rejects.toThrow(`larger than ${256 * 1024} bytes`)
    expect(poured[0]?.bytes).toBeLessThan(30 * megabyte)
  })
})

describe('a refusal', () => {
  test('with a message of 200 KB is reported in a few lines', async () => {
    const status = {
      kind: 'Status',
      status: 'Failure',
      message: 'x'.repeat(200_000),
      reason: 'y'.repeat(10_000),
      code: 403,
    }
    const { client } = await attackBy((response) => answer(response, 403, status))
    const error = await outcomeOf(client.get(configMaps, key))
    expect(error).toMatchObject({ name: 'ApiError', code: 403 })
    expect(JSON.stringify(error).length).toBeLessThan(20_000)
  })

  test('with thousands of causes keeps some of them', async () => {
    const causes = Array.from({ length: 5_000 }, () => ({ reason: 'x', message: 'y', field: 'z' }))
    const { client } = await attackBy((response) =>
      answer(response, 422, { kind: 'Status', status: 'Failure', message: 'm', code: 422, details: { causes } }),
    )
    const error = await outcomeOf(client.create(configMaps, objectNamed('a')))
    expect(error).toMatchObject({ status: { details: { causes: { length: 100 } } } })
  })

  test('that is nested 20,000 levels deep is still a refusal', async () => {
    const { client } = await attackBy((response) =>
      response.writeHead(404, { 'content-type': 'text/plain' }).end('['.repeat(20_000)),
    )
    await expect(client.get(configMaps, key)).rejects.toMatchObject({ name: 'ApiError', code: 404 })
  })

  test.each(['1000000000', '1e300', '86400'])('with Retry-After %s is returned to the caller', async (seconds) => {
    const { client, server } = await attackBy((response) => refuse(response, 429, { 'retry-after': seconds }))
    await expect(client.get(configMaps, key)).rejects.toMatchObject({ code: 429 })
    expect(server.heard).toHaveLength(1)
  })

  test('with two Retry-After headers is not retried', async () => {
    const { client } = await attackBy(
      (response) => {
        response.writeHead(503, [...['content-type', 'application/json', 'retry-after', '1', 'retry-after', '99999']])
        response.end(JSON.stringify({ kind: 'Status', message: 'no', code: 503 }))
      },
      { limits: oneAttempt },
    )
    await expect(client.get(configMaps, key)).rejects.toMatchObject({ name: 'ApiError', code: 503 })
  })
})

describe('a redirect', () => {
  test.each([301, 302, 307, 308])('is not followed (%i), and no token is sent', async (status) => {
    const elsewhere = await startScriptedServer((response) => answer(response, 200, objectNamed('a')))
    try {
      const { client } = await attackBy((response) =>
        response.writeHead(status, { location: `https://127.0.0.1:${elsewhere.port}/x` }).end(),
      )
      await expect(client.get(configMaps, key)).rejects.toThrow('redirects')
      await expect(client.create(configMaps, objectNamed('a'))).rejects.toThrow('redirects')
      expect(elsewhere.heard).toEqual([])
    } finally {
      await elsewhere.stop()
    }
  })

  test('cookies are ignored', async () => {
    const cookies: unknown[] = []
    const { client } = await attackBy((response) => {
      cookies.push(response.req.headers.cookie)
      answer(response, 200, objectNamed('a'), { 'set-cookie': 'a=b' })
    })
    for (let count = 0; count < 3; count++) await client.get(configMaps, key)
    expect(cookies).toEqual([undefined, undefined, undefined])
  })
})

describe('an oversized or malformed object', () => {
  test('nested 20,000 deep is refused by name', async () => {
    const { client } = await attackBy((response) => response.writeHead(200).end(deepObject('a', 20_000)))
    await expect(client.get(configMaps, key)).rejects.toThrow(
      '/api/v1/namespaces/n/configmaps/a is nested more than 1000 levels deep',
    )
  })

  test('of a million empty arrays is refused before it is built', async () => {
    const text = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"x":[${'[],'.repeat(1_000_000)}0]}`
    const { client } = await attackBy((response) => response.writeHead(200).end(text))
    const { outcome, longestMs } = await whileCountingTurns(() => outcomeOf(client.get(configMaps, key)))
    expect(outcome).toMatchObject({ name: 'Unreadable', problem: 'holds more than 200000 values' })
    expect(longestMs).toBeLessThan(1_000)
  })

  test('with members named like built-in ones does not change prototypes', async () => {
    const text = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","__proto__":{"polluted":"yes"}},"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}`
    const { client } = await attackBy((response) => response.writeHead(200).end(text))
    await client.get(configMaps, key)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test.each(['[]', 'null', '7', '"x"', '', 'not json', '{"kind":"ConfigMap"', '\u0000'])(
    'that is not an object is refused: %j',
    async (text) => {
      const { client } = await attackBy((response) => response.writeHead(200).end(text))
      await expect(client.get(configMaps, key)).rejects.toMatchObject({ name: 'ConnectionError' })
    },
  )
})
