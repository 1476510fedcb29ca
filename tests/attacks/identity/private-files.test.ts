import { chmod, mkdtemp, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureCertificates } from '../../../src/base/certificates/ensure.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { writeWhole } from '../../../src/base/files/write-whole.ts'
import { openLmdbStore } from '../../../src/storage/lmdb/open.ts'

describe('in a directory that others can enter', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-files-'))
    await chmod(directory, 0o755)
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  test('the store is readable only by its owner, also an existing one', async () => {
    for (const mode of [0o600, 0o644]) {
      const store = await openLmdbStore({ directory })
      const files = ['data.mdb', 'lock.mdb'].map((name) => join(directory, name))
      for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600)
      await store.close()
      for (const file of files) await chmod(file, mode)
    }
  })

  test('a secret is not written into a file planted by another user', async () => {
    const file = join(directory, 'admin.key')
    await writeFile(`${file}.draft`, '', { mode: 0o666 })
    const planted = await open(`${file}.draft`)
    writeWhole(file, 'secret')
    expect(await planted.readFile('utf8')).toBe('')
    await planted.close()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('a secret is not written through a link planted by another user', async () => {
    const [file, target] = [join(directory, 'kubeconfig'), join(directory, 'precious')]
    await writeFile(target, 'precious')
    await symlink(target, `${file}.draft`)
    writeWhole(file, 'secret')
    expect(await readFile(target, 'utf8')).toBe('precious')
    expect(await readFile(file, 'utf8')).toBe('secret')
  })

  test('nor is the key of a certificate', async () => {
    const target = join(directory, 'precious-too')
    await writeFile(target, 'precious')
    await symlink(target, join(directory, 'server.key.new'))
    await ensureCertificates({ directory, name: 'server', names: [], clock: systemClock })
    expect(await readFile(target, 'utf8')).toBe('precious')
  })
})
