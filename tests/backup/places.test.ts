import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { once as inOnePiece, listBackups } from '../../src/backup/backup-files.ts'
import { createBackup } from '../../src/backup/create-backup.ts'
import { readKeyring } from '../../src/backup/envelope/keyring.ts'
import type { BackupPlace } from '../../src/backup/places/contract.ts'
import { directoryPlace } from '../../src/backup/places/directory-place.ts'
import { openPlace } from '../../src/backup/places/open-place.ts'
import { s3Place } from '../../src/backup/places/s3-place.ts'
import { Tally } from '../../src/backup/records/tally.ts'
import { verifyBackup } from '../../src/backup/verify-backup.ts'
import { systemRandom } from '../../src/base/random.ts'
import { freePort } from '../support/network/free-port.ts'

const keyring = readKeyring(Buffer.alloc(32, 7).toString('base64'), 'backup.key')

async function contentOf(place: BackupPlace, name: string): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of place.read(name)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** The state of one ConfigMap that is larger than a part of an upload. */
async function state() {
  const data = { content: Buffer.from(systemRandom.bytes(1_000_000)).toString('base64') }
  const entries = Array.from({ length: 9 }, (_, index) => {
    const value = Buffer.from(JSON.stringify({ metadata: { name: `c${index}`, namespace: 'default' }, data }))
    return { key: `/objects/core/configmaps/default/c${index}`, value, revision: 1 }
  })
  async function* records() {
    const tally = new Tally()
    for (const entry of entries) {
      tally.add(entry)
      yield { type: 'entry', entry } as const
    }
    yield { type: 'end', totals: tally.totals() } as const
  }
  return { head: { revision: 9, storeFormat: 1, program: '0', clusterUid: 'u' }, records: records() }
}

function describePlace(name: string, open: () => BackupPlace): void {
  describe(name, () => {
    it('returns the complete content under the new name after a rename', async () => {
      const place = open()
      await place.write('a.draft', inOnePiece(Buffer.from('content')))
      await place.rename('a.draft', 'a.backup')
      expect(await contentOf(place, 'a.backup')).toBe('content')
      expect((await place.readStart('a.backup', 3)).toString()).toBe('con')
      expect(await place.list()).toContainEqual({ name: 'a.backup', bytes: 7 })
      expect((await place.list()).map((each) => each.name)).not.toContain('a.draft')
    })

    it('replaces no file', async () => {
      const place = open()
      await place.write('b', inOnePiece(Buffer.from('first')))
      await place.write('c', inOnePiece(Buffer.from('second')))
      await expect(place.write('b', inOnePiece(Buffer.from('third')))).rejects.toThrow(
        /already exists and is not replaced/,
      )
      await expect(place.rename('c', 'b')).rejects.toThrow(/already exists and is not replaced/)
      expect(await contentOf(place, 'b')).toBe('first')
      expect(await contentOf(place, 'c')).toBe('second')
    })

    it('keeps nothing of an interrupted write', async () => {
      const place = open()
      async function* broken() {
        yield Buffer.from('half')
        throw new Error('the source broke off')
      }
      await expect(place.write('d.draft', broken())).rejects.toThrow('the source broke off')
      expect((await place.list()).map((each) => each.name)).not.toContain('d.draft')
    })

    it('removes a file, even twice, and reports a missing one', async () => {
      const place = open()
      await place.write('e', inOnePiece(Buffer.from('x')))
      await place.remove('e')
      await place.remove('e')
      await expect(contentOf(place, 'e')).rejects.toThrow(/there is no .*e.*tenant backup list/)
    })

    it.each(['../secret', '/etc/passwd', 'a/b', '.hidden', '', 'a..b', 'a\u0000b', 'x'.repeat(300)])(
      'refuses the file name %j',
      async (bad) => {
        const place = open()
        const attempts = [
          () => contentOf(place, bad),
          () => place.readStart(bad, 10),
          () => place.write(bad, inOnePiece(Buffer.from('x'))),
          () => place.rename(bad, 'ok'),
          async () => place.remove(bad),
        ]
        for (const attempt of attempts) await expect(attempt()).rejects.toThrow(/is not the name of a backup/)
      },
    )

    it('stores a backup in several parts, completely', async () => {
      const place = open()
      const source = { type: 'cluster', name: 'large' } as const
      const made = await createBackup({ place, keyring, source, open: state, random: systemRandom, nowMs: 0 })
      const listed = await listBackups(place)
      expect(listed.filter(({ name: each }) => each === made.name)).toMatchObject([{ state: 'complete' }])
      const { totals } = await verifyBackup(made.name, place.read(`${made.name}.backup`), keyring)
      expect(totals).toEqual(made.totals)
    })
  })
}

let directory: string
let s3Port: number
let s3: { readonly place: BackupPlace; readonly server: S3rver }

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-places-'))
  const port = await freePort()
  s3Port = port
  const server = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory: join(directory, 's3'),
    configureBuckets: [{ name: 'backups', configs: [] }],
  })
  await server.run()
  // The library reads its credentials from the environment of the process.
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER'
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER'
  const env = { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` }
  s3 = { server, place: await openPlace('s3://backups/shop', env) }
})

afterAll(async () => {
  s3.place.close()
  await s3.server.close()
  delete process.env.AWS_ACCESS_KEY_ID
  delete process.env.AWS_SECRET_ACCESS_KEY
  await rm(directory, { recursive: true })
})

describePlace('a directory', () => directoryPlace(join(directory, 'place')))
describePlace('S3', () => s3.place)

describe('an error of S3 names the place and what to do', () => {
  const listed = (address: string, env: Readonly<Record<string, string>>) => {
    const place = s3Place(address, env)
    onTestFinished(() => place.close())
    return place.list()
  }

  it('if the bucket does not exist', async () => {
    const env = { AWS_ENDPOINT_URL: `http://127.0.0.1:${s3Port}` }
    await expect(listed('s3://nowhere/shop', env)).rejects.toThrow(/^s3:\/\/nowhere\/shop: .*bucket does not exist/)
  })

  it('if nothing listens', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`
    await expect(listed('s3://backups/shop', { AWS_ENDPOINT_URL: endpoint })).rejects.toThrow(
      `s3://backups/shop: ${endpoint} cannot be reached`,
    )
  })
})

describe('a hostile S3 server', () => {
  async function placeAnsweredBy(answer: RequestListener, silenceMs = 60_000): Promise<BackupPlace> {
    const server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('it listens nowhere')
    const env = { AWS_ENDPOINT_URL: `http://127.0.0.1:${address.port}` }
    const place = s3Place('s3://backups/shop', env, { connectMs: 60_000, silenceMs })
    onTestFinished(() => {
      place.close()
      server.closeAllConnections()
      server.close()
    })
    return place
  }

  it('does not list without an end', async () => {
    const page = '<IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>'
    const place = await placeAnsweredBy((_, response) => {
      response.setHeader('content-type', 'application/xml')
      response.end(`<ListBucketResult>${page}</ListBucketResult>`)
    })
    await expect(place.list()).rejects.toThrow(/does not come to an end/)
  })

  it('sends no more than the requested start of a file', async () => {
    const place = await placeAnsweredBy((_, response) => {
      const send = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', send)
      send()
    })
    expect(await place.readStart('a.backup', 10)).toEqual(Buffer.from('x'.repeat(10)))
  })

  it.each<[string, RequestListener]>([
    ['before it answers', () => {}],
    ['in the middle', (_, response) => response.writeHead(200, { 'content-length': '9' }).write('half')],
  ])('times out if it falls silent %s', async (_, answer) => {
    const place = await placeAnsweredBy(answer, 100)
    await expect(contentOf(place, 'a.backup')).rejects.toThrow(/imed out|timeout|aborted/i)
  })
})

it('links in the directory are not followed', async () => {
  const place = join(directory, 'links')
  await directoryPlace(place).write('real.backup', inOnePiece(Buffer.from('x')))
  await writeFile(join(directory, 'secret'), 'secret')
  await symlink(join(directory, 'secret'), join(place, 'link.backup'))
  expect((await directoryPlace(place).list()).map(({ name }) => name)).toEqual(['real.backup'])
  await expect(contentOf(directoryPlace(place), 'link.backup')).rejects.toThrow(/is not a file, and is not read/)
  await expect(directoryPlace(place).write('link.backup', inOnePiece(Buffer.from('overwritten')))).rejects.toThrow(
    /already exists/,
  )
  expect(await readFile(join(directory, 'secret'), 'utf8')).toBe('secret')
  expect(await readdir(place)).toHaveLength(2)
})

it('files that are not backups are listed as such', async () => {
  const place = directoryPlace(join(directory, 'strange'))
  await place.write('odd.backup', inOnePiece(Buffer.from('what is this')))
  await place.write('odd.failed', inOnePiece(Buffer.from('{')))
  await place.write('half.draft', inOnePiece(Buffer.from('tenant-backup 1')))
  await place.write('other.txt', inOnePiece(Buffer.from('')))
  const listed = await listBackups(place)
  expect(listed.map(({ name, state }) => `${name} ${state}`).sort()).toEqual([
    'half draft',
    'odd unreadable',
    'odd unreadable',
  ])
})

it.each(['s3://', 's3://UPPER/x', 's3://ab/../x y', 'https://bucket/x', ''])('%j is not a place', async (text) => {
  await expect(openPlace(text, {})).rejects.toThrow(/is not a place for backups/)
})
