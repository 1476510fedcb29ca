import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LinkedWorld, startLinkedWorld } from '../link/support.ts'
import { keysPath } from '../platform/platform.ts'
import { builtCli } from '../reliability/support/built-cli.ts'
import { eventually } from '../support/eventually.ts'
import { findKubectls } from '../support/kubectl.ts'

const kubectls = findKubectls()
const run = promisify(execFile)

interface Failed {
  readonly stderr: string
}

describe.skipIf(kubectls.length === 0)('kubectl with the plugin that tenant connect writes', () => {
  let world: LinkedWorld & { stop(): Promise<void> }

  beforeAll(async () => {
    world = await startLinkedWorld()
  })
  afterAll(() => world.stop())

  describe.each(kubectls.map((binary) => [binary.name, binary] as const))('%s', (_version, { command, minor }) => {
    const login = `kubectl-${minor}`
    let home: string
    let env: NodeJS.ProcessEnv
    const tenant = (args: readonly string[]) => run(process.execPath, [builtCli(), ...args], { env })
    const kubectl = async (...args: readonly string[]) => (await run(command, args, { env })).stdout
    const failing = (...args: readonly string[]): Promise<Failed> =>
      kubectl(...args).then(
        (stdout) => {
          throw new Error(`it succeeded: ${stdout}`)
        },
        (error: Failed) => error,
      )

    /** Those that were made with the login and are there. */
    const connectionKeys = async (): Promise<readonly string[]> => {
      const { items } = await world.platform.must('GET', keysPath)
      const all: readonly { metadata: { name: string }; spec: { parent?: string } }[] = items
      return all.filter(({ spec }) => spec.parent === login).map(({ metadata }) => metadata.name)
    }

    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'tenant-plugin-'))
      env = { PATH: process.env.PATH, HOME: home, KUBECONFIG: join(home, 'kubeconfig') }
      const { url, authority } = world.platform.server
      const { spec } = await world.platform.must('POST', keysPath, {
        metadata: { name: login },
        spec: { user: 'admin' },
      })
      await writeFile(join(home, 'ca.crt'), authority)
      env = { ...env, TENANT_ACCESS_KEY: spec.key }
      await tenant(['platform', 'login', url, '--ca', join(home, 'ca.crt')])
      const { TENANT_ACCESS_KEY: _, ...others } = env
      env = others
      await tenant(['connect', 'dev', '--project', 'default', '--key-ttl', '10s'])
    })
    afterAll(() => rm(home, { recursive: true, force: true }))

    it('works, with a kubeconfig that holds no secret', async () => {
      expect(await readFile(join(home, 'kubeconfig'), 'utf8')).not.toContain('tpk_')
      const name = `plugin-${minor}`
      expect(await kubectl('create', 'configmap', name, '--from-literal=a=b')).toContain('created')
      expect(await kubectl('get', 'configmap', name, '-o', 'jsonpath={.data.a}')).toBe('b')
    })

    it.runIf(minor >= 22)('works with client.authentication.k8s.io/v1 too', async () => {
      const text = await readFile(join(home, 'kubeconfig'), 'utf8')
      const other = join(home, 'kubeconfig-v1')
      await writeFile(other, text.replace('client.authentication.k8s.io/v1beta1', 'client.authentication.k8s.io/v1'))
      expect(await kubectl('--kubeconfig', other, 'get', 'namespaces', '-o', 'name')).toContain('namespace/kube-system')
    })

    it('gets one key for many that run at once', async () => {
      for (const name of await connectionKeys()) await world.platform.must('DELETE', `${keysPath}/${name}`)
      await rm(join(home, '.tenant', 'connection-keys'), { recursive: true })
      await Promise.all(Array.from({ length: 5 }, () => kubectl('get', 'namespaces', '-o', 'name')))
      expect(await connectionKeys()).toHaveLength(1)
    })

    it('gets another key when the one that it has is revoked', async () => {
      const before = await connectionKeys()
      for (const name of before) await world.platform.must('DELETE', `${keysPath}/${name}`)
      // The first answer is a refusal; kubectl asks the plugin then, and works from the next call on.
      await kubectl('get', 'namespaces', '-o', 'name').catch(() => '')
      expect(await kubectl('get', 'namespaces', '-o', 'name')).toContain('namespace/kube-system')
    })

    it.runIf(minor >= 32)('goes on watching when its key has ended, and is cut with the login', async () => {
      const name = `watched-${minor}`
      const watching = spawn(command, ['get', 'configmaps', '-w', '-o', 'name'], { env })
      let seen = ''
      watching.stdout.on('data', (chunk: Buffer) => {
        seen += chunk.toString()
      })
      const ended = new Promise((resolve) => watching.once('close', resolve))
      try {
        await eventually(() => expect(seen).toContain('kube-root-ca.crt'), 15_000)
        for (const each of await connectionKeys()) {
          await eventually(async () => {
            const { status } = await world.platform.must('GET', `${keysPath}/${each}`)
            expect(status.phase).toBe('Expired')
          }, 15_000)
        }
        await kubectl('create', 'configmap', name)
        await eventually(() => expect(seen).toContain(`configmap/${name}`), 15_000)
        const body = { spec: { disabled: true } }
        await world.platform.ask('PATCH', `${keysPath}/${login}`, { body, type: 'application/merge-patch+json' })
        await ended
      } finally {
        watching.kill()
      }
    })

    it('says why it is refused when the login is over', async () => {
      await world.platform.must('DELETE', `${keysPath}/${login}`)
      expect((await failing('get', 'namespaces')).stderr).toContain('refused the access key')
    })
  })
})
