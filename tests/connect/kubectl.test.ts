import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LinkedWorld, startLinkedWorld } from '../link/support.ts'
import { keysPath } from '../platform/platform.ts'
import { runWatchedCli } from '../support/canary/watched-cli.ts'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'
import { builtCli } from '../support/programs/built-cli.ts'

const kubectls = findKubectls()
const [newest] = kubectls
const run = promisify(execFile)

let world: LinkedWorld & { stop(): Promise<void> }

/** The home directory of a user, logged in with a separate key and connected. */
interface Home {
  readonly login: string
  readonly directory: string
  readonly env: NodeJS.ProcessEnv
}

async function connectedHome(login: string, ...flags: readonly string[]): Promise<Home> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-plugin-'))
  const env = { PATH: process.env.PATH, HOME: directory, KUBECONFIG: join(directory, 'kubeconfig') }
  const { url, authority } = world.platform.server
  const { spec } = await world.platform.must('POST', keysPath, { metadata: { name: login }, spec: { user: 'admin' } })
  const ca = join(directory, 'ca.crt')
  await writeFile(ca, authority)
  const nowhere = { write: () => true }
  const terminal = { stdout: nowhere, stderr: nowhere, env: { HOME: directory, TENANT_ACCESS_KEY: spec.key } }
  expect(await runWatchedCli(['platform', 'login', url, '--ca', ca], terminal)).toBe(0)
  // A separate process: the running program writes its own path into the kubeconfig.
  await run(process.execPath, [builtCli(), 'connect', 'dev', '--project', 'default', ...flags], { env })
  return { login, directory, env }
}

/** Existing keys that were made with the login. */
async function connectionKeys({ login }: Home): Promise<readonly string[]> {
  const { items } = await world.platform.must('GET', keysPath)
  const all: readonly { metadata: { name: string }; spec: { parent?: string } }[] = items
  return all.filter(({ spec }) => spec.parent === login).map(({ metadata }) => metadata.name)
}

async function revoke(home: Home): Promise<void> {
  for (const name of await connectionKeys(home)) await world.platform.must('DELETE', `${keysPath}/${name}`)
}

/** Makes the kept key a minute old: a new key is not replaced. */
async function age({ directory }: Home): Promise<void> {
  const kept = join(directory, '.tenant', 'connection-keys')
  for (const name of await readdir(kept, { recursive: true })) {
    if (!name.endsWith('.key')) continue
    const key = JSON.parse(await readFile(join(kept, name), 'utf8'))
    await writeFile(join(kept, name), JSON.stringify({ ...key, issuedMs: key.issuedMs - 60_000 }))
  }
}

const homes = new Map<string, Home>()
/** A watch of the newest kubectl, from the beginning: its key expires while the other tests run. */
let watching: { readonly process: ChildProcess; readonly seen: () => string; readonly ended: Promise<unknown> }

describe.skipIf(newest === undefined)('kubectl with the plugin that tenant connect writes', () => {
  const homeOf = (name: string): Home => {
    const home = homes.get(name)
    if (home === undefined) throw new Error(`there is no home ${name}`)
    return home
  }

  beforeAll(async () => {
    world = await startLinkedWorld()
    const named = [
      ['watching', connectedHome('watching', '--key-ttl', '10s')] as const,
      ...kubectls.map(({ name, minor }) => [name, connectedHome(`kubectl-${minor}`)] as const),
    ]
    for (const [name, home] of named) homes.set(name, await home)
    watching = watch(homeOf('watching'))
  }, 240_000)
  afterAll(async () => {
    watching?.process.kill()
    await world.stop()
    for (const { directory } of homes.values()) await rm(directory, { recursive: true, force: true })
  })

  function watch({ env }: Home): typeof watching {
    const process = spawn(newest?.command ?? '', ['get', 'configmaps', '-w', '-o', 'name'], { env })
    let seen = ''
    process.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString()
    })
    return { process, seen: () => seen, ended: new Promise((resolve) => process.once('close', resolve)) }
  }

  describe.each(kubectls.map((binary) => [binary.name, binary] as const))('%s', (name, { command, minor }) => {
    const kubectl = async (...args: readonly string[]) => (await run(command, args, { env: homeOf(name).env })).stdout

    it('works with a kubeconfig without secrets', async () => {
      expect(await readFile(join(homeOf(name).directory, 'kubeconfig'), 'utf8')).not.toContain('tpk_')
      expect(await kubectl('create', 'configmap', `plugin-${minor}`)).toContain('created')
    })

    it.runIf(minor >= 22)('works with client.authentication.k8s.io/v1 too', async () => {
      const { directory } = homeOf(name)
      const text = await readFile(join(directory, 'kubeconfig'), 'utf8')
      const other = join(directory, 'kubeconfig-v1')
      await writeFile(other, text.replace('client.authentication.k8s.io/v1beta1', 'client.authentication.k8s.io/v1'))
      expect(await kubectl('--kubeconfig', other, 'get', 'namespaces', '-o', 'name')).toContain('namespace/kube-system')
    })

    it('gets one key for many concurrent commands', async () => {
      const home = homeOf(name)
      await revoke(home)
      await rm(join(home.directory, '.tenant', 'connection-keys'), { recursive: true })
      await Promise.all(Array.from({ length: 4 }, () => kubectl('get', 'namespaces', '-o', 'name')))
      expect(await connectionKeys(home)).toHaveLength(1)
    })

    it('gets another key when its key is revoked', async () => {
      const home = homeOf(name)
      await revoke(home)
      await age(home)
      // The first answer is a refusal; kubectl then calls the plugin, and works from the next call on.
      await kubectl('get', 'namespaces', '-o', 'name').catch(() => '')
      expect(await kubectl('get', 'namespaces', '-o', 'name')).toContain('namespace/kube-system')
    })

    it('reports the reason when the login has ended', async () => {
      const home = homeOf(name)
      await world.platform.must('DELETE', `${keysPath}/${home.login}`)
      await age(home)
      const failed = await kubectl('get', 'namespaces').then(
        (stdout) => ({ stderr: `it succeeded: ${stdout}` }),
        (error: { readonly stderr: string }) => error,
      )
      expect(failed.stderr).toContain('refused the access key')
    })
  })

  it('continues to watch after its key has ended, and is cut with the login', async () => {
    const home = homeOf('watching')
    await eventually(() => expect(watching.seen()).toContain('kube-root-ca.crt'))
    for (const each of await connectionKeys(home)) {
      await eventually(async () => {
        const { status, body } = await world.platform.ask('GET', `${keysPath}/${each}`)
        expect(status === 404 ? 'Expired' : body.status.phase).toBe('Expired')
      }, 240_000)
    }
    await run(newest?.command ?? '', ['create', 'configmap', 'watched'], { env: home.env })
    await eventually(() => expect(watching.seen()).toContain('configmap/watched'))
    const body = { spec: { disabled: true } }
    await world.platform.ask('PATCH', `${keysPath}/${home.login}`, { body, type: 'application/merge-patch+json' })
    await watching.ended
  }, 240_000)
})
