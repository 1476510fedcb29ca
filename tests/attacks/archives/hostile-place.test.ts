import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { directoryPlace } from '../../../src/backup/places/directory-place.ts'
import { s3Place } from '../../../src/backup/places/s3-place.ts'

/** A hostile place for backups. */
async function placeOf(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` }
  process.env.AWS_ACCESS_KEY_ID = 'test'
  process.env.AWS_SECRET_ACCESS_KEY = 'test'
  const place = s3Place('s3://backups/prod', env)
  onTestFinished(async () => {
    place.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return place
}

/** Sends up to 40 MiB, as long as the client reads. */
function endless(first: string, told: (bytes: number) => void): RequestListener {
  return (_request, response) => {
    response.writeHead(first.startsWith('<Error') ? 403 : 200, { 'content-type': 'application/xml' })
    const piece = Buffer.alloc(1024 * 1024, `<Contents><Key>x</Key></Contents>`)
    let sent = 0
    response.write(first)
    const go = () => {
      while (sent < 40 && !response.destroyed) {
        sent += 1
        told(sent)
        if (!response.write(piece)) return void response.once('drain', go)
      }
      response.end()
    }
    go()
  }
}

it.each([
  ['a list of files', '<ListBucketResult>'],
  ['a refusal', '<Error><Code>AccessDenied</Code>'],
])('an endless %s is not read into memory', async (_what, first) => {
  let mebibytes = 0
  const place = await placeOf(endless(first, (sent) => (mebibytes = sent)))
  await expect(place.list()).rejects.toThrow('more than 4194304 bytes')
  expect(mebibytes).toBeLessThan(20)
})

it('a file with an endless announced size is not copied in parts', async () => {
  let requests = 0
  const place = await placeOf(({ method, url = '' }, response) => {
    requests += 1
    const isDraft = url.includes('a.draft')
    response.writeHead(
      method === 'HEAD' && isDraft ? 200 : 404,
      isDraft ? { 'content-length': '9000000000000000' } : {},
    )
    response.end()
  })
  await expect(place.rename('a.draft', 'a.backup')).rejects.toThrow('9000000000000000 bytes')
  expect(requests).toBe(2)
})

it.each([
  ['a pipe that no process writes to', async (path: string) => void execFileSync('mkfifo', [path])],
  ['a link to another file', (path: string) => symlink('/etc/passwd', path)],
  ['a folder', (path: string) => mkdir(path)],
])('%s is refused and not read', async (_what, make) => {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-place-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await make(join(directory, 'a.backup'))
  const read = async () => {
    for await (const _ of directoryPlace(directory).read('a.backup')) throw new Error('something was read')
  }
  await expect(read()).rejects.toThrow('a.backup is not a file, and is not read')
})
