import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/base/log.ts'
import type { Store } from '../../src/storage/contract.ts'
import { openEtcdStore } from '../../src/storage/etcd/open.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { broughtValue } from '../support/canary/brought-value.ts'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'
import { type Etcd, missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { overHttp2, signIn } from './browser-client.ts'
import { group, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

const [kubectl] = findKubectls()
const stores = ['embedded', ...(missingEtcd() === undefined ? ['etcd'] : [])] as const

describe.each(stores)('the value of a key that kubectl applies, on the %s store', (kind) => {
  const secret = broughtValue(`${kind}-applied`)
  const later = broughtValue(`${kind}-changed`)
  const logged: string[] = []
  let directory: string
  let etcd: Etcd | undefined
  let store: Store
  let platform: TestPlatform

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-canary-'))
    if (kind === 'etcd') etcd = await startEtcd()
    store =
      etcd === undefined
        ? await openLmdbStore({ directory: join(directory, 'store') })
        : await openEtcdStore({ endpoints: [etcd.endpoint], prefix: '/tenant' })
    platform = await startPlatform({
      directory,
      store,
      log: createLog({ level: 'debug', write: (line) => logged.push(line) }),
      platform: { domain: 'platform.internal', audit: { file: join(directory, 'audit.log') } },
    })
    await platform.must('POST', `${management}/users`, userNamed('ann'))
    await writeFile(join(directory, 'kubeconfig'), platform.server.kubeconfig())
  })

  afterAll(async () => {
    await platform?.stop()
    await store?.close()
    await etcd?.remove()
    await rm(directory, { recursive: true, force: true })
  })

  const run = async (...words: readonly string[]) => {
    const env = { PATH: process.env.PATH, HOME: directory, KUBECONFIG: join(directory, 'kubeconfig') }
    return new Promise<string>((resolve, reject) => {
      execFile(kubectl?.command ?? 'kubectl', words, { cwd: directory, env }, (error, stdout, stderr) =>
        error === null ? resolve(stdout + stderr) : reject(new Error(stderr)),
      )
    })
  }
  const manifest = (key: string) =>
    writeFile(
      join(directory, 'key.yaml'),
      JSON.stringify({
        apiVersion: `${group}/v1`,
        kind: 'OwnedAccessKey',
        metadata: { name: 'applied' },
        spec: { user: 'ann', key, displayName: 'applied' },
      }),
    )

  it('is found nowhere: no response, log, event, audit line, metric, annotation or file', async () => {
    await manifest(secret)
    const told = [await run('apply', '-f', 'key.yaml'), await run('apply', '-f', 'key.yaml')]
    await manifest(later)
    told.push(await run('apply', '-f', 'key.yaml'))
    told.push(await run('apply', '--server-side', '--force-conflicts', '-f', 'key.yaml'))
    told.push(await run('diff', '-f', 'key.yaml').catch(() => ''))
    told.push(await run('get', 'oak', 'applied', '-o', 'yaml', '--show-managed-fields'))
    expect((await platform.ask('GET', keysPath, { token: later })).status).toBe(200)
    expect((await platform.ask('GET', keysPath, { token: secret })).status).toBe(401)
    const { headers } = await signIn(
      overHttp2(() => platform.server),
      later,
    )
    told.push((await platform.ask('GET', keysPath, { token: '', headers })).text)
    told.push((await platform.ask('POST', keysPath, { token: '', headers, body: {} })).text)
    await eventually(async () => {
      told.push(await run('get', 'events', '-A', '-o', 'yaml'))
      expect(told.at(-1)).toContain('FirstUsed')
    })
    told.push((await platform.ask('GET', '/metrics')).text)
    await eventually(async () => expect(await readFile(join(directory, 'audit.log'), 'utf8')).toContain('applied'))

    const files = [directory, ...(etcd === undefined ? [] : [etcd.directory])]
    const holding: string[] = []
    for (const value of [secret, later]) {
      for (const [index, text] of [...told, ...logged].entries())
        if (text.includes(value)) holding.push(`text ${index}`)
      for (const root of files) holding.push(...(await filesWith(root, value)))
    }
    expect(holding).toEqual([])
  })
})

/** The manifest is the only file that may contain it. */
async function filesWith(root: string, value: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of await readdir(root, { recursive: true })) {
    const file = join(root, name)
    if (name === 'key.yaml' || !(await stat(file)).isFile()) continue
    if ((await readFile(file)).includes(value)) found.push(file)
  }
  return found
}
